#include "client/app/app_class.h"
#include "client/app/interview/conform.h"
#include "client/app/interview/interview.h"
#include "client/app/interview/interview_options.h"
#include "client/interview/client.h"

const struct app_class INTERVIEW_APP_CLASS = {
    .family = "interview",
    .client = &INTERVIEW_CLIENT_CLASS,
    .page = &INTERVIEW_PAGE,
    .run = interview_command,
    .url_variables = {"INTERVIEW_URL", NULL},
    .audio_variable = "INTERVIEW_AUDIO",
    .conform_help = "  INTERVIEW_URL     the server, with an interview profile\n"
                    "  INTERVIEW_ID, INTERVIEW_TOKEN, INTERVIEW_AUDIO\n"
                    "  CONFORM_OUT       folder for what an interview client heard, sound.wav\n",
    .conform = interview_conform,
};
