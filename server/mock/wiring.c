/* What the server is made with, and what the program does when it tells something. */
#include "server/mock/heap.h"
#include "server/mock/program.h"

enum { MICROSECONDS = 1000000 };

/* ---- what the server tells ---- */

static void on_entry(void *context, const struct journal_entry *entry)
{
    struct program *program = context;
    if (entry->kind == JOURNAL_FINDING && !entry->finding.note)
        program->findings++;
    console_entry(&program->console, entry);
    char sentence[ANSWERED_SENTENCE_MAX];
    if (answered_entry(&program->answered, entry, sentence)) {
        program->findings++;
        console_answered(&program->console, entry, sentence);
    }
    live_journal_entry(&program->journal, entry);
}

static void on_log(void *context, const char *line)
{
    struct program *program = context;
    console_info(&program->console, line);
}

static void on_crowd_left(void *context)
{
    (void)context;
    heap_give_back();
}

static void on_script_done(void *context, uint64_t now_us)
{
    struct program *program = context;
    (void)now_us;
    console_info(&program->console, "script done");
}

/* What clients of that family ask for. */
static struct choice *choice_of(struct program *program, const struct engine_config *config)
{
    size_t i = 0;
    while (i + 1 < program->options.family_count &&
           program->options.families[i].class != config->session_class)
        i++;
    return &program->choices[i];
}

static void on_choose(void *context, const struct http_head *head, struct engine_config *config)
{
    choice_apply(choice_of(context, config), head, config);
}

void program_on_card(void *context, const struct http_head *head, struct engine_config *config)
{
    choice_card(choice_of(context, config), head, config);
}

void program_on_choice(void *context, const char *line, bool wrong)
{
    const struct program *program = context;
    if (wrong)
        console_warn(&program->console, line);
    else
        console_info(&program->console, line);
}

void program_lines_dropped(void *context, uint64_t *log, uint64_t *journal)
{
    const struct program *program = context;
    *log = program->console.output == NULL ? 0 : output_dropped(program->console.output);
    *journal = live_journal_dropped(&program->journal);
}

/* ---- what it is made with ---- */

/* The certificate is good for the address as well, and for every name that was allowed. */
static struct tls_options tls_wanted(const struct mock_options *options)
{
    struct tls_options tls = options->tls;
    tls.hosts = options->hosts;
    tls.host_count = options->host_count;
    return tls;
}

size_t program_main_family(const struct program *program)
{
    size_t i = 0;
    while (program->script != NULL && i + 1 < program->options.family_count &&
           program->options.families[i].class != program->script->class)
        i++;
    return program->script == NULL ? 0 : i;
}

static struct engine_config engine_wanted(struct program *program, size_t family)
{
    const struct mock_options *options = &program->options;
    const struct session_class *class = options->families[family].class;
    return (struct engine_config){
        .session_class = class,
        .session = {.profile = options->profiles[family],
                    .key = class->has_tokens ? NULL : options->key,
                    .config_id = options_config_of(options, class),
                    .token_secret = options->jwt_secret,
                    .candidate = options->candidate,
                    .rooms = &program->rooms,
                    .seed = options->seed,
                    .silence_percent = options->silence_percent,
                    .speech_percent = options->speech_percent,
                    .speed = options->speed,
                    .persona = program->persona,
                    .workers = options->workers == 0 ? NULL : &program->workers,
                    .quirks = options->families[family].behaviour.quirks},
        .script = program->script != NULL && program->script->class == class ? program->script : NULL};
}

static struct recorder_config recorder_wanted(struct program *program, size_t family)
{
    const struct mock_options *options = &program->options;
    const bool has_key = options->key != NULL && !options->families[family].class->has_tokens;
    return (struct recorder_config){.rules = {.profile = options->profiles[family],
                                              .key = bytes_of_text(has_key ? options->key : ""),
                                              /* Which id a client was told to bring is not known here. */
                                              .config = bytes_of(NULL, 0)},
                                    .session_class = options->families[family].class,
                                    .is_of_other = family != program_main_family(program),
                                    .without_checksums = options->journal_path == NULL,
                                    .sink = on_entry,
                                    .context = program};
}

struct mock_service_options program_service_options(struct program *program, size_t family)
{
    return (struct mock_service_options){.path = program->options.families[family].class->family->path,
                                         .beside = true,
                                         .engine = engine_wanted(program, family),
                                         .recorder = recorder_wanted(program, family),
                                         .choose = on_choose,
                                         .script_done = on_script_done,
                                         .script_again = true,
                                         .context = program};
}

struct mock_server_options program_server_options(struct program *program)
{
    const struct mock_options *options = &program->options;
    const struct mock_service_options first = program_service_options(program, 0);
    return (struct mock_server_options){
        .address = options->address,
        .port = options->port,
        .path = first.path,
        .engine = first.engine,
        .recorder = first.recorder,
        .choose = first.choose,
        .script_done = first.script_done,
        .script_again = first.script_again,
        .tls = tls_wanted(options),
        .ping_interval_us = (uint64_t)options->ping_s * MICROSECONDS,
        .ping_timeout_us = (uint64_t)options->ping_timeout_s * MICROSECONDS,
        .sessions_max = options->sessions_max,
        .log = on_log,
        .crowd_left = on_crowd_left,
        .context = program,
    };
}
