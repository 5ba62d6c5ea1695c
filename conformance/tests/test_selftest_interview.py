"""The selftest objects to defects of the interview family that break nothing, or too much."""

import json
import sys
import unittest

import selftest_case


class WholeInterviewSelftest(selftest_case.SelftestCase):
    """In virtual time, which takes a minute; what needs a real transport is asked for alone."""

    timeout_s = selftest_case.WHOLE_TIMEOUT_S
    checks_min = 190

    def client_rows(self):
        rows = json.loads(self.conform("coverage", "--family", "interview", "--json").stdout)["requirements"]
        return {row["id"]: row for row in rows if row["party"] == "client"}

    def those_of_processes_are_proven(self, checks):
        """What a client does with a sound file of another form shows in a process alone."""
        self.assertEqual({check["case"] for check in checks}, {"interview/input/other-forms"})
        asked = sorted({check["requirement"] for check in checks})
        done, report = self.until(lambda result: result[0].returncode == 0, lambda _: self.selftest(
            "--family", "interview", "--quick", *(word for id in asked for word in ("--run", id))))
        proven = {(check["case"], check["check"]) for check in report["checks"] if check["proven"]}
        self.assertEqual({(check["case"], check["check"]) for check in checks} - proven, set(), done.stdout + done.stderr)

    def test_every_requirement_is_seen_to_fail(self):
        done, report = self.selftest("--family", "interview", "--memory")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("the correct client passes", done.stdout.splitlines()[-1])
        self.those_of_processes_are_proven([check for check in report["checks"] if not check["proven"]])
        self.assertGreaterEqual(len(report["checks"]), self.checks_min)
        seen = {row["id"] for row in report["requirements"] if row["met"]}
        for requirement, row in self.client_rows().items():
            with self.subTest(requirement):
                self.assertTrue(row["cases"], "it has a case")
                if requirement not in seen:
                    alone, _ = self.selftest("--family", "interview", "--run", requirement)
                    self.assertEqual(alone.returncode, 0, alone.stdout + alone.stderr)


class TriedInterviewSelftest(selftest_case.SelftestCase):
    def test_objects_to_what_breaks_nothing_or_too_much(self):
        done, report = self.selftest("--memory", "--family", "interview", "--trial", "defects", "--run", "interview-trial-*")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertTrue(self.defect(report, "interview-trial-time")["good"])
        self.assertFalse(self.defect(report, "interview-trial-nothing")["caught"])
        trips = {trip["requirement"] for trip in self.defect(report, "interview-trial-too-much")["trips"]}
        self.assertEqual(trips, {"IV-IN-05"})


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
