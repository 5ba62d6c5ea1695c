"""What a late machine hid from the whole selftests is seen when nothing else runs."""

import json
import sys
import unittest

from runner_case import TRIES, wait_for_calm
from selftest_case import SelftestCase, left_open


class LeftOpen(SelftestCase):
    transport_open_max = 4

    def test_of_ojin(self):
        self.ask_again("ojin")

    def test_of_full_duplex(self):
        self.ask_again("duplex")

    def ask_again(self, family):
        """All at once, TRIES times at most while more is open than may be; what is seen once is not asked for again."""
        self.assertTrue(left_open(family).exists(), f"the whole selftest of {family} has to run before this")
        left = json.loads(left_open(family).read_text())
        missed, unproven = set(left["missed"]), {(check["case"], check["check"]): check["requirement"] for check in left["unproven"]}
        done = None
        for attempt in range(TRIES):
            if not missed and (not unproven or attempt > 0 and len(unproven) <= self.transport_open_max):
                break
            if attempt > 0:
                wait_for_calm()
            asked = sorted(missed.union(unproven.values()))
            done, report = self.selftest("--family", family, "--quick", *(word for id in asked for word in ("--run", id)))
            self.assertEqual({row["id"] for row in report["requirements"]}, set(asked))
            missed &= {row["id"] for row in report["requirements"] if not row["met"] or not report["client"]["good"]}
            for check in report["checks"]:
                if check["proven"]:
                    unproven.pop((check["case"], check["check"]), None)
        self.assertEqual(missed, set(), done and done.stdout + done.stderr)
        self.assertLessEqual(len(unproven), self.transport_open_max, unproven)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
