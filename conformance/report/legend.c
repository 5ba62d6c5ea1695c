#include "conformance/report/legend.h"

static const struct legend_word LEGEND[] = {
    {"PASS",
     "all checks that the client's tier and reports allow were judged and kept; in part: other checks need "
     "more of the client",
     "32"},
    {"PARTIAL", "some checks were judged and kept, the others were not judged", "33"},
    {"FAIL", "a MUST is broken", "31"},
    {"DISPUTED", "a MUST that the documents only imply is broken; it fails the run with --inferred", "33"},
    {"WARN", "a SHOULD is broken; it fails the run with --strict", "33"},
    {"INFO", "a remark, which never fails a run", "36"},
    {"NOTREACHED",
     "what a check waits for never came; a MUST that was not reached fails the run, unless its cause does",
     "33"},
    {"INCONCLUSIVE", "this machine was too late to tell", "33"},
    {"UNSUPPORTED", "beyond what the client does or reports", "2"},
    {"CRASH", "the client ended by a signal, a sanitizer report or an exception", "31"},
    {"TIMEOUT", "the client was still running past the limit of the case", "31"},
    {"NOCONNECT", "the client never connected", "31"},
    {"BROKEN", "the adapter says that it is broken (exit 99)", "35"},
    {"NOTSTARTED", "the client could not be started (exit 126 or 127)", "35"},
    {"XFAIL", "it fails, as the baseline says", "2"},
    {"XPASS", "it passes, though the baseline says that it fails; that fails the run", "31"},
    {"NEW", "it fails in a case, or of a requirement, that is newer than the suite asked for", "33"},
    {"FLAKY", "it failed, and passed in a later try", "33"},
    {"ERROR", "an error that is not of the party judged", "35"},
    {"SKIPPED", "the case was not run", "2"},
    {"NOCASE", "no case of this run is about it", ""},
};

const struct legend_word *legend_word(size_t n)
{
    return n < sizeof LEGEND / sizeof LEGEND[0] ? &LEGEND[n] : NULL;
}
