"""The Ojin cases are seen to fail on a defect for every requirement."""

import sys
import unittest

import selftest_case


class WholeOjinSelftest(selftest_case.WholeSelftest):
    family = "ojin"
    prefix = "OJ"
    rows_min = 91
    checks_min = 350


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
