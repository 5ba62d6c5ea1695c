/* The rules for servers find what each quirk of the last group breaks, and nothing in the service without
 * one. */
#include "codec/tests/suite.h"
#include "server/duplex/tests/talk.h"

enum tail { TAIL_CLOSE, TAIL_TEXT, TAIL_LONG, TAIL_FULL, TAIL_SLICES, TAIL_BURST, TAIL_COUNT };

/* Something of everything: too early, unknown, slices, a turn that is stopped, one that is not, a rest. */
static void live(struct talk *talk, const char *quirks, enum tail tail)
{
    talk_new(talk, "video", quirks, NULL);
    talk->slices = tail == TAIL_SLICES ? 4 : 0;
    talk_request(talk, TALK_HEAD("?mode=video"));
    talk_run(talk, 0);
    talk_append(talk, (struct talk_append){.samples = 0});
    talk_wait(talk, TALK_SECOND_US / 10);
    talk_update(talk);
    talk_wait(talk, TALK_SECOND_US / 10);
    talk_seconds(talk, 3, TALK_SILENCE);
    talk_text(talk, "{\"type\":\"no.such.event\"}");
    talk_seconds(talk, 2, TALK_SILENCE);
    for (size_t i = 0; i < 2; i++) {
        talk_append(talk, (struct talk_append){.slices = 4});
        talk_wait(talk, TALK_SECOND_US);
        talk_seconds(talk, 2, TALK_SILENCE);
    }
    talk_seconds(talk, 1, TALK_SPEECH);
    talk_seconds(talk, 2, TALK_SILENCE);
    talk_append(talk, (struct talk_append){.force = true});
    talk_wait(talk, TALK_SECOND_US);
    talk_seconds(talk, 4, TALK_SILENCE);
    talk_seconds(talk, 1, TALK_SPEECH);
    talk_seconds(talk, 9, TALK_SILENCE);
    talk_wait(talk, 6 * TALK_SECOND_US);
    talk_seconds(talk, 2, TALK_SILENCE);
    if (tail == TAIL_FULL)
        talk_seconds(talk, 100, TALK_SILENCE);
    for (size_t i = 0; tail == TAIL_BURST && i < 10; i++)
        talk_append(talk, (struct talk_append){.slices = 1});
    if (tail == TAIL_LONG)
        talk_wait(talk, 300 * TALK_SECOND_US);
    if (tail == TAIL_TEXT)
        talk_text(talk, "hello");
    if (tail == TAIL_CLOSE)
        talk_close(talk);
    talk_wait(talk, 6 * TALK_SECOND_US);
    talk_finish(talk);
}

static const struct {
    const char *quirks;
    const char *requirement;
    enum tail tail;
} BREACHES[] = {
    {"no-queue-done", "DX-SRV-01", TAIL_CLOSE},
    {"bad-session-id", "DX-SRV-02", TAIL_CLOSE},
    {"any-phase", "DX-SRV-03", TAIL_CLOSE},
    {"lenient", "DX-SRV-04", TAIL_CLOSE},
    {"ignores-unknown", "DX-SRV-04", TAIL_CLOSE},
    {"any-text", "DX-SRV-05", TAIL_TEXT},
    {"no-worker=worker_busy stays-open", "DX-SRV-06", TAIL_CLOSE},
    {"uneven", "DX-SRV-07", TAIL_CLOSE},
    {"text-late", "DX-SRV-08", TAIL_CLOSE},
    {"endless-context", "DX-SRV-09", TAIL_FULL},
    {"endless", "DX-SRV-10", TAIL_LONG},
    {"force-ignored turn-length=10s", "DX-SRV-11", TAIL_CLOSE},
    {"fast-errors", "DX-SRV-12", TAIL_BURST},
    {"no-closed", "DX-SRV-13", TAIL_CLOSE},
    {"slices-free", "DX-SRV-14", TAIL_SLICES},
    {"impatient=3s", "DX-SRV-16", TAIL_CLOSE},
    {"flat-errors", "DX-SRV-17", TAIL_CLOSE},
    {"no-cache-length", "DX-SRV-18", TAIL_CLOSE},
    {"inference-fatal", "DX-SRV-19", TAIL_CLOSE},
    {"slices-stick", "DX-SRV-20", TAIL_CLOSE},
};

START_TEST(a_breach_is_found)
{
    struct talk talk;
    live(&talk, BREACHES[_i].quirks, BREACHES[_i].tail);
    ck_assert_msg(talk_verdict(&talk, BREACHES[_i].requirement) == RULE_BROKEN, "%s: %s is %d",
                  BREACHES[_i].quirks, BREACHES[_i].requirement,
                  (int)talk_verdict(&talk, BREACHES[_i].requirement));
    talk_free(&talk);
}
END_TEST

START_TEST(without_a_quirk_there_is_none)
{
    struct talk talk;
    live(&talk, "", (enum tail)_i);
    talk_check_sound(&talk);
    talk_free(&talk);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("breaches");
    tcase_set_timeout(tcase, 100);
    tcase_add_loop_test(tcase, without_a_quirk_there_is_none, 0, TAIL_COUNT);
    tcase_add_loop_test(tcase, a_breach_is_found, 0, TABLE_COUNT(BREACHES));
    return suite_run("duplex breaches", tcase);
}
