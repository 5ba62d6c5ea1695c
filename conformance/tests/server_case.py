"""What the tests of `ojin-conform server` share: a mock, a judged run, and what holds of every run."""

import concurrent.futures
import csv
import json
import os
import re
import signal
import subprocess
import sys
import unittest

import jsonschema
from runner_case import BIN, SOURCE, RunnerCase

KEY = "a-key-of-the-server-tests"
CONFIG = "persona-1"
SIZE = "320x192"
PROVOKE = SOURCE / "conformance/provoke-mock"
SCHEMA = json.loads((SOURCE / "conformance/report.schema.json").read_text())
GROUPS = {
    "oris-1.0": ("all", "both", "current", "oris-1.0"),
    "oris-1.0-earlier": ("all", "both", "earlier", "oris-1.0-earlier"),
    "flashhead-lite-1.0": ("all", "both", "current", "flashhead-lite-1.0"),
}
DUPLEX_GROUPS = {"video": ("all", "both", "video"), "audio": ("all", "both", "audio")}
INTERVIEW_GROUPS = {"interview-1.0": ("all", "documented"), "interview-deployed": ("all",)}
# A case mostly waits; speech in a quarter of its time is speech all the same.
QUICK = ("--speech-pace", "400")
JOBS = ("--jobs", "16")
TESTS_AT_A_TIME = 5


def each_test(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from each_test(test)
        else:
            yield test


def run_one(test):
    result = unittest.TestResult()
    test.run(result)
    return test, result


def run_side_by_side():
    """The tests of the file that was started, several at a time: each has a folder, mocks and ports of its own, and mostly
    waits."""
    tests = list(each_test(unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(TESTS_AT_A_TIME) as pool:
        for test, result in pool.map(run_one, tests):
            word = "skipped" if result.skipped else "ok" if result.wasSuccessful() else "FAILED"
            print(f"{test.id()} ... {word}", flush=True)
            failed += not result.wasSuccessful()
            for _, trace in result.failures + result.errors:
                print(trace, flush=True)
    print(f"{len(tests)} tests, {failed} failed")
    sys.exit(0 if tests and failed == 0 else 1)


GROUPS_OF = {"OJ-": GROUPS, "DX-": DUPLEX_GROUPS, "IV-": INTERVIEW_GROUPS}


def server_rows(profile):
    """Ids of the requirements that bind a server in that profile."""
    prefix, groups = next((prefix, of[profile]) for prefix, of in GROUPS_OF.items() if profile in of)
    with open(SOURCE / "codec/rules/requirements.tsv", newline="", encoding="utf-8") as table:
        rows = [row for row in csv.reader(table, delimiter="\t") if row and row[0].startswith(prefix)]
    return {row[0] for row in rows if row[1] == "server" and row[4] in groups}


class ServerCase(RunnerCase):
    def start_mock(self, *options):
        """A mock with one right key and one config; gives its ready line."""
        mock = subprocess.Popen(
            [BIN / "ojin-mock", "--port", "0", "--size", SIZE, "--log", "quiet", "--config", CONFIG, *options],
            env={**os.environ, "OJIN_MOCK_KEY": KEY},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.addCleanup(mock.stdout.close)
        self.addCleanup(mock.wait)
        self.addCleanup(mock.send_signal, signal.SIGTERM)
        return json.loads(mock.stdout.readline())

    def judge(self, url, *options, name="report", size=SIZE):
        """The finished process and its JSON report, which agree with each other."""
        path = self.folder / f"{name}.json"
        words = ["--url", url, "--key", KEY, "--config", CONFIG, "--json", path, *JOBS]
        words += ["--size", size] if size else []
        done = self.conform("server", *words, "--out", self.folder / f"out-{name}", "--verbose", *options)
        report = json.loads(path.read_text()) if path.exists() else None
        if report is not None:
            self.assert_agree(done, report)
        return done, report

    def assert_agree(self, done, report):
        """Terminal, JSON and exit status come of one table."""
        jsonschema.Draft202012Validator(SCHEMA).validate(report)
        shown = dict(re.findall(r"(?m)^([A-Z]{2}-SRV-\d\d) +([A-Z]+) +(?:\d+ of \d+|in part|all|none) +", done.stdout))
        self.assertEqual(shown, self.verdicts(report), done.stdout)
        summary = report["summary"]
        self.assertEqual(done.returncode, summary["exit"], done.stdout + done.stderr)
        reason = re.search(r"(?m)^exit (\d+): (.*)$", done.stdout)
        if summary["exit"] == 0:
            self.assertIsNone(reason, done.stdout)
        else:
            self.assertEqual((int(reason[1]), reason[2]), (summary["exit"], summary["reason"]))
        failing = {row["id"] for row in report["requirements"] if row["fails"]}
        if summary["exit"] in (0, 1):
            self.assertEqual(summary["exit"] == 1, bool(failing) or summary["failed"] > 0, done.stdout)
            named = set(re.findall(r"[A-Z]{2}-SRV-\d\d", summary["reason"]))
            self.assertTrue(failing <= named, (failing, summary["reason"]))
        self.assert_last_line(done, summary["passed"], summary["failed"], summary["disputed"], summary["requirements_not_met"])
        self.assertIn(f"\nprofile: {report['profile_note']}\n", done.stdout)

    def notes(self, report):
        return {row["id"]: row["note"] for row in report["requirements"] if "note" in row}

    def conditions(self, family="ojin"):
        """Conditions that the cases about servers ask for."""
        listed = self.conform("list", "--server").stdout
        profiles = "all|current|earlier|video|audio"
        found = re.findall(rf"(?m)^{family}/\S+ +([a-z][a-z-]+) +(?:{profiles}) ", listed)
        return set(found) - set(profiles.split("|"))
