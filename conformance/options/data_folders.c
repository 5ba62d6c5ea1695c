/* Where the suite's own data is. */
#include "codec/program/data_path.h"
#include "conformance/options/options.h"

const char *default_cases_folder(char path[OPTIONS_PATH_MAX])
{
    return data_path("cases", path, OPTIONS_PATH_MAX);
}

const char *default_server_cases_folder(char path[OPTIONS_PATH_MAX])
{
    return data_path("server-cases", path, OPTIONS_PATH_MAX);
}

const char *default_suites_folder(char path[OPTIONS_PATH_MAX])
{
    return data_path("suites", path, OPTIONS_PATH_MAX);
}

const char *default_speech_folder(char path[OPTIONS_PATH_MAX])
{
    return data_path("speech", path, OPTIONS_PATH_MAX);
}

const char *default_video_folder(char path[OPTIONS_PATH_MAX])
{
    return data_path("video", path, OPTIONS_PATH_MAX);
}
