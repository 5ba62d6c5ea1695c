#!/usr/bin/python3
"""ojin-conform server --provoke, with a command that does as it is told, one that cannot and one that fails; and
conformance/provoke-mock, which brings ojin-mock into each condition and says what is wrong."""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import urllib.request

from runner_case import PYTHON, SOURCE
from server_case import KEY, PROVOKE, QUICK, ServerCase, run_side_by_side


class Conditions(ServerCase):
    def provoker(self, body):
        return self.write("provoke", f'#!/bin/sh\necho "$@" >>"$0.log"\n{body}\n', executable=True)

    def run_with(self, *options, name="report"):
        """The case as it is, but that it waits 2 s where a server may take 40."""
        file = pathlib.Path("ojin/backend/none.session")
        text = (SOURCE / "conformance/server-cases" / file).read_text()
        self.assertIn("within=40s", text)
        (self.folder / "cases" / file.parent).mkdir(parents=True, exist_ok=True)
        self.write("cases" / file, text.replace("within=40s", "within=2s"))
        self.url = self.start_mock(*QUICK)["url"]
        return self.judge(self.url, "--cases", self.folder / "cases", *options, name=name)

    def test_without_provoke_it_is_unsupported(self):
        done, report = self.run_with()
        self.assertEqual(self.verdicts(report)["OJ-SRV-21"], "UNSUPPORTED", done.stdout)
        self.assertIn("--provoke", done.stdout)
        self.assertEqual(done.returncode, 3)  # nothing ran
        self.assertIn("exit 3: nothing was judged", done.stdout)

    def test_what_cannot_be_provoked_is_unsupported(self):
        done, report = self.run_with("--provoke", self.provoker("exit 77"))
        self.assertEqual(self.verdicts(report)["OJ-SRV-21"], "UNSUPPORTED", done.stdout)

    def test_a_server_that_still_serves_fails_and_is_put_back(self):
        command = self.provoker("exit 0")
        done, report = self.run_with("--provoke", command)
        self.assertEqual(self.verdicts(report)["OJ-SRV-21"], "FAIL", done.stdout)
        self.assertEqual(done.returncode, 1)
        with open(f"{command}.log", encoding="utf-8") as log:
            self.assertEqual(log.read().splitlines(), [f"no-backend {self.url}", f"restore {self.url}"])

    def test_a_command_that_fails_is_no_verdict_on_the_server(self):
        done, report = self.run_with("--provoke", self.provoker("exit 5"))
        self.assertEqual(self.verdicts(report)["OJ-SRV-21"], "ERROR", done.stdout)
        self.assertEqual(done.returncode, 3)
        self.assertIn("exit 3: an error that is not the server's in 1 case", done.stdout)

    def test_an_error_about_the_start_is_no_hint_at_another_revision(self):
        url = self.start_mock(*QUICK)["url"]
        words = ["--run", "ojin/backend/cold-start", "--provoke", self.provoker("exit 5")]
        done, report = self.judge(url, *words)
        self.assertEqual(self.verdicts(report)["OJ-SRV-04"], "ERROR", done.stdout)
        self.assertNotIn("other revision", report["profile_note"])

    def test_a_command_that_cannot_be_started_is_wrong_usage(self):
        for number, command in enumerate(("/nowhere/provoke", "no-such-provoke-command", self.folder)):
            with self.subTest(command):
                done, report = self.run_with("--provoke", command, name=f"report-{number}")
                self.assertEqual((done.returncode, report, done.stdout), (2, None, ""), done.stderr)
                self.assertIn(f"--provoke {command}: ", done.stderr)

    def test_a_server_that_is_not_put_back_is_no_verdict_on_it(self):
        done, report = self.run_with("--provoke", self.provoker('[ "$1" != restore ]'))
        self.assertEqual(self.verdicts(report)["OJ-SRV-21"], "ERROR", done.stdout)
        self.assertIn("restore", done.stdout)

    def test_a_backend_that_goes_without_a_word_fails(self):
        """The session just ends, as a crashed server's would."""
        body = f'[ "$1" = restore ] || exec {PYTHON} -c "$PROVOKE" "$2"'
        url = self.start_mock(*QUICK)["url"]
        self.environment["PROVOKE"] = (
            "import sys, urllib.request as r; u = sys.argv[1].replace('ws:', 'http:').replace('/realtime', '/__mock/faults');"
            " r.urlopen(r.Request(u, b'{\"fault\":\"drop=5\"}'))"
        )
        words = ["--run", "ojin/backend/lost", "--inferred", "--provoke", self.provoker(body)]
        done, report = self.judge(url, *words)
        self.assertEqual(self.verdicts(report)["OJ-SRV-21"], "FAIL", done.stdout)

    def test_a_plain_text_is_no_errorresponse_without_a_timestamp(self):
        body = f'[ "$1" = restore ] || exec {PYTHON} -c "$PROVOKE" "$2"'
        self.environment["PROVOKE"] = (
            "import sys, urllib.request as r; u = sys.argv[1].replace('ws:', 'http:').replace('/realtime', '/__mock/quirks');"
            " r.urlopen(r.Request(u, b'{\"quirks\":\"no-backend=text\"}'))"
        )
        command = self.provoker(body)
        for case in ("queue-full", "internal-error"):
            with self.subTest(case):
                url = self.start_mock(*QUICK)["url"]
                done, report = self.judge(url, "--run", f"ojin/backend/{case}", "--provoke", command, name=case)
                self.assertEqual(self.verdicts(report)["OJ-SRV-14"], "PASS", done.stdout)
                self.assertEqual(done.returncode, 0, done.stdout)


