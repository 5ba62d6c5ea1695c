#!/usr/bin/python3
"""ojin-conform server --family duplex: every requirement passes against the mock in both modes, and fails, alone, against one
that breaks it."""
import concurrent.futures
import json
import re
import urllib.request

from runner_case import BIN
from server_case import DUPLEX_GROUPS, PROVOKE, ServerCase, run_side_by_side, server_rows

# Documented limits of minutes are seconds then; the pace is what it is.
SPEED = ("--speed", "20")
# A case of each kind: what one does not show of a breach the others of its kind do not either.
CASES = """queue/at-once phase/append-before-update error/unknown-event error/missing-audio error/picture-cut
    error/too-few-samples error/slices-ten update/missing-instructions json/text listen/to-silence turn/whole force/in-speech
    pace/burst pace/pause context/full context/slices context/slices-for-one end/stopped end/no-reason""".split()
# What is judged of them; 10 and 15 by sessions that last, 06 and 19 under conditions.
JUDGED = "01 02 03 04 05 07 08 09 11 12 13 14 16 17 18 20"
# A server may drop what comes too fast, or not: what it does wrong there is told, and fails nobody.
TOLD = ("fast-errors", "12")
# A quirk of the mock, the rows that fail, and those that cannot be reached for it.
BREACHES = [
    ("bad-session-id", "02", ""),
    ("any-phase", "03", ""),
    ("lenient", "04", ""),
    ("ignores-unknown", "04", ""),
    ("undecodable-closes", "04", ""),
    ("appends-fail", "04", ""),
    ("any-text", "05", ""),
    ("uneven", "07", ""),
    ("text-late", "08", ""),
    ("endless-context", "09", ""),
    ("force-ignored", "11", ""),
    ("no-closed", "13", ""),
    # The session's time is over before pictures that cost little fill the context, and what one append asks for cannot show.
    ("slices-free", "14", "09 20"),
    ("impatient", "16", ""),
    ("flat-errors", "17", "03 04"),  # what rests on the code of errors
    ("no-cache-length", "18", "07 08 09 14 20"),  # what rests on deltas and listens
    ("slices-stick", "20", ""),
]
# Those that take cases of their own: a quirk, what is run, whether conditions are brought about, the rows, those not reached.
APART = [
    ("no-queue-done", ["--run", "duplex/queue/at-once"], False, "01", "02"),
    ("stays-open", ["--requirement", "DX-SRV-06"], True, "06", ""),
    ("endless", ["--run", "duplex/end/timeout", "--run", "duplex/end/timeout-of-audio"], False, "10 15", ""),
    ("limit-from-queue-done", ["--run", "duplex/end/timeout-after-queue"], True, "10", ""),
    ("inference-fatal", ["--run", "duplex/error/inference"], True, "19", ""),
]
AT_A_TIME = 4


def ids(numbers):
    return {f"DX-SRV-{number}" for number in numbers.split()}


def both_modes():
    return set().union(*(server_rows(mode) for mode in DUPLEX_GROUPS))


class Duplex(ServerCase):
    def judge_duplex(self, ready, *options, name="report", query=""):
        words = ["--family", "duplex", *SPEED, "--inferred", "--strict", *options]
        return self.judge(ready["urls"]["duplex"] + query, *words, name=name, size=None)

    def rows_with(self, report, verdict):
        return {row for row, found in self.verdicts(report).items() if found == verdict}

    def alone_if_otherwise(self, broken, done, report, run):
        """The result of a run beside others, or of one alone: the machine may have been busy, and what it left open is skipped."""
        first = [(done, report)]
        result = self.until(lambda result: self.rows_with(result[-1], "FAIL") == ids(broken), lambda _: first.pop() if first else run())
        self.skip_if_open(result[-1], ids(broken))
        return result

    def modes(self, report):
        return {case["profile"] for case in report["cases"]}


