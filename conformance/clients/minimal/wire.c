/*
 * The wire tier: a program that knows nothing of the suite but the name of the profile. It finds the service
 * in its environment (OJIN_URL, OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO), speaks the sound file, reads on to
 * the final frame and closes.
 *
 * Exit: 0 done, 1 an error came or the file cannot be spoken, 99 something is not set.
 */
#include <stdio.h>
#include <stdlib.h>

#include "session.h"

int main(void)
{
    static struct session session;
    const char *url = getenv("OJIN_URL"), *key = getenv("OJIN_API_KEY"), *config = getenv("OJIN_CONFIG_ID");
    const char *audio = getenv("OJIN_AUDIO");
    if (url == NULL || key == NULL || config == NULL) {
        fputs("OJIN_URL, OJIN_API_KEY and OJIN_CONFIG_ID have to be set\n", stderr);
        return 99;
    }
    session_open(&session, url, key, config, getenv("CONFORM_PROFILE"));
    if (session.ready) {
        if (audio != NULL)
            session_speak(&session, audio);
        session_end(&session);
    } else {
        session_run(&session, session_never, 0, 2000); /* a server that refuses closes by itself */
        session_close(&session);
    }
    free(session.speech_file);
    return session.failed ? 1 : 0;
}