class ProvokeMock(ServerCase):
    def provoke(self, *words):
        return subprocess.run([PROVOKE, *words], capture_output=True, text=True, check=False, timeout=60)

    def test_every_condition_that_a_case_needs_is_one_of_its(self):
        listed = self.provoke("--list").stdout.split()
        self.assertEqual(listed[-1], "restore")
        needed = self.conditions() | self.conditions("duplex") | self.conditions("interview")
        self.assertIn("no-backend", needed)
        self.assertIn("queued", needed)
        self.assertTrue(needed <= set(listed), needed - set(listed))
        self.assertEqual(set(listed) - needed, {"restore"})
        for text in (self.provoke("--help").stdout, (SOURCE / "conformance/server-cases/README.md").read_text()):
            for condition in listed:
                self.assertIn(condition, text)

    def condition_case(self, case):
        url = self.start_mock(*QUICK)["url"]
        before = self.quirks(url)
        name = case.replace("/", "-")
        done, report = self.judge(url, "--run", case, "--provoke", PROVOKE, "--inferred", name=name)
        return case, done, report, before == self.quirks(url)

    def quirks(self, url):
        with urllib.request.urlopen(url.replace("ws:", "http:").replace("/realtime", "/__mock/quirks")) as answer:
            return json.load(answer)

    def test_each_case_under_a_condition_passes_and_the_mock_is_put_back(self):
        listed = self.conform("list", "--server").stdout
        cases = re.findall(r"(?m)^(ojin/\S+) +(?!-)[a-z-]+ +all ", listed)
        cases = [case for case in cases if "needs     --provoke" in self.conform("explain", case).stdout]
        self.assertEqual(len(cases), len(self.conditions()))
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for case, done, report, same in pool.map(self.condition_case, cases):
                with self.subTest(case):
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertEqual(set(self.verdicts(report).values()), {"PASS"}, done.stdout)
                    self.assertTrue(same, "what the mock was started with holds again")

    def test_says_what_is_wrong(self):
        url = self.start_mock()["url"]
        for words, status, said in (
            ((), 2, "expected CONDITION and URL, found 0 words"),
            (("no-backend",), 2, "found 1 words"),
            (("no-backend", "http://x/"), 2, "expected a ws:// or wss:// URL, found 'http://x/'"),
            (("no-backend", "ws://x:many/"), 2, "expected a ws:// or wss:// URL"),
            (("no-bakend", url), 77, "did you mean no-backend"),
            (("context-nearly-full", url), 77, "there are no-backend, "),
            (("no-backend", "ws://127.0.0.1:1/realtime"), 1, "refused"),
            (("no-backend", self.start_mock("--no-control")["url"]), 77, "no control interface"),
        ):
            with self.subTest(words):
                done = self.provoke(*words)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertNotIn("Traceback", done.stderr)

    def test_changes_only_the_scenario_that_it_is_given(self):
        url = self.start_mock()["url"]
        at = url.replace("ws:", "http:").replace("/realtime", "/__mock/scenarios")
        with urllib.request.urlopen(urllib.request.Request(at, b'{"key":"%s"}' % KEY.encode())) as answer:
            scenario = json.load(answer)["url"]
        self.assertEqual(self.provoke("no-backend", scenario).returncode, 0)
        self.assertNotIn("no-backend", json.dumps(self.quirks(url)))
        done, report = self.judge(scenario, "--requirement", "OJ-SRV-21", "--provoke", PROVOKE)
        self.assertEqual(done.returncode, 3, "the scenario has no backend: the probe says so")
        self.assertEqual(self.provoke("restore", scenario).returncode, 0)
        done, report = self.judge(scenario, "--run", "ojin/backend/none", "--provoke", PROVOKE)
        self.assertEqual(self.verdicts(report)["OJ-SRV-21"], "PASS", done.stdout + done.stderr)


if __name__ == "__main__":
    run_side_by_side()
