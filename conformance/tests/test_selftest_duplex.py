"""The full-duplex cases are seen to fail on a defect for every requirement."""

import sys
import unittest

import selftest_case


class WholeDuplexSelftest(selftest_case.WholeSelftest):
    family = "duplex"
    prefix = "DX"
    rows_min = 35
    checks_min = 300


class TriedDuplexSelftest(selftest_case.SelftestCase):
    def test_objects_to_a_correct_client_that_fails(self):
        done, report = self.selftest("--family", "duplex", "--trial", "client", "--run", "hides-inference-error")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertTrue(self.defect(report, "hides-inference-error")["good"])
        self.assertIn("DX-APP-02", {trip["requirement"] for trip in report["client"]["failed"]})

    def test_objects_to_what_breaks_nothing_or_too_much(self):
        done, report = self.selftest("--family", "duplex", "--trial", "defects", "--run", "duplex-trial-[nt]*")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertFalse(self.defect(report, "duplex-trial-nothing")["caught"])
        trips = {trip["requirement"] for trip in self.defect(report, "duplex-trial-too-much")["trips"]}
        self.assertIn("DX-CON-04", trips)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
