#include "packages/c/setup.h"

#include <stdio.h>
#include <stdlib.h>

#include "codec/family.h"

enum { SEED = 1 };

static bool complain(char error[OJIN_MOCK_ERROR_MAX], const char *what, const char *value)
{
    snprintf(error, OJIN_MOCK_ERROR_MAX, "%s: there is no %s \"%.60s\"", what, what, value);
    return false;
}

static bool class_read(struct setup *setup, const struct ojin_mock_options *asked,
                       char error[OJIN_MOCK_ERROR_MAX])
{
    setup->class = asked->family == NULL ? SESSION_CLASSES[0] : session_class_by_family(asked->family);
    if (setup->class == NULL)
        return complain(error, "family", asked->family);
    const struct family *family = setup->class->family;
    setup->profile = asked->profile == NULL ? family->profiles[0] : family_profile(family, asked->profile);
    return setup->profile != NULL || complain(error, "profile", asked->profile);
}

static bool behaviour_read(struct setup *setup, const struct ojin_mock_options *asked,
                           char error[OJIN_MOCK_ERROR_MAX])
{
    struct family_behaviour family = {.class = setup->class};
    char why[BEHAVIOUR_ERROR_MAX];
    behaviour_init(&family.behaviour);
    family.behaviour.seed = asked->seed == 0 ? SEED : asked->seed;
    const bool sound =
        (asked->quirks == NULL || families_set_quirks(&family, 1, bytes_of_text(asked->quirks), why)) &&
        (asked->fault == NULL || families_add_fault(&family, 1, bytes_of_text(asked->fault), why));
    setup->behaviour = family.behaviour;
    if (!sound)
        snprintf(error, OJIN_MOCK_ERROR_MAX, "%s", why);
    return sound;
}

static bool script_read(struct setup *setup, const struct ojin_mock_options *asked,
                        char error[OJIN_MOCK_ERROR_MAX])
{
    char why[SCRIPT_ERROR_MAX];
    if (asked->script == NULL)
        return true;
    if (asked->fault != NULL) {
        snprintf(error, OJIN_MOCK_ERROR_MAX, "a script says what sessions do: it goes with no fault");
        return false;
    }
    setup->script = script_parse_steps("script", bytes_of_text(asked->script), false, setup->class, why);
    if (setup->script == NULL)
        snprintf(error, OJIN_MOCK_ERROR_MAX, "%s", why);
    return setup->script != NULL;
}

static bool pictures_read(struct setup *setup, const struct ojin_mock_options *asked,
                          char error[OJIN_MOCK_ERROR_MAX])
{
    const struct family *family = setup->class->family;
    char why[PERSONA_ERROR_MAX];
    if (family->picture_width == 0)
        return true;
    const bool given = asked->width != 0 || asked->height != 0;
    setup->persona = persona_new(given ? asked->width : family->picture_width,
                                 given ? asked->height : family->picture_height, why);
    if (setup->persona == NULL)
        snprintf(error, OJIN_MOCK_ERROR_MAX, "%s", why);
    return setup->persona != NULL;
}

bool setup_read(struct setup *setup, const struct ojin_mock_options *asked, char error[OJIN_MOCK_ERROR_MAX])
{
    behaviour_init(&setup->behaviour);
    if (!class_read(setup, asked, error) || !behaviour_read(setup, asked, error) ||
        !script_read(setup, asked, error) || !pictures_read(setup, asked, error))
        return false;
    if (asked->key != NULL && !setup->class->has_tokens)
        setup->key = strdup(asked->key);
    if (asked->config != NULL)
        setup->config = strdup(asked->config);
    const bool kept = (asked->key == NULL || setup->class->has_tokens || setup->key != NULL) &&
                      (asked->config == NULL || setup->config != NULL);
    if (!kept)
        snprintf(error, OJIN_MOCK_ERROR_MAX, "there is not enough memory");
    return kept;
}

void setup_free(struct setup *setup)
{
    behaviour_free(&setup->behaviour);
    if (setup->script != NULL)
        script_free(setup->script);
    if (setup->persona != NULL)
        persona_free(setup->persona);
    free(setup->key);
    free(setup->config);
}

struct mock_server_options setup_server(struct setup *setup, const struct ojin_mock_options *asked)
{
    const struct engine_config engine = {.session_class = setup->class,
                                         .session = {.profile = setup->profile,
                                                     .key = setup->key,
                                                     .config_id = setup->config,
                                                     .rooms = &setup->rooms,
                                                     .seed = asked->seed == 0 ? SEED : asked->seed,
                                                     .persona = setup->persona,
                                                     .quirks = setup->behaviour.quirks},
                                         .script = setup->script};
    const struct recorder_config recorder = {
        .rules = {.profile = setup->profile, .key = bytes_of_text(setup->key == NULL ? "" : setup->key)},
        .session_class = setup->class,
        .without_checksums = true};
    return (struct mock_server_options){.port = asked->port,
                                        .path = setup->class->family->path,
                                        .engine = engine,
                                        .recorder = recorder,
                                        .script_again = true};
}
