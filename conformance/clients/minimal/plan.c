/*
 * The plan tier: it does what the plan of CONFORM_PLAN asks. What it does not know it declines with exit 77.
 * With a first argument --observe it is of the observe tier: it also says what it sees. With
 * CONFORM_PERSISTENT each line of standard input is a case, plan and all, and ends with a line `done`.
 *
 * It looks for the members of a step as the suite writes them; a whole client reads the plan with a JSON
 * library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

enum { PLAN_MAX = 65536, WORD_MAX = 1024, STEP_WAIT_MS = 10000 };

static const char DO[] = "{\"do\":\"";

/* The text behind `name` in a step, up to the next quote. False: the step has no such member. */
static bool member(const char *step, const char *end, const char *name, char word[WORD_MAX])
{
    const char *at = strstr(step, name);
    if (at == NULL || at >= end)
        return false;
    at += strlen(name);
    const size_t length = strcspn(at, "\"");
    if (length >= WORD_MAX)
        return false;
    memcpy(word, at, length);
    word[length] = '\0';
    return true;
}

static const char *next_step(const char *from)
{
    const char *next = strstr(from + 1, DO);
    return next != NULL ? next : from + strlen(from);
}

static bool can_do(const char *step, const char *end)
{
    static const char *const KNOWN[] = {"connect", "speak", "cancel", "end", "wait", "close"};
    char word[WORD_MAX];
    if (!member(step, end, DO, word) || member(step, end, "\"params\":", word))
        return false;
    for (size_t i = 0; member(step, end, DO, word) && i < sizeof KNOWN / sizeof KNOWN[0]; i++)
        if (strcmp(word, KNOWN[i]) == 0)
            return true;
    return false;
}

/* ---- after ---- */

static bool is_ready(const struct session *session, unsigned long count)
{
    (void)count;
    return session->ready;
}

static bool has_spoken(const struct session *session, unsigned long count)
{
    return session->speech >= count;
}

static bool is_sent(const struct session *session, unsigned long count)
{
    (void)count;
    return session->unsent_bytes == 0;
}

static bool is_idle(const struct session *session, unsigned long count)
{
    (void)count;
    return session->idle;
}

static bool is_final(const struct session *session, unsigned long count)
{
    (void)count;
    return session->final;
}

static bool has_failed(const struct session *session, unsigned long count)
{
    (void)count;
    return session->failed;
}

static void wait_for(struct session *session, const char *after)
{
    static const struct {
        const char *name;
        session_condition *condition;
    } CONDITIONS[] = {{"ready", is_ready},      {"speech", has_spoken}, {"sent", is_sent},
                      {"idle", is_idle},        {"final", is_final},    {"error", has_failed},
                      {"closed", session_never}};
    const size_t length = strcspn(after, ":");
    const unsigned long count = after[length] == ':' ? strtoul(after + length + 1, NULL, 10) : 1;
    for (size_t i = 0; i < sizeof CONDITIONS / sizeof CONDITIONS[0]; i++)
        if (strncmp(after, CONDITIONS[i].name, length) == 0)
            session_run(session, CONDITIONS[i].condition, count, STEP_WAIT_MS);
}

/* ---- the steps ---- */

static void do_step(struct session *session, const char *step, const char *end)
{
    char word[WORD_MAX], what[WORD_MAX];
    if (member(step, end, "\"after\":\"", word))
        wait_for(session, word);
    if (session->over || !member(step, end, DO, what))
        return;
    if (strcmp(what, "speak") == 0 && member(step, end, "\"file\":\"", word))
        session_speak(session, word);
    else if (strcmp(what, "cancel") == 0)
        session_cancel(session);
    else if (strcmp(what, "end") == 0)
        session_end(session);
    else if (strcmp(what, "close") == 0)
        session_close(session);
    else if (strcmp(what, "wait") == 0 && member(step, end, "\"ms\":", word))
        session_run(session, session_never, 0, strtoul(word, NULL, 10));
}

static bool read_plan(const char *path, char plan[PLAN_MAX])
{
    FILE *file = path == NULL ? NULL : fopen(path, "rb");
    const size_t size = file == NULL ? 0 : fread(plan, 1, PLAN_MAX - 1, file);
    plan[size] = '\0';
    if (file != NULL)
        fclose(file);
    return size > 0;
}

/* What a case is about, beside its plan. */
struct place {
    const char *url, *key, *config, *profile;
};

/* The exit code. */
static int obey(struct session *session, const char *plan, const struct place *place)
{
    if (strncmp(place->url, "ws:", 3) != 0) {
        fputs("cannot do this: TLS takes a library\n", stderr);
        return 77;
    }
    const char *first = next_step(plan);
    for (const char *step = first; *step != '\0'; step = next_step(step)) {
        if (!can_do(step, next_step(step))) {
            fputs("cannot do this\n", stderr);
            return 77;
        }
    }
    session_open(session, place->url, place->key, place->config, place->profile);
    for (const char *step = first; session->ready && !session->over && *step != '\0'; step = next_step(step))
        do_step(session, step, next_step(step));
    if (!session->ready)
        session_run(session, session_never, 0, 2000); /* a server that refuses closes by itself */
    session_close(session);
    free(session->speech_file);
    return session->failed ? 1 : 0;
}

/* One case after another, a line each. */
static int obey_lines(struct session *session, char plan[PLAN_MAX])
{
    const bool observes = session->observes;
    while (fgets(plan, PLAN_MAX, stdin) != NULL) {
        char url[WORD_MAX], key[WORD_MAX], config[WORD_MAX], profile[WORD_MAX] = "";
        const char *end = plan + strlen(plan);
        memset(session, 0, offsetof(struct session, message));
        session->observes = observes;
        const struct place place = {url, key, config, profile};
        int code = 99;
        (void)member(plan, end, "\"profile\":\"", profile);
        if (member(plan, end, "\"url\":\"", url) && member(plan, end, "\"key\":\"", key) &&
            member(plan, end, "\"config\":\"", config))
            code = obey(session, plan, &place);
        printf("{\"conform\":1,\"done\":%d}\n", code);
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct session session;
    static char plan[PLAN_MAX];
    const struct place place = {getenv("OJIN_URL"), getenv("OJIN_API_KEY"), getenv("OJIN_CONFIG_ID"),
                                getenv("CONFORM_PROFILE")};
    session.observes = argc > 1 && strcmp(argv[1], "--observe") == 0;
    if (getenv("CONFORM_PERSISTENT") != NULL)
        return obey_lines(&session, plan);
    if (place.url == NULL || place.key == NULL || place.config == NULL ||
        !read_plan(getenv("CONFORM_PLAN"), plan)) {
        fputs("OJIN_URL, OJIN_API_KEY, OJIN_CONFIG_ID and CONFORM_PLAN have to be set\n", stderr);
        return 99;
    }
    return obey(&session, plan, &place);
}
