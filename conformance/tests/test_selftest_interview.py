"""The selftest objects to defects of the interview family that break nothing, or too much."""

import sys
import unittest

import test_selftest


class TriedInterviewSelftest(test_selftest.SelftestCase):
    def test_objects_to_what_breaks_nothing_or_too_much(self):
        done, report = self.selftest("--memory", "--family", "interview", "--trial", "defects", "--run", "interview-trial-*")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertTrue(self.defect(report, "interview-trial-time")["good"])
        self.assertFalse(self.defect(report, "interview-trial-nothing")["caught"])
        trips = {trip["requirement"] for trip in self.defect(report, "interview-trial-too-much")["trips"]}
        self.assertEqual(trips, {"IV-IN-05"})


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