class EveryRow(Duplex):
    def test_passes_in_both_modes(self):
        ready = self.start_mock(*SPEED)
        done, report = self.judge_duplex(ready, "--provoke", PROVOKE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.verdicts(report), {row: "PASS" for row in both_modes()}, done.stdout)
        self.assertEqual(report["uncovered"], [])
        self.assertEqual(report["profiles"], list(DUPLEX_GROUPS))
        self.assertEqual(self.modes(report), set(DUPLEX_GROUPS))
        self.assertRegex(report["profile_note"], "^video and audio, ")
        self.assertEqual(self.notes(report), {})
        self.assert_last_line(done, len(report["cases"]), 0)
        url = ready["control"] + "quirks"
        with urllib.request.urlopen(url) as answer:
            self.assertNotRegex(json.dumps(json.load(answer)), r'"\w[\w-]*": [1-9]', "the mock is put back")

    def test_a_mode_is_chosen_by_the_profile_or_the_url(self):
        ready = self.start_mock(*SPEED)
        run = ("--run", "duplex/end/no-reason", "--run", "duplex/error/picture-cut")
        for options, query, mode in (
            (("--profile", "audio"), "", "audio"),
            ((), "?mode=audio", "audio"),
            ((), "?mode=video", "video"),
            (("--profile", "video"), "?mode=audio", "video"),
        ):
            with self.subTest(options=options, query=query):
                name = f"{mode}-{len(options)}-{len(query)}"
                done, report = self.judge_duplex(ready, *run, *options, name=name, query=query)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(report["profiles"], [mode])
                self.assertEqual(self.modes(report), {mode})
                self.assertEqual(len(report["cases"]), 2 if mode == "video" else 1)

    def test_without_provoke_what_needs_a_condition_is_unsupported(self):
        ready = self.start_mock(*SPEED)
        done, report = self.judge_duplex(ready, "--requirement", "DX-SRV-06", "--requirement", "DX-SRV-19")
        self.assertEqual(self.rows_with(report, "UNSUPPORTED"), ids("06 19") | ids("17"), done.stdout)
        self.assertIn("--provoke", done.stdout)

    def test_the_limit_is_held_against_the_speed_that_is_told(self):
        ready = self.start_mock("--speed", "100")
        run = lambda: self.judge_duplex(ready, "--run", "duplex/end/timeout")
        done, report = self.alone_if_otherwise("10", *run(), run)
        self.assertEqual(self.rows_with(report, "FAIL"), ids("10"), done.stdout)
        self.assertRegex(done.stdout, r"it came after (?:2[89]|3\d)\d\d ms")

    def test_the_line_that_repeats_a_case_says_family_mode_and_speed(self):
        ready = self.start_mock("--speed", "20", "--quirk", "bad-session-id")
        done, _ = self.judge_duplex(ready, "--run", "duplex/end/no-reason")
        again = re.search(r"(?m)^    rerun: (.*)$", done.stdout)[1]
        for words in ("--family duplex", "--profile video", "--speed 20", "--run duplex/end/no-reason"):
            self.assertIn(words, again)

    def test_who_has_no_worker_for_the_probe_is_told(self):
        ready = self.start_mock("--quirk", "no-worker=queue_full")
        done, report = self.judge_duplex(ready)
        self.assertEqual((done.returncode, report), (3, None), done.stdout)
        self.assertIn("queue_full", done.stderr)
        self.assertIn("nothing to serve with", done.stderr)


    def test_a_server_of_the_later_version_is_judged_by_the_same_cases(self):
        ready = self.start_mock(*SPEED, "--family", "duplex", "--profile", "duplex-later")
        run = [word for case in ("turn/whole", "update/*", "error/missing-*", "end/no-reason") for word in ("--run", f"duplex/{case}")]
        done, report = self.judge_duplex(ready, *run, "--profile", "duplex-later")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.modes(report), {"duplex-later"})

    def test_a_mistake_in_a_case_is_told(self):
        case = 'case a/b\nclause DX-SRV-01 MUST\nclient {\n  begin\n  %s\n}\n'
        for step, said in (
            ("recv ready", "5:8: expected one of open, refusal, "),
            ("recv delta code=stopped", "code= and unless= only with a message that has one"),
            ("recv error code=QUEUE_FULL", "error codes with commas"),
            ("recv closed within=1s due=2s", "either within= or due="),
            ("send speech", "a kind of message: update, append, close, text, binary, ping"),
            ("send append every=never", "a duration"),
            ("send binary", "hex=… in a send binary step"),
            ('connect header="none"', 'a header line "Name: value"'),
        ):
            with self.subTest(step):
                done = self.conform("check", self.write("wrong.session", case.replace("a/b", "duplex/a/b") % step))
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(said, done.stdout + done.stderr)


