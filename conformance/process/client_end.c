#define _GNU_SOURCE /* sigabbrev_np */
#include "conformance/process/client_end.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "codec/wire/text.h"

enum {
    EXIT_ERROR = 1,
    EXIT_DECLINES = 77,
    EXIT_BROKEN = 99,
    EXIT_NOT_EXECUTABLE = 126,
    EXIT_NOT_FOUND = 127,
    EXIT_SIGNALS = 128 /* and more: a shell's word for a signal */
};

/* -1 is 255: an end of its own, and no signal. */
static bool is_word_for_signal(int code)
{
    return code > EXIT_SIGNALS && sigabbrev_np(code - EXIT_SIGNALS) != NULL;
}

static const char *signal_name(int number)
{
    const char *name = sigabbrev_np(number);
    return name == NULL ? "?" : name;
}

/* Of a client that ended by itself, by its exit. */
static enum client_end end_of_exit(int code, char text[JUDGE_TEXT_MAX])
{
    if (code == EXIT_DECLINES)
        return CLIENT_DECLINED;
    if (code == EXIT_BROKEN || code == EXIT_NOT_EXECUTABLE || code == EXIT_NOT_FOUND) {
        snprintf(text, JUDGE_TEXT_MAX, "exit %d", code);
        return code == EXIT_BROKEN ? CLIENT_BROKEN : CLIENT_NOT_STARTED;
    }
    if (is_word_for_signal(code)) {
        snprintf(text, JUDGE_TEXT_MAX, "exit %d, as a shell says of a program killed by SIG%s", code,
                 signal_name(code - EXIT_SIGNALS));
        return CLIENT_CRASHED;
    }
    /* Any other counts as 1 does. */
    if (code > EXIT_ERROR)
        snprintf(text, JUDGE_TEXT_MAX, "exit %d, taken for %d: an error that it reported", code, EXIT_ERROR);
    return CLIENT_ENDED;
}

static enum client_end end_by_us(const struct client_facts *facts, char text[JUDGE_TEXT_MAX])
{
    if (facts->stopped_by != 0) {
        snprintf(text, JUDGE_TEXT_MAX, "still running %llu s after SIG%s (--stop)",
                 (unsigned long long)facts->end_wait_ms / 1000, signal_name(facts->stopped_by));
        return CLIENT_TIMED_OUT;
    }
    if (facts->script_over)
        snprintf(text, JUDGE_TEXT_MAX, "still running %llu s after the session was over",
                 (unsigned long long)facts->end_wait_ms / 1000);
    else
        snprintf(text, JUDGE_TEXT_MAX, "still running past the limit of the case, %llu s",
                 (unsigned long long)facts->limit_ms / 1000);
    return CLIENT_TIMED_OUT;
}

/* What ended the process with exit `code`, when that is an exception; NULL when it is not. */
static const char *fatal_exception(const struct client_facts *facts, int code, char remark[JUDGE_TEXT_MAX])
{
    const char *last = code == 0 ? NULL : crash_marks_last(facts->marks);
    const char *part = crash_marks_part(facts->marks);
    if (last != NULL && facts->has_reported) {
        if (facts->excuse == NULL)
            snprintf(remark, JUDGE_TEXT_MAX, "after it had reported an error it ended with exit %d: %s", code,
                     last);
        return NULL;
    }
    if (last != NULL && facts->excuse != NULL && !facts->can_report) {
        snprintf(remark, JUDGE_TEXT_MAX, "%s, it ended with exit %d: %s", facts->excuse, code, last);
        return NULL;
    }
    if (last == NULL && part != NULL)
        snprintf(remark, JUDGE_TEXT_MAX, "in a thread or a task, and the process went on: %s", part);
    return last;
}

/* The class is what stands before the message: "KeyError" of "uncaught exception: KeyError: 'x'". */
static struct bytes class_of(const char *sentence)
{
    const char *class = strstr(sentence, ": ") == NULL ? sentence : strstr(sentence, ": ") + 2;
    const char *end = strstr(class, ": ");
    return bytes_of(class, end == NULL ? strlen(class) : (size_t)(end - class));
}

/* Rust and Ruby write the place into the class. */
static void raised_write(struct bytes class, const char *place, char out[JUDGE_RAISED_MAX])
{
    struct text text = text_of(out, JUDGE_RAISED_MAX);
    if (place == NULL)
        return;
    text_add_bytes(&text, class);
    if (strstr(out, place) != NULL)
        text = text_of(out, JUDGE_RAISED_MAX);
    else
        text_add(&text, " at ");
    text_add(&text, place);
}

static void crash_write(const char *sentence, const char *place, struct client_end_words *words)
{
    if (place == NULL || strstr(sentence, place) != NULL)
        snprintf(words->text, sizeof words->text, "%s", sentence);
    else
        snprintf(words->text, sizeof words->text, "%s (%s)", sentence, place);
}

enum client_end client_end_of(const struct client_facts *facts, struct client_end_words *words)
{
    char *text = words->text;
    *words = (struct client_end_words){.text = ""};
    if (facts->exec_errno != 0) {
        snprintf(text, JUDGE_TEXT_MAX, "cannot start %s: %s", facts->program, strerror(facts->exec_errno));
        return CLIENT_NOT_STARTED;
    }
    const bool killed =
        facts->ended && WIFSIGNALED(facts->wait_status) && WTERMSIG(facts->wait_status) != facts->stopped_by;
    const int code = facts->ended && WIFEXITED(facts->wait_status) ? WEXITSTATUS(facts->wait_status) : 0;
    /* What it was told to end by is nothing that it did wrong, nor what it says of it. */
    const bool obeyed = facts->ended && facts->stopped_by != 0 && !killed &&
                        (code <= 1 || code == EXIT_SIGNALS + facts->stopped_by);
    const bool says_why = obeyed || code == EXIT_DECLINES || code == EXIT_BROKEN;
    const char *report = crash_marks_report(facts->marks);
    if (report != NULL) {
        const char *place = crash_marks_report_place(facts->marks);
        const char *kind = crash_marks_report_kind(facts->marks);
        crash_write(report, place, words);
        raised_write(bytes_of(kind, strlen(kind)), place, words->raised);
        return CLIENT_CRASHED;
    }
    /* a runtime may say why, and abort */
    report =
        killed ? crash_marks_last(facts->marks) : fatal_exception(facts, says_why ? 0 : code, words->remark);
    if (report != NULL) {
        crash_write(report, crash_marks_place(facts->marks), words);
        raised_write(class_of(report), crash_marks_place(facts->marks), words->raised);
        return CLIENT_CRASHED;
    }
    if (killed) {
        snprintf(text, JUDGE_TEXT_MAX, "killed by SIG%s", signal_name(WTERMSIG(facts->wait_status)));
        return CLIENT_CRASHED;
    }
    const enum client_end end = obeyed ? CLIENT_ENDED : end_of_exit(code, text);
    if (end != CLIENT_ENDED)
        return end;
    if (!facts->connected && !(facts->attached && facts->ended)) {
        snprintf(text, JUDGE_TEXT_MAX,
                 facts->ended ? "ended with exit %d and never connected" : "never connected", code);
        return CLIENT_NEVER_CAME;
    }
    return facts->ended ? CLIENT_ENDED : end_by_us(facts, text);
}
