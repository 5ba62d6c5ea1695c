/* What the server is made with, and what the program does when it tells something. */
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

static void on_script_done(void *context, uint64_t now_us)
{
    struct program *program = context;
    (void)now_us;
    console_info(&program->console, "script done");
}

static void on_choose(void *context, const struct http_head *head, struct engine_config *config)
{
    struct program *program = context;
    choice_apply(&program->choice, head, config);
}

void program_on_card(void *context, const struct http_head *head, struct engine_config *config)
{
    struct program *program = context;
    choice_card(&program->choice, head, config);
}

void program_on_choice(void *context, const char *line, bool wrong)
{
    const struct program *program = context;
    if (wrong)
        console_warn(&program->console, line);
    else
        console_info(&program->console, line);
}

/* ---- what it is made with ---- */

/* The certificate is good for the address as well, and for every name that was allowed. */
/* TLS is spoken by the tap. */
static bool is_tapless(const struct mock_options *options)
{
    return options->no_tap && !options->tls.on;
}

static struct tls_options tls_wanted(const struct mock_options *options)
{
    struct tls_options tls = options->tls;
    tls.hosts = options->hosts;
    tls.host_count = options->host_count;
    return tls;
}

struct mock_server_options program_server_options(struct program *program)
{
    const struct mock_options *options = &program->options;
    const struct session_class *class = program->options.class;
    return (struct mock_server_options){
        .address = options->address,
        .port = options->port,
        .path = program->family->path,
        .engine = {.session_class = class,
                   .session = {.profile = options->profile,
                               .key = options->key,
                               .config_id = options->config_id,
                               .seed = options->seed,
                               .silence_percent = options->silence_percent,
                               .speech_percent = options->speech_percent,
                               .speed = options->speed,
                               .persona = program->persona,
                               .workers = options->workers == 0 ? NULL : &program->workers,
                               .pose_by_time = is_tapless(options),
                               .quirks = options->behaviour.quirks},
                   .script = program->script},
        .recorder = {.rules = {.profile = options->profile,
                               .key = bytes_of_text(options->key == NULL ? "" : options->key),
                               /* Which id a client was told to bring is not known here. */
                               .config = bytes_of(NULL, 0)},
                     .session_class = class,
                     .without_checksums = options->journal_path == NULL,
                     .counts_silence = is_tapless(options) && options->journal_path == NULL,
                     .sink = on_entry,
                     .context = program},
        .choose = on_choose,
        .script_done = on_script_done,
        .script_again = true,
        .no_tap = options->no_tap,
        .tls = tls_wanted(options),
        .ping_interval_us = (uint64_t)options->ping_s * MICROSECONDS,
        .ping_timeout_us = (uint64_t)options->ping_timeout_s * MICROSECONDS,
        .sessions_max = options->sessions_max,
        .log = on_log,
        .context = program,
    };
}
