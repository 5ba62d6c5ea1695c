/* What clients ask for, and are told to, by the options. */
#include "server/mock/options.h"

const char *options_config_of(const struct mock_options *options, const struct session_class *class)
{
    return class->has_tokens ? options->interview : options->config_id;
}

const char *options_config_told(const struct mock_options *options, const struct session_class *class)
{
    const char *only = options_config_of(options, class);
    if (only != NULL)
        return only;
    return class->has_tokens ? MOCK_INTERVIEW : "mock";
}
