#include "client/app/app_class.h"
#include "client/app/ojin/conform.h"
#include "client/app/ojin/speak.h"
#include "client/app/ojin/speak_options.h"
#include "client/ojin/client.h"

const struct app_class OJIN_APP_CLASS = {
    .family = "ojin",
    .client = &OJIN_CLIENT_CLASS,
    .page = &SPEAK_PAGE,
    .run = speak_command,
    .url_variables = {"OJIN_URL", "OJIN_WS_URL"},
    .audio_variable = "OJIN_AUDIO",
    .conform_help = "  OJIN_URL          the server (or OJIN_WS_URL), with an Ojin profile\n"
                    "  OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO\n",
    .conform = ojin_conform,
};
