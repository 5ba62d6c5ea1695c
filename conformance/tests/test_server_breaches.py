#!/usr/bin/python3
"""Each requirement of servers fails against a mock that breaks it, and with it what is declared here and nothing else: all
cases are played against each such mock, but for those about conditions."""
import concurrent.futures

from runner_case import BIN
from server_case import GROUPS, QUICK, ServerCase, run_side_by_side, server_rows

# A quirk of the mock, a profile that has what it breaks, the rows that fail, and those that cannot be reached for it.
BREACHES = [
    ("bearer-keys", "oris-1.0", "01", ""),
    ("any-config", "flashhead-lite-1.0", "02", ""),
    ("ready-twice", "oris-1.0", "03", ""),
    ("wrong-start", "oris-1.0", "04", ""),
    ("wrong-start", "oris-1.0-earlier", "04", ""),
    ("slow-silence", "oris-1.0", "05", ""),
    ("loses-frames", "oris-1.0", "06", "20"),  # no utterance comes back whole
    ("wrong-size", "oris-1.0", "07", ""),
    ("no-final", "oris-1.0", "08", ""),
    ("cancel-ignored", "oris-1.0", "09", ""),
    ("rate-limit=100", "oris-1.0", "10", ""),
    ("size-limit=512000", "oris-1.0", "11", ""),
    ("lenient", "oris-1.0", "11 12 13", ""),
    ("bare-errors", "oris-1.0", "14", ""),
    ("session-clock", "oris-1.0", "15", ""),
    ("ignores-params", "oris-1.0", "16", ""),
    ("no-pong", "oris-1.0", "18", ""),
    ("frame-type-byte", "oris-1.0", "19", ""),
    ("little-endian", "oris-1.0", "19", "06 07 16 20"),  # what rests on the entries of frames
    ("running-index", "oris-1.0", "19", "05 06 09 11 15 16 20"),  # what rests on their index
    ("hoarse", "oris-1.0", "20", ""),
    ("forgetful", "oris-1.0-earlier", "22", ""),
]
AT_A_TIME = 8  # of those: a case mostly waits
AT_OWN_PACE = ("forgetful",)  # a turn that is over sooner has less to forget
# Judged under conditions that are brought about: test_server_conditions.py.
ELSEWHERE = {"OJ-SRV-17", "OJ-SRV-21"}
SKIP = ("--skip", "ojin/backend/*", "--skip", "ojin/connect/no-permission")

# Silence goes on, whatever comes.
DEAF = """\
case     a/deaf
server {
  accept
  send ready
  repeat 800 {
    send silence
    wait 38ms
  }
}
"""


def ids(numbers):
    return {f"OJ-SRV-{number}" for number in numbers.split()}