class Breaches(Duplex):
    def breach(self, number):
        ready = self.start_mock(*SPEED, "--quirk", BREACHES[number][0])
        run = [word for case in CASES for word in ("--run", f"duplex/{case}")]
        return self.judge_duplex(ready, *run, name=f"breach-{number}")

    def test_each_row_fails_where_it_is_broken_and_no_other(self):
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            results = list(pool.map(self.breach, range(len(BREACHES))))
        for number, (done, report) in enumerate(results):
            quirk, broken, unreached = BREACHES[number]
            with self.subTest(quirk=quirk):
                done, report = self.alone_if_otherwise(broken, done, report, lambda number=number: self.breach(number))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertEqual(self.rows_with(report, "FAIL"), ids(broken), done.stdout)
                self.assertEqual(self.rows_with(report, "NOTREACHED"), ids(unreached), done.stdout)
                kept = self.rows_with(report, "PASS") | self.rows_with(report, "PARTIAL")  # a broken case does not come to all of it
                passed = kept - ids("10")  # sessions may last their time by the way
                self.assertEqual(passed, ids(JUDGED) - ids(broken) - ids(unreached), done.stdout)

    def apart(self, number):
        quirk, run, conditions, _, _ = APART[number]
        ready = self.start_mock(*SPEED, "--quirk", quirk)
        return self.judge_duplex(ready, *run, *(("--provoke", PROVOKE) if conditions else ()), name=f"apart-{number}")

    def test_the_rows_that_take_cases_of_their_own_fail_too(self):
        with concurrent.futures.ThreadPoolExecutor(len(APART)) as pool:
            for number, (done, report) in enumerate(pool.map(self.apart, range(len(APART)))):
                quirk, _, _, broken, unreached = APART[number]
                with self.subTest(quirk=quirk):
                    done, report = self.alone_if_otherwise(broken, done, report, lambda number=number: self.apart(number))
                    self.assertEqual(self.rows_with(report, "FAIL"), ids(broken), done.stdout)
                    self.assertEqual(self.rows_with(report, "NOTREACHED"), ids(unreached), done.stdout)

    def test_what_a_server_may_do_is_told_where_it_does_it_wrong(self):
        quirk, rows = TOLD
        ready = self.start_mock(*SPEED, "--quirk", quirk)
        done, report = self.judge_duplex(ready, "--run", "duplex/pace/burst")
        self.assertEqual((done.returncode, self.rows_with(report, "INFO")), (0, ids(rows)), done.stdout)
        self.assertIn("invalid_payload", done.stdout)

    def test_every_row_is_among_them(self):
        tables = [row[1] for row in BREACHES] + [row[3] for row in APART] + [TOLD[1]]
        self.assertEqual(set().union(*map(ids, tables)), both_modes())

    def test_every_breach_that_the_mock_lists_is_among_them(self):
        listed = self.run_program(BIN / "ojin-mock", "--list", "quirks").stdout
        found = set(re.findall(r"(?m)^([a-z-]+)\S* .*\(breaks DX-SRV", listed))
        self.assertEqual(found - {row[0] for row in BREACHES} - {row[0] for row in APART}, {TOLD[0]})
        self.assertGreater(len(found), 15, listed)


if __name__ == "__main__":
    run_side_by_side()
