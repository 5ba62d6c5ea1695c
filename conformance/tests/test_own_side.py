#!/usr/bin/python3
"""The suite watches its own side: what the mock sends against the protocol, unasked, is an ERROR of ours and no verdict on the client.

The runner is linked with a mock that is broken on purpose (broken_mock.c); the client is the right one.
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from runner_case import CONFORM, PYTHON_CLIENT, RUN_TIMEOUT_S, SOURCE, RunnerCase

BROKEN = pathlib.Path(sys.argv.pop(1))
CLIENT = [CONFORM.parent / "ojin-client", "conform"]
SENTENCES = {
    "ready": "a message was sent whose payload is wrong",
    "speech": "a frame was sent that does not decode",
    "times": "OJ-SRV-15: ",  # no message is wrong by itself: the rules for servers tell
}
CASES = {"ready": "ojin/connect/handshake", "speech": "ojin/end/final-frame", "times": "ojin/end/final-frame"}


class OwnSide(RunnerCase):
    def run_broken(self, what, case, *options):
        self.environment["MOCK_BREAKS"] = what
        path = self.folder / "report.json"
        cases = SOURCE / "conformance/cases/ojin"  # the broken mock knows no other family
        done = self.run_program(BROKEN, "run", "--cases", cases, "--tier", "observe", "--json", path, "--run", case, *options, "--", *CLIENT)
        self.assertTrue(path.exists(), done.stdout + done.stderr)
        return done, json.loads(path.read_text())

    def test_a_breach_that_nobody_asked_for_is_an_error_of_ours(self):
        for what, sentence in SENTENCES.items():
            with self.subTest(what):
                done, report = self.run_broken(what, CASES[what])
                (case,) = report["cases"]
                self.assertEqual((done.returncode, case["verdict"]), (3, "ERROR"), done.stdout)
                (check,) = case["checks"]
                self.assertTrue(check["actual"].startswith(f"the mock broke the protocol unasked: {sentence}"), check)
                self.assertEqual(report["summary"]["reason"], "an error that is not the client's in 1 case")
                self.assertIn('"kind":"own-error"', pathlib.Path(case["folder"], "wire.jsonl").read_text())
                self.assertIn("  again     ", done.stdout)
                self.assert_last_line(done, 0, 1)

    def test_the_same_runner_passes_where_the_mock_does_nothing_wrong(self):
        for case in CASES.values():
            done, report = self.run_broken("", case)
            self.assertEqual((done.returncode, report["cases"][0]["verdict"]), (0, "PASS"), done.stdout)

    def test_what_a_case_asks_for_is_no_error(self):
        """The same frames as a fault that the script names: it is the client that is judged."""
        for case in ("ojin/frame/cut-in-entry", "ojin/close/rfc-close-codes"):
            done, report = self.run_broken("", case)
            self.assertTrue(report["cases"], case)
            self.assertEqual({one["verdict"] for one in report["cases"]}, {"PASS"}, done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