class Breaches(ServerCase):
    def breach(self, number):
        quirk, profile, _, _ = BREACHES[number]
        pace = () if quirk in AT_OWN_PACE else QUICK
        ready = self.start_mock("--profile", profile, "--quirk", quirk, *pace)
        return self.judge(ready["url"], "--inferred", "--strict", *SKIP, name=f"breach-{number}")

    def rows_with(self, report, verdict):
        return {row for row, found in self.verdicts(report).items() if found == verdict}

    def test_each_row_fails_where_it_is_broken_and_no_other(self):
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            results = list(pool.map(self.breach, range(len(BREACHES))))
        for number, (done, report) in enumerate(results):
            quirk, profile, broken, unreached = BREACHES[number]
            with self.subTest(quirk=quirk, profile=profile):
                if self.rows_with(report, "FAIL") != ids(broken):
                    # alone: the machine may have been busy
                    done, report = self.until_judged(lambda _, number=number: self.breach(number), ids(broken))
                self.skip_if_open(report, ids(broken))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                verdicts = self.verdicts(report)
                self.assertEqual(set(verdicts), server_rows(profile) - ELSEWHERE)
                self.assertEqual(self.rows_with(report, "FAIL"), ids(broken), done.stdout)
                self.assertEqual(self.rows_with(report, "NOTREACHED"), ids(unreached), done.stdout)
                self.assertEqual(set(verdicts.values()) - {"PASS", "PARTIAL", "FAIL", "NOTREACHED"}, set(), done.stdout)
                self.assert_told(done, report)

    def test_silence_is_too_slow_up_to_24_frames_a_second_and_not_faster_than_25_at_25(self):
        listed = self.run_program(BIN / "ojin-mock", "--list", "quirks").stdout
        self.assertIn("24 and fewer break OJ-SRV-05, 25 do not show that it is met", listed)
        for rate, verdict in ((24, "FAIL"), (25, "NOTREACHED"), (26, "PASS")):
            with self.subTest(rate=rate):
                ready = self.start_mock("--quirk", f"slow-silence={rate}")
                # A mock that was late sends faster for a while.
                done, report = self.until(lambda result: self.verdicts(result[-1])["OJ-SRV-05"] == verdict, lambda attempt: self.judge(
                    ready["url"], "--run", "ojin/stream/silence", name=f"silence-{rate}-{attempt}"))
                self.skip_if_open(report)
                self.assertEqual(self.verdicts(report)["OJ-SRV-05"], verdict, done.stdout)
                self.assertEqual(done.returncode, 0 if verdict == "PASS" else 1, done.stdout)

    def test_one_damaged_picture_in_a_case_about_pictures_is_told(self):
        for fault in ("damaged-jpeg=1", "png=1"):
            with self.subTest(fault=fault):
                ready = self.start_mock("--fault", fault)
                done, report = self.judge(ready["url"], "--run", "ojin/speech/whole", name=fault)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertEqual(self.rows_with(report, "FAIL"), {"OJ-SRV-07"}, done.stdout)

    def test_a_breach_of_rfc_6455_fails_the_case_that_it_comes_in(self):
        for fault, case, row, said in (
            ("masked-frame", "ojin/end/after-speech", "OJ-SRV-08", "5.1"),
            ("masked-frame", "ojin/speech/whole", "OJ-SRV-06", "5.1"),
            ("bad-utf8", "ojin/speech/whole", "OJ-SRV-06", "8.1"),
            ("stray-continuation", "ojin/speech/whole", "OJ-SRV-06", "5.4"),
        ):
            with self.subTest(fault=fault, case=case):
                ready = self.start_mock("--fault", fault)
                done, report = self.judge(ready["url"], "--run", case, name=f"{fault}-{case}".replace("/", "-"))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertEqual(report["summary"]["failed"], 1, done.stdout)
                checks = [check for check in report["cases"][0]["checks"] if check["name"] == "framing"]
                self.assertEqual([(check["requirement"], check["verdict"]) for check in checks], [(row, "FAIL")])
                self.assertRegex(checks[0]["actual"], f"RFC 6455: .*{said}")
                self.assertIn(checks[0]["actual"], done.stdout)

    def test_the_largest_message_has_not_passed_when_it_is_dropped_without_a_word(self):
        script = self.write("deaf.session", DEAF)
        ready = self.start_mock("--profile", "oris-1.0-earlier", "--script", script)
        profile = ("--profile", "oris-1.0-earlier")
        done, report = self.until_judged(lambda attempt: self.judge(
            ready["url"], *profile, "--inferred", "--run", "ojin/limits/size-passes", name=f"deaf-{attempt}"))
        self.skip_if_open(report)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(self.verdicts(report)["OJ-SRV-11"], "FAIL", done.stdout)

    def assert_told(self, done, report):
        for case in report["cases"]:
            for check in case["checks"]:
                if check["verdict"] != "PASS":
                    self.assertTrue(check["expected"] and check["actual"], check)
        self.assertRegex(done.stdout, "(?m)^    (on the wire|wire, last) ")

    def test_every_must_and_should_is_among_them(self):
        broken = set().union(*(ids(rows) for _, _, rows, _ in BREACHES))
        bound = set().union(*(server_rows(profile) for profile in GROUPS))
        self.assertEqual(broken | ELSEWHERE, bound)


if __name__ == "__main__":
    run_side_by_side()
