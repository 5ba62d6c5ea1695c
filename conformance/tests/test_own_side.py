#!/usr/bin/python3
"""The suite watches its own side: what the mock sends against the protocol, unasked, is an ERROR of ours and no verdict on the client.

The runner is linked with a mock that is broken on purpose (broken_mock.c); the client is the right one.
"""

import json
import pathlib
import sys
import unittest

from runner_case import CONFORM, RunnerCase

BROKEN = pathlib.Path(sys.argv.pop(1))
CLIENT = [CONFORM.parent / "ojin-client", "conform"]
SENTENCES = {
    "ready": "a message was sent whose payload is wrong",
    "speech": "a frame was sent that does not decode",
    "closed": "a message was sent whose members are wrong",
    "status": "a message was sent whose members are wrong",
    "ai_audio_chunk": "a message was sent whose members are wrong",
    # No message is wrong by itself: the rules for servers tell.
    "times": "OJ-SRV-15: ",
    "created": "DX-SRV-02: ",
    "listen": "DX-SRV-09: it is 8193",
    "delta": "DX-SRV-07: a delta of 2 samples",
}
CASES = {
    "ready": "ojin/connect/handshake",
    "speech": "ojin/end/final-frame",
    "times": "ojin/end/final-frame",
    "closed": "duplex/append/whole-speech",
    "created": "duplex/append/whole-speech",
    "listen": "duplex/append/whole-speech",
    "delta": "duplex/append/two-speeches",
    "status": "interview/connect/handshake",
    "ai_audio_chunk": "interview/output/reply",
}


class OwnSide(RunnerCase):
    def run_broken(self, what, *cases):
        """Cases of one family."""
        path = self.folder / "report.json"
        path.unlink(missing_ok=True)
        self.environment["MOCK_BREAKS"] = what
        chosen = [word for case in cases for word in ("--run", case)]
        options = ("--family", cases[0].split("/")[0], "--tier", "observe", "-j", "4", "--json", path)
        done = self.run_program(BROKEN, "run", *options, *chosen, "--", *CLIENT)
        self.assertTrue(path.exists(), done.stdout + done.stderr)
        return done, json.loads(path.read_text())

    def assert_pass(self, *cases):
        done, report = self.run_broken("", *cases)
        self.assertGreaterEqual(len(report["cases"]), len(cases))
        self.assertEqual(({one["verdict"] for one in report["cases"]}, done.returncode), ({"PASS"}, 0), done.stdout)

    def test_a_breach_that_nobody_asked_for_is_an_error_of_ours(self):
        for what, sentence in SENTENCES.items():
            with self.subTest(what):
                done, report = self.run_broken(what, CASES[what])
                (case,) = report["cases"]
                self.assertEqual((done.returncode, case["verdict"]), (3, "ERROR"), done.stdout)
                (check,) = (check for check in case["checks"] if check["verdict"] == "ERROR")
                self.assertLessEqual({one["verdict"] for one in case["checks"]}, {"ERROR", "NOTREACHED"})
                self.assertTrue(check["actual"].startswith(f"the mock broke the protocol unasked: {sentence}"), check)
                self.assertEqual(report["summary"]["reason"], "an error that is not the client's in 1 case")
                self.assertIn('"kind":"own-error"', pathlib.Path(case["folder"], "wire.jsonl").read_text())
                self.assertIn("    rerun: ", done.stdout)
                self.assert_last_line(done, 0, 1)

    def test_the_same_runner_passes_where_the_mock_does_nothing_wrong(self):
        for family in ("ojin", "duplex", "interview"):
            self.assert_pass(*sorted({case for case in CASES.values() if case.startswith(family)}))

    def test_what_a_case_asks_for_is_no_error(self):
        """The same messages as a fault that the script names: it is the client that is judged."""
        self.assert_pass("ojin/frame/cut-in-entry", "ojin/close/rfc-close-codes")
        self.assert_pass("duplex/error/cut-deltas", "duplex/field/cache-falls")
        self.assert_pass("interview/error/members", "interview/types/odd-bytes")


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
