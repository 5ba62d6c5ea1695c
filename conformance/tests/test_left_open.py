"""What a late machine hid from the whole selftests is seen when nothing else runs."""

import json
import sys
import unittest

from test_selftest import SelftestCase, left_open


class LeftOpen(SelftestCase):
    transport_open_max = 4

    def test_of_ojin(self):
        self.ask_again("ojin")

    def test_of_full_duplex(self):
        self.ask_again("duplex")

    def ask_again(self, family):
        self.assertTrue(left_open(family).exists(), f"the whole selftest of {family} has to run before this")
        left = json.loads(left_open(family).read_text())
        proven = set()
        for requirement in sorted(set(left["missed"]) | {check["requirement"] for check in left["unproven"]}):
            words = ("--family", family, "--quick", "--run", requirement)
            done = self.until_it_ends_with(0, lambda words=words: self.selftest(*words)[0])
            report = json.loads((self.folder / "selftest.json").read_text())
            proven |= {(check["case"], check["check"]) for check in report["checks"] if check["proven"]}
            if requirement in left["missed"]:
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        still_open = [check for check in left["unproven"] if (check["case"], check["check"]) not in proven]
        self.assertLessEqual(len(still_open), self.transport_open_max, still_open)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
