#!/usr/bin/python3
"""ojin-conform server against the mock: every requirement passes in every profile, which is recognised."""
import concurrent.futures
import json

from server_case import GROUPS, KEY, PROVOKE, QUICK, ServerCase, run_side_by_side, server_rows


class EveryRow(ServerCase):
    def passes(self, profile):
        """As a user types it: no --profile, no --size."""
        ready = self.start_mock("--profile", profile)
        options = ["--family", "ojin", "--inferred", "--strict", "--provoke", PROVOKE]
        return self.judge(ready["url"], *options, name=profile, size=None)

    def test_passes_in_each_profile_without_being_told_which(self):
        with concurrent.futures.ThreadPoolExecutor(len(GROUPS)) as pool:
            results = dict(zip(GROUPS, pool.map(self.passes, GROUPS)))
        for profile, (done, report) in results.items():
            with self.subTest(profile):
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(self.verdicts(report), {row: "PASS" for row in server_rows(profile)}, done.stdout)
                self.assertEqual(report["uncovered"], [])
                self.assertEqual(report["party"], "server")
                self.assertEqual(report["profiles"], [profile])
                self.assertRegex(report["profile_note"], f"^{profile}, as the server says in sessionReady")
                self.assertEqual(set(self.notes(report)), {"OJ-SRV-07"})
                self.assertIn("--size", self.notes(report)["OJ-SRV-07"])
                for row in report["requirements"]:
                    self.assertGreater(len(row["cases"]), 0, row["id"])
                self.assert_last_line(done, len(report["cases"]), 0)
                self.assertNotIn(KEY, done.stdout + done.stderr + json.dumps(report))
                left = self.folder / f"out-{profile}"
                self.assertFalse(left.exists(), "a run in which all passes leaves nothing")

    def test_passes_over_tls(self):
        ready = self.start_mock("--tls", *QUICK)
        self.assertTrue(ready["url"].startswith("wss://"), ready)
        words = ["--ca", ready["ca"], "--requirement", "OJ-SRV-11", "--requirement", "OJ-SRV-01"]
        done, report = self.judge(ready["url"], *words, "--inferred", "--provoke", PROVOKE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.verdicts(report)["OJ-SRV-11"], "PASS")
        done, _ = self.judge(ready["url"], *words[2:], name="untrusted")  # the system's roots do not know it
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("certificate", done.stderr)


if __name__ == "__main__":
    run_side_by_side()
