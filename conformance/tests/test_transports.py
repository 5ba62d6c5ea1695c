"""The same case gives the same verdict over sockets and in memory, for the reference client."""

import json
import sys
import unittest

from runner_case import BIN, RunnerCase


class Transports(RunnerCase):
    def test_same_verdicts_over_sockets_and_in_memory(self):
        self.compare([])

    def test_same_verdicts_of_the_full_duplex_family(self):
        areas = ["close", "error", "output", "session"]
        self.compare(["--family", "duplex", "-j", "32"] + [f"--run=duplex/{area}/*" for area in areas])

    def compare(self, options):
        options = ["--profile", "all"] + options
        memory_report = self.folder / "memory.json"
        memory = self.conform("run", "--memory", *options, "--json", memory_report)
        self.assertEqual(memory.returncode, 0, memory.stdout + memory.stderr)
        sockets, report = self.run_suite(BIN / "ojin-client", "conform", options=options)
        self.assertEqual(sockets.returncode, 0, sockets.stdout + sockets.stderr)
        in_memory = {case["name"]: case for case in json.loads(memory_report.read_text())["cases"]}
        self.assertEqual(sorted(in_memory), sorted(case["name"] for case in report["cases"]))
        compared = 0
        for case in report["cases"]:
            other = in_memory[case["name"]]
            if other["verdict"] == "SKIPPED":  # it is for a real transport only
                continue
            self.assertEqual(case["verdict"], other["verdict"], case["name"])
            self.assertEqual(self.check_verdicts(case), self.check_verdicts(other), case["name"])
            compared += 1
        self.assertGreaterEqual(compared, 20)

    @staticmethod
    def check_verdicts(case):
        return sorted((check["name"], check["requirement"], check["verdict"]) for check in case["checks"])


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
