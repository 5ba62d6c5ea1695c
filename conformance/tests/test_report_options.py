#!/usr/bin/python3
"""The options that ask for reports, from outside: where each goes, and what CI services ask for by their environment."""

import json
import os
import pty
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from runner_case import CONFORM, PYTHON, RUN_TIMEOUT_S, RunnerCase

CASE = "ojin/connect/handshake"
SILENT_CLIENT = (PYTHON, "-c", "pass")


class ReportOptions(RunnerCase):
    def run_case(self, *options, client=SILENT_CLIENT):
        return self.conform("run", "--run", CASE, "--tier", "wire", *options, "--", *client)

    def test_reports_go_where_they_are_asked_for(self):
        names = {name: self.folder / f"report.{name}" for name in ("json", "junit", "tap", "html", "markdown")}
        done = self.run_case(*[word for name, path in names.items() for word in (f"--{name}", path)])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assert_last_line(done, 0, 1)
        starts = {"json": "{", "junit": "<?xml", "tap": "TAP version 14\n1..5\nnot ok 1 - " + CASE, "html": "<!doctype html>",
                  "markdown": "## ojin-conform: 0 passed, 1 failed"}
        for name, path in names.items():
            self.assertTrue(path.read_text().startswith(starts[name]), path.read_text()[:200])
        suites = xml.etree.ElementTree.parse(names["junit"]).getroot()
        self.assertEqual([case.get("name") for case in suites.find("testsuite")], [CASE])
        requirements = suites.find("testsuite[@name='requirements']")
        self.assertEqual([case.get("name") for case in requirements], ["OJ-CON-01", "OJ-CON-02", "OJ-CON-06", "OJ-CON-11"])

    def test_what_is_found_at_the_end_shows_the_message_at_fault(self):
        """That speech was never converted shows once all of it is there: behind the server's last frame."""
        paths = {name: self.folder / f"report.{name}" for name in ("json", "junit", "html", "markdown")}
        done = self.conform("run", "--run", "ojin/input/stereo-48k", *[word for name, path in paths.items() for word in (f"--{name}", path)],
                            "--", CONFORM, "defect", "sends-48-kilohertz")
        self.assertRegex(done.stdout, r"\n    on the wire .* s  client  audio  \d+ bytes\n", done.stdout + done.stderr)
        (cause,) = json.loads(paths["json"].read_text())["causes"]
        self.assertRegex(cause["wire"], r"^\S+ s  client  audio  \d+ bytes\n")
        for name in ("junit", "html", "markdown"):
            self.assertIn("on the wire", paths[name].read_text().lower())
            self.assertIn(cause["wire"].splitlines()[0], paths[name].read_text(), name)

    def test_a_dash_is_standard_output_and_people_read_standard_error(self):
        done = self.run_case("--tap", "-")
        self.assertTrue(done.stdout.startswith("TAP version 14\n"), done.stdout)
        self.assertNotIn("0 passed", done.stdout)
        self.assertTrue(done.stderr.endswith("0 passed, 1 failed\n"), done.stderr)
        program = "use TAP::Parser; my $p = TAP::Parser->new({tap => join('', <STDIN>)}); $p->run; print $p->failed"
        read = subprocess.run(["/usr/bin/perl", "-e", program], input=done.stdout, capture_output=True, text=True, check=True)
        self.assertEqual(read.stdout, "12345")  # the case, and what it was to judge

    def test_prove_takes_version_13(self):
        good = (CONFORM, "defect", "none")
        for client, expected in ((SILENT_CLIENT, 1), (good, 0)):
            path = self.folder / f"report{expected}.tap"
            self.run_case("--tap13", path, client=client)
            done = subprocess.run(["/usr/bin/prove", "--exec", "cat", path], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
            self.assertNotIn("Parse errors", done.stdout + done.stderr)

    def test_standard_output_is_for_one_report(self):
        done = self.run_case("--html", "-", "--json", "-")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("2 reports would go to standard output (-), where one has room", done.stderr)

    def test_a_file_that_cannot_be_written_is_refused_before_the_start(self):
        for kind in ("json", "junit", "tap", "html", "markdown"):
            for path in (self.folder / "none/report", self.folder):
                for command in (("run", "--run", CASE), ("server", "--url", "ws://127.0.0.1:9/realtime")):
                    client = ("--", *SILENT_CLIENT) if command[0] == "run" else ()
                    with self.subTest(kind=kind, path=path, command=command[0]):
                        done = self.conform(*command, f"--{kind}", path, *client)
                        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                        self.assertIn(f"cannot write {path}: ", done.stderr)
                        self.assertNotIn("127.0.0.1:9", done.stderr)  # nobody was asked for yet

    def test_a_file_whose_writing_fails_is_an_error_of_ours(self):
        done = self.run_case("--html", "/dev/full")
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot write /dev/full", done.stderr)

    def test_a_step_summary_is_added_to(self):
        summary = self.folder / "summary.md"
        summary.write_text("before\n")
        self.environment["GITHUB_STEP_SUMMARY"] = str(summary)
        done = self.run_case()
        self.assertTrue(summary.read_text().startswith("before\n## ojin-conform: 0 passed, 1 failed\n"), summary.read_text())
        self.assertIn("\n::error title=NOCONNECT::", "\n" + done.stdout)

    def test_annotations_come_only_where_they_are_read(self):
        for value, expected in (("true", True), ("false", False)):
            self.environment["GITHUB_ACTIONS"] = value
            done = self.run_case()
            lines = [line for line in done.stdout.splitlines() if line.startswith("::")]
            self.assertEqual(lines != [], expected, done.stdout)
            for line in lines:
                self.assertRegex(line, "^::error title=NOCONNECT::.*, " + CASE + "; 4 requirements not reached")
            self.assertLessEqual(len(lines), 1)  # a cause, a line
            self.assert_last_line(done, 0, 1)

    def test_one_fault_is_one_cause_in_all_reports(self):
        paths = {name: self.folder / f"report.{name}" for name in ("json", "html", "markdown")}
        words = [word for name, path in paths.items() for word in (f"--{name}", path)]
        cases = [word for case in ("connect/handshake", "cancel/late-speech", "end/final-frame") for word in ("--run", "ojin/" + case)]
        self.environment["GITHUB_ACTIONS"] = "true"
        done = self.conform("run", "--tier", "observe", *cases, *words, "--", CONFORM, "defect", "bearer-prefix")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        report = json.loads(paths["json"].read_text())
        (cause,) = report["causes"]
        self.assertEqual((cause["verdict"], cause["requirements"], cause["broken_sessions"]), ("FAIL", ["OJ-CON-02"], 3))
        self.assertIn("OJ-CAN-03", cause["not_judged"])
        self.assertRegex(cause["wire"], "(?s)client  upgrade .*\nAuthorization: Bearer {key}")
        self.assertIn("401", cause["said"])
        begin = '1 cause: Authorization is "Bearer " and <key> (OJ-CON-02); '
        self.assertTrue(report["summary"]["headline"].startswith(begin), report["summary"])
        self.assertIn("\n" + report["summary"]["headline"] + "\n", done.stdout)
        self.assertIn(f"\n    rerun: {cause['rerun']}\n", done.stdout)
        self.assertEqual(sum(line.startswith("::") for line in done.stdout.splitlines()), 1)
        self.assertLess(len(done.stdout.splitlines()), 60, done.stdout)
        self.assertIn("### 1. FAIL OJ-CON-02", paths["markdown"].read_text())
        page = paths["html"].read_text()
        self.assertEqual(page.count('<article class="cause v-FAIL fails" id="cause-1">'), 1)
        for said in (report["date"], report["version"], "What the words mean"):
            self.assertIn(said, page)
        self.assertRegex(report["date"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual((report["cpus"] > 0, len(report["load"])), (True, 3))

    def test_progress_on_a_terminal_is_one_line_that_goes(self):
        ours, theirs = pty.openpty()
        words = [CONFORM, "run", "--tier", "wire", "--run", "ojin/connect/*", "--", *SILENT_CLIENT]
        done = subprocess.run(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=theirs, timeout=RUN_TIMEOUT_S, check=False)
        os.close(theirs)
        text = os.read(ours, 65536).decode()
        os.close(ours)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(text.startswith("\r\x1b[K[1/"), text)
        self.assertIn("] 1 failed  ojin/", text)
        self.assertTrue(text.endswith("\r\x1b[K"), text)
        self.assertNotIn("\n", text)

    def test_no_progress_in_a_pipe(self):
        done = self.run_case()
        self.assertNotIn("\r", done.stderr + done.stdout)
        self.assertNotIn("\x1b", done.stderr + done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
