"""The same case gives the same verdict over sockets and in memory, for the reference client."""

import json
import sys
import unittest

from runner_case import BIN, TRIES, RunnerCase, wait_for_calm


class TransportsCase(RunnerCase):
    def compare(self, options):
        options = ["--profile", "all"] + options
        memory_report = self.folder / "memory.json"
        memory = self.conform("run", "--memory", *options, "--json", memory_report)
        self.assertEqual(memory.returncode, 0, memory.stdout + memory.stderr)
        in_memory = {case["name"]: case for case in json.loads(memory_report.read_text())["cases"]}
        report = self.over_sockets(options)
        self.assertEqual(sorted(in_memory), sorted(case["name"] for case in report["cases"]))
        # A case that is for a real transport only is skipped in memory.
        compared = [case for case in report["cases"] if in_memory[case["name"]]["verdict"] != "SKIPPED"]
        self.assertGreaterEqual(len(compared), 20)
        for case in compared:
            other = in_memory[case["name"]]
            if self.verdicts_of(case) != self.verdicts_of(other):  # a late machine sees less: alone, when it is calm
                case = self.seen_alone(case["name"], options, self.verdicts_of(other))
            self.assertEqual(self.verdicts_of(case), self.verdicts_of(other), case["name"])

    def over_sockets(self, options):
        done, report = self.run_suite(BIN / "ojin-client", "conform", options=options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return report

    def seen_alone(self, name, options, expected):
        chosen = [word for word in options if not word.startswith("--run=")]
        for _ in range(TRIES):
            wait_for_calm()
            (case,) = self.over_sockets([*chosen, "--run", name])["cases"]
            if self.verdicts_of(case) == expected:
                break
        return case

    @staticmethod
    def verdicts_of(case):
        return case["verdict"], sorted((check["name"], check["requirement"], check["verdict"]) for check in case["checks"])


class OjinTransports(TransportsCase):
    def test_same_verdicts_over_sockets_and_in_memory(self):
        self.compare([])


class DuplexTransports(TransportsCase):
    def test_same_verdicts_over_sockets_and_in_memory(self):
        areas = ["close", "error", "output", "session"]
        self.compare(["--family", "duplex", "-j", "32"] + [f"--run=duplex/{area}/*" for area in areas])


class InterviewTransports(TransportsCase):
    def test_same_verdicts_over_sockets_and_in_memory(self):
        areas = ["close", "connect", "input", "interrupt", "output"]
        self.compare(["--family", "interview", "-j", "32"] + [f"--run=interview/{area}/*" for area in areas])


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
