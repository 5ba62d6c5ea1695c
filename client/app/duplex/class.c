#include "client/app/app_class.h"
#include "client/app/duplex/conform.h"
#include "client/app/duplex/talk.h"
#include "client/app/duplex/talk_options.h"
#include "client/duplex/client.h"

const struct app_class DUPLEX_APP_CLASS = {
    .family = "duplex",
    .client = &DUPLEX_CLIENT_CLASS,
    .page = &TALK_PAGE,
    .run = talk_command,
    .url_variables = {"DUPLEX_URL", NULL},
    .audio_variable = "DUPLEX_AUDIO",
    .conform_help = "  DUPLEX_URL        the server, with a full-duplex profile\n"
                    "  DUPLEX_AUDIO, DUPLEX_VIDEO (a folder of JPEGs)\n"
                    "  CONFORM_OUT       folder for what a full-duplex client heard, sound.wav\n",
    .conform = duplex_conform,
};
