/* Where the suite's own data is. */
#include <stdio.h>
#include <stdlib.h>

#include "conformance/options/options.h"

static const char *data_folder(const char *name, const char *beside_sources, char path[OPTIONS_PATH_MAX])
{
    const char *base = getenv(CONFORM_DATA_VARIABLE);
    if (base == NULL)
        snprintf(path, OPTIONS_PATH_MAX, "%s", beside_sources);
    else
        snprintf(path, OPTIONS_PATH_MAX, "%s/%s", base, name);
    return path;
}

const char *default_cases_folder(char path[OPTIONS_PATH_MAX])
{
    return data_folder("cases", CONFORM_CASES_DIR, path);
}

const char *default_server_cases_folder(char path[OPTIONS_PATH_MAX])
{
    return data_folder("server-cases", CONFORM_SERVER_CASES_DIR, path);
}

const char *default_suites_folder(char path[OPTIONS_PATH_MAX])
{
    return data_folder("suites", CONFORM_SUITES_DIR, path);
}

const char *default_speech_folder(char path[OPTIONS_PATH_MAX])
{
    return data_folder("speech", CONFORM_SPEECH_DIR, path);
}

const char *default_video_folder(char path[OPTIONS_PATH_MAX])
{
    return data_folder("video", CONFORM_VIDEO_DIR, path);
}
