#include "server/mock/tapless.h"

#include <stdio.h>

#include "server/script/tap_needs.h"

bool options_are_tapless(const struct mock_options *options)
{
    return options->no_tap && !options->tls.on; /* it is the tap that speaks TLS */
}

static bool complain(char error[TAPLESS_ERROR_MAX], const char *kind, const char *name, const char *what)
{
    snprintf(error, TAPLESS_ERROR_MAX,
             "%s %.100s cannot be had with --no-tap, as it needs \"%s\": leave one of them out", kind, name,
             what);
    return false;
}

/* The card that --config names is asked for by the command of exec. */
static bool card_allows(const struct mock_options *options, const struct session_class *class,
                        char error[TAPLESS_ERROR_MAX])
{
    char sentence[BEHAVIOUR_ERROR_MAX];
    struct behaviour behaviour;
    if (options->config_id == NULL || !card_is(bytes_of_text(options->config_id)))
        return true;
    behaviour_init(&behaviour);
    const char *what = card_add(&behaviour, class, bytes_of_text(options->config_id), sentence)
                           ? behaviour_needs_tap(&behaviour, class)
                           : NULL;
    behaviour_free(&behaviour);
    return what == NULL || complain(error, "card", options->config_id, what);
}

static bool family_allows(const struct mock_options *options, const struct family_behaviour *family,
                          char error[TAPLESS_ERROR_MAX])
{
    const struct behaviour *behaviour = &family->behaviour;
    const char *what = quirks_need_tap(family->class->quirks, &behaviour->quirks);
    if (what != NULL) {
        snprintf(error, TAPLESS_ERROR_MAX, "quirk %s cannot be had with --no-tap: leave one of them out",
                 what);
        return false;
    }
    if ((what = behaviour_needs_tap(behaviour, family->class)) != NULL)
        return complain(error, "fault", behaviour->fault == NULL ? "" : behaviour->fault->name, what);
    return card_allows(options, family->class, error);
}

bool tapless_allows(const struct mock_options *options, const struct script *script,
                    char error[TAPLESS_ERROR_MAX])
{
    const char *what;
    unsigned line;
    if (!options_are_tapless(options))
        return true;
    for (size_t i = 0; i < options->family_count; i++)
        if (!family_allows(options, &options->families[i], error))
            return false;
    if (script == NULL || (what = script_needs_tap(script, script->class->quirks, &line)) == NULL)
        return true;
    snprintf(error, TAPLESS_ERROR_MAX, "%.150s:%u: \"%s\" cannot be had with --no-tap: leave that option out",
             script->path, line, what);
    return false;
}
