"""Ways of putting a client under test: each tier, over HTTP, many cases in one process, started by hand, stopped by a signal; the probe."""

import base64
import concurrent.futures
import json
import os
import subprocess
import sys
import unittest

from runner_case import CONFORM, NODE_DUPLEX_CLIENT, PYTHON, PYTHON_DUPLEX_CLIENT, PYTHON_INTERVIEW_CLIENT, SOURCE, RunnerCase, needs

MINIMAL = SOURCE / "conformance/clients/minimal"
CASES = ["--run", "ojin/connect/handshake", "--run", "ojin/error/code-unauthorized"]
HANDSHAKE = ["--run", "ojin/connect/handshake"]


class Needs(unittest.TestCase):
    """Where packages are missing that a command installs, no test passes in silence."""

    def outcome(self, *programs, packages):
        @needs(*programs, packages=packages)
        class Whole(unittest.TestCase):
            def test(self):
                pass

        class Part(unittest.TestCase):
            @needs(*programs, packages=packages)
            def test(self):
                pass

        results = [unittest.TestResult(), unittest.TestResult()]
        for case, result in zip((Whole("test"), Part("test")), results):
            case.run(result)
        return results

    def test_missing_packages_fail_and_missing_programs_are_skipped(self):
        for result in self.outcome("sh", packages="conformance/clients/nowhere"):
            self.assertIn("conformance/clients/nowhere are not installed: ci/npm.sh conformance/clients/nowhere", result.failures[0][1])
        for result in self.outcome("sh", "no-such-program", packages="conformance/clients/nowhere"):
            self.assertEqual([reason for _, reason in result.skipped], ["not installed: no-such-program"])
        for result in self.outcome("sh", packages=None):
            self.assertEqual((result.testsRun, result.failures, result.skipped), (1, [], []))


class Clients(RunnerCase):
    def minimal(self, name, change=lambda text: text):
        """A copy of a minimal client, changed."""
        self.write("session.py", (MINIMAL / "session.py").read_text())
        return self.write(name, change((MINIMAL / name).read_text()))

    def passes(self, name, tier, *options, passed=2):
        done, report = self.run_suite(PYTHON, MINIMAL / name, options=[*CASES, *options])
        self.assertEqual((done.returncode, report["tier"]), (0, tier), done.stdout + done.stderr)
        self.assertEqual(report["summary"]["passed"], passed, done.stdout)
        return report

    # ---- tiers, found out ----

    def test_wire(self):
        self.passes("wire.py", "wire", passed=1)

    def test_plan(self):
        self.passes("plan.py", "plan", passed=1)

    def test_observe(self):
        self.passes("observe.py", "observe")

    def test_observe_over_http(self):
        self.passes("over_http.py", "observe")

    PLAYED = """case     ojin/played/NAME
title    "What was played"
expect   "Silence is shown"
clause   OJ-OUT-01 MUST
limit    6s

plan {
  wait 500ms
  close
}
server {
  accept
  serve  until=close
}
check    shows  MUST  CHECK
"""

    def test_what_was_played_is_read_from_files(self):
        (self.folder / "cases").mkdir()
        for name, check in (
            ("silence", "some seen:played kind=silence"),
            ("speech", "some seen:played kind=speech"),
            ("sound", "some seen:played heard=true"),  # it leaves pictures alone
            ("other", "some seen:ready"),
        ):
            self.write(f"cases/{name}.session", self.PLAYED.replace("NAME", name).replace("CHECK", check))
        done, report = self.run_suite(PYTHON, MINIMAL / "into_files.py", options=["--cases", self.folder / "cases", "--verbose"])
        verdicts = {case["name"].rpartition("/")[2]: case["verdict"] for case in report["cases"]}
        self.assertEqual(report["tier"], "observe", done.stdout)
        self.assertEqual(verdicts["silence"], "PASS", done.stdout)
        self.assertEqual(verdicts["speech"], "FAIL", done.stdout)
        self.assertEqual(verdicts["sound"], "UNSUPPORTED", done.stdout)
        self.assertEqual(verdicts["other"], "UNSUPPORTED", done.stdout)
        self.assertRegex(done.stdout, r"1 case needs a report that this client does not give.*:\n  ojin/played/other  oris-1.0  \(ready\)\n")

    def test_what_a_client_cannot_report_is_not_held_against_it(self):
        client = self.minimal("observe.py", lambda text: text.replace(
            "with open", "def say_no_frame(**seen):\n    if seen['seen'] != 'frame':\n        say(**seen)\n\n\nwith open", 1).replace(", say))", ", say_no_frame))"))
        cases = ["--run", "ojin/frame/byte-order", "--run", "ojin/ready/minimal"]
        done, report = self.run_suite(PYTHON, client, options=cases)
        self.assertEqual([case["verdict"] for case in report["cases"]], ["FAIL", "PASS"], done.stdout)
        done, report = self.run_suite(PYTHON, client, options=[*cases, "--verbose", "--says", "ready,played,cancelled,error,closed"])
        self.assertEqual([case["verdict"] for case in report["cases"]], ["UNSUPPORTED", "PASS"], done.stdout)
        self.assertRegex(done.stdout, r"needs a report that this client does not give.*:\n  ojin/frame/byte-order  oris-1.0  \(frame\)\n")
        done = self.conform("run", *cases, "--says", "ready,fame", "--", PYTHON, client)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--says 'ready,fame': expected kinds of observations", done.stderr)

    def test_the_reference_client_and_its_tier(self):
        done, report = self.run_suite(CONFORM.parent / "ojin-client", "conform", options=CASES)
        self.assertEqual((done.returncode, report["tier"]), (0, "observe"), done.stdout + done.stderr)

    # ---- the probe ----

    def test_an_adapter_that_takes_a_case_that_does_not_exist_is_not_run(self):
        client = self.minimal("observe.py", lambda text: text.replace("sys.exit(77)", "sys.exit(0)"))
        for options in ([], ["--tier", "plan"]):
            done, report = self.run_suite(PYTHON, client, options=[*HANDSHAKE, *options])
            self.assertEqual((done.returncode, report), (3, None), done.stdout)
            self.assertIn("expected  exit 77, as an adapter answers to what it cannot do", done.stderr)
            self.assertIn("actual    NOCONNECT: ended with exit 0 and never connected", done.stderr)
            self.assertIn("is run with --tier wire", done.stderr)
        done, report = self.run_suite(PYTHON, client, options=[*HANDSHAKE, "--tier", "wire"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_client_that_cannot_start_names_no_requirement(self):
        client = self.minimal("observe.py", lambda text: "import a_module_nobody_has\n" + text)
        done, report = self.run_suite(PYTHON, client, options=HANDSHAKE)
        self.assertEqual((done.returncode, report, done.stdout), (3, None, ""))
        self.assertIn("the client ended at once with status 1, before it connected\n"
                      "  standard error:\n  Traceback (most recent call last):\n", done.stderr)
        self.assertIn("\n  ModuleNotFoundError: No module named 'a_module_nobody_has'\n", done.stderr)
        self.assertTrue(done.stderr.endswith(f"No case was run. To start it by hand beside a mock: ojin-mock exec -- {PYTHON} {client}\n"), done.stderr)

    def test_a_client_that_cannot_start_is_told_once_whatever_its_tier(self):
        for tier in ("auto", "wire", "plan", "observe"):
            with self.subTest(tier):
                client = self.write("fails.py", "import sys\nsys.exit('a word that is wrong')\n")
                done, report = self.run_suite(PYTHON, client, options=["--set", "default", "--tier", tier])
                self.assertEqual((done.returncode, report, done.stdout), (3, None, ""))
                self.assertEqual(done.stderr.count("a word that is wrong"), 1, done.stderr)

    # The first thing that many programs do is to read what they are to speak.
    READS_FIRST = """
import os, sys, wave
sys.path.insert(0, sys.argv[1])
from session import Session
with wave.open(os.environ["OJIN_AUDIO"]) as sound:
    assert sound.getnframes() > 8000
assert len(os.environ["OJIN_API_KEY"]) > 8 and "{" not in os.environ["OJIN_API_KEY"]
session = Session(os.environ["OJIN_URL"], os.environ["OJIN_API_KEY"], os.environ["OJIN_CONFIG_ID"])
if session.ready:
    session.speak(os.environ["OJIN_AUDIO"])
    session.end()
sys.exit(1 if session.failed else 0)
"""

    def test_a_program_that_reads_its_sound_before_it_connects_is_run(self):
        client = self.write("reads_first.py", self.READS_FIRST)
        for tier in ("auto", "wire"):
            with self.subTest(tier):
                done, report = self.run_suite(PYTHON, "-B", client, MINIMAL, options=[*HANDSHAKE, "--tier", tier])
                self.assertEqual((done.returncode, report["tier"]), (0, "wire"), done.stdout + done.stderr)

    def test_the_sound_is_there_where_the_case_has_nothing_to_say(self):
        client = self.minimal("observe.py", lambda text: text.replace("from session import", "assert os.path.getsize(os.environ['OJIN_AUDIO']) > 16000\nfrom session import"))
        done, report = self.run_suite(PYTHON, client, options=["--run", "ojin/connect/closed-while-waiting", "--tier", "observe"])
        self.assertEqual((done.returncode, report["summary"]["passed"]), (0, 1), done.stdout + done.stderr)

    def test_that_sound_is_of_the_rate_of_its_family(self):
        line = "from interview_wire import RATE, SAMPLE_BYTES\n"
        reads = line + "import os, wave\nassert wave.open(os.environ['INTERVIEW_AUDIO']).getframerate() == RATE\n"
        client = self.changed_client((line, reads), client=PYTHON_INTERVIEW_CLIENT)
        options = ["--family", "interview", "--run", "interview/output/burst", "--tier", "observe"]
        done, report = self.run_suite(PYTHON, client, options=options)
        self.assertEqual((done.returncode, report["summary"]["passed"]), (0, 1), done.stdout + done.stderr)

    def test_what_a_client_reports_names_its_tier(self):
        client = self.minimal("observe.py")
        done, report = self.run_suite(PYTHON, client, options=[*CASES, "--says", "ready,error,closed"])
        self.assertEqual((done.returncode, report["tier"]), (0, "observe"), done.stdout + done.stderr)
        done = self.conform("run", "--tier", "plan", "--says", "ready", "--", "true")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--says names what the client reports, which needs --tier observe", done.stderr)

    def test_a_client_that_declines_and_then_fails_names_none_either(self):
        client = self.minimal("observe.py", lambda text: text.replace("from session import", "sys.exit('no luck') if os.environ['CONFORM_CASE'] == 'conform/probe' else None\nfrom session import"))
        done, report = self.run_suite(PYTHON, client, options=HANDSHAKE)
        self.assertEqual((done.returncode, report, done.stdout), (3, None, ""), done.stderr)
        self.assertIn("the client ended at once with status 1, before it connected\n  standard error:\n  no luck\n", done.stderr)

    def test_a_client_that_is_killed_at_once_is_judged_for_its_crash(self):
        for words, end in ((["sh", "-c", "kill -SEGV $$"], "CRASH"), (["true"], "NOCONNECT")):
            done, report = self.run_suite(*words, options=HANDSHAKE)
            self.assertEqual((done.returncode, report["cases"][0]["end"]), (1, end), done.stderr)

    # ---- over HTTP ----

    def test_the_channel_says_what_is_wrong(self):
        client = self.write("asks.py", """
import json, os, sys, urllib.error, urllib.request
control = os.environ["CONFORM_CONTROL"]
def ask(path, data=None, method=None):
    try:
        with urllib.request.urlopen(urllib.request.Request(control + path, data=data, method=method), timeout=10) as answer:
            return answer.status, dict(answer.headers), answer.read().decode(errors="replace")
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()
asked = {name: ask(*words) for name, words in {
    "plan": ["plan"], "speech": ["speech/hello-1s.wav"], "other": ["speech/../launch.h"], "nothing": ["x"],
    "preflight": ["observations", None, "OPTIONS"], "bad": ["observations", b'{"conform":1}'],
    "worse": ["observations", b'{"conform":1,"seen":"nothing"}'], "good": ["observations", b'{"conform":1,"seen":"cancelled"}'],
}.items()}
open(sys.argv[1], "w").write(json.dumps(asked))
""")
        asked = self.folder / "asked.json"
        done, report = self.run_suite(PYTHON, client, asked, options=[*HANDSHAKE, "--tier", "wire"])
        got = json.loads(asked.read_text())
        plan = json.loads(got["plan"][2])
        speech = next(step["file"] for step in plan["steps"] if step["do"] == "speak")
        self.assertRegex(speech, r"^http://127\.0\.0\.1:\d+/__conform/speech/hello-1s\.wav$")
        self.assertTrue(plan["url"].startswith("ws://127.0.0.1:"), plan)
        self.assertEqual({name: answer[0] for name, answer in got.items()},
                         {"plan": 200, "speech": 200, "other": 404, "nothing": 404, "preflight": 204, "bad": 400, "worse": 400, "good": 204})
        self.assertEqual({answer[1]["Access-Control-Allow-Origin"] for answer in got.values()}, {"*"})
        self.assertEqual(got["speech"][2][:4], "RIFF")
        self.assertIn('in line 1 of what was posted: "seen" is missing', got["bad"][2])
        self.assertIn("in line 2 of what was posted: ", got["worse"][2])
        self.assertEqual((done.returncode, report["cases"][0]["verdict"]), (3, "ERROR"), done.stdout)

    def test_a_client_that_says_done_over_http_need_not_exit(self):
        word = f"stays-{os.getpid()}"
        self.minimal("over_http.py")
        client = self.write(word + ".py", (MINIMAL / "over_http.py").read_text() + "\nimport time\ntime.sleep(600)\n")
        done, _ = self.run_suite(PYTHON, client, options=CASES)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.processes_with(word), [])

    # ---- many cases in one process ----

    def persistent(self, change, *options):
        starts = self.folder / "starts"
        client = self.minimal("persistent.py", lambda text: f"open({str(starts)!r}, 'a').write('x')\n" + change(text))
        done, report = self.run_suite(PYTHON, client, options=["--persistent", "-j", "1", *CASES, *options])
        return done, report, starts.read_text() if starts.exists() else ""

    def test_one_process_takes_all_cases(self):
        done, report, starts = self.persistent(lambda text: text, "--tier", "observe")
        self.assertEqual((done.returncode, report["summary"]["passed"]), (0, 2), done.stdout + done.stderr)
        self.assertEqual(starts, "x", "the probe's goes on with the cases")

    def test_the_tier_of_a_persistent_client_is_found_out(self):
        done, report, _ = self.persistent(lambda text: text)
        self.assertEqual((done.returncode, report["tier"]), (0, "observe"), done.stdout + done.stderr)

    def test_a_persistent_client_that_dies_is_started_anew(self):
        change = lambda text: text.replace("    try:\n", "    if task['case'] == 'ojin/connect/handshake':\n        import os\n        os.kill(os.getpid(), 11)\n    try:\n", 1)
        done, report, starts = self.persistent(change, "--tier", "observe")
        ends = {case["name"]: (case["end"], case["verdict"]) for case in report["cases"]}
        self.assertEqual(ends, {"ojin/connect/handshake": ("CRASH", "FAIL"), "ojin/error/code-unauthorized": ("", "PASS")}, done.stdout)
        self.assertEqual(done.returncode, 1)
        self.assertGreaterEqual(len(starts), 2, "one for the probe and a case, one for the other case; more where one is run again")

    def test_a_persistent_client_that_dies_over_a_case_that_it_has_done_crashed_in_that(self):
        first, second = "ojin/connect/handshake", "ojin/error/code-unauthorized"
        at_once, of_an_exception = "os.kill(os.getpid(), 11)", "raise RuntimeError('what it left behind')"
        once_the_next_is_there = "sys.stdin.readline(), os.kill(os.getpid(), 11)"
        rows = [(first, at_once), (second, at_once), (first, of_an_exception), (second, of_an_exception), (first, once_the_next_is_there)]
        for case, death in rows:
            with self.subTest(death, case=case):
                change = lambda text: f"{text}    if task['case'] == '{case}':\n        {death}\n"
                runs = []  # of a case that a late machine has run again alone, no next one is ever there
                done = self.until_it_ends_with(1, lambda: runs.append(self.persistent(change, "--tier", "observe")) or runs[-1][0])
                ends = {row["name"]: (row["end"], row["verdict"]) for row in runs[-1][1]["cases"]}
                wanted = {name: ("CRASH", "FAIL") if name == case else ("", "PASS") for name in (first, second)}
                self.assertEqual(ends, wanted, done.stdout)
                self.assertEqual(done.returncode, 1, done.stdout)

    def test_a_persistent_client_may_end_after_each_case(self):
        done, report, starts = self.persistent(lambda text: text + "    sys.exit(0)\n", "--tier", "observe")
        self.assertEqual((done.returncode, report["summary"]["passed"]), (0, 2), done.stdout + done.stderr)
        self.assertEqual([case["end"] for case in report["cases"]], ["", ""])

    def test_a_persistent_client_that_dies_of_each_case_is_not_laid_to_the_one_before(self):
        change = lambda text: text.replace("    try:\n", "    if 'does-not' not in task['case']:\n        os.kill(os.getpid(), 11)\n    try:\n", 1)
        done, report, _ = self.persistent(change, "--tier", "observe")
        self.assertEqual([case["end"] for case in report["cases"]], ["CRASH", "CRASH"], done.stdout)
        self.assertNotIn("after it had said", done.stdout)

    def test_a_persistent_client_that_hangs_is_ended_and_started_anew(self):
        change = lambda text: text.replace("    say(done", f"    if task['case'] == 'ojin/connect/handshake':\n        import subprocess\n        subprocess.run(['sleep', '600.{os.getpid()}'])\n    say(done", 1)
        done, report, starts = self.persistent(change, "--tier", "observe")
        ends = {case["name"]: case["verdict"] for case in report["cases"]}
        self.assertEqual(ends["ojin/error/code-unauthorized"], "PASS", done.stdout)
        self.assertNotEqual(ends["ojin/connect/handshake"], "PASS")
        self.assertEqual(self.processes_with(f"600.{os.getpid()}"), [])

    # ---- stopped, and started by hand ----

    ENDLESS = "\nsession.run = None\nimport time\nwhile True:\n    time.sleep(600)\n"

    def test_a_program_that_never_exits_is_stopped_when_it_is_quiet(self):
        client = self.minimal("wire.py", lambda text: text.replace("sys.exit(1 if session.failed else 0)\n", self.ENDLESS))
        for name in ("TERM", "INT", "SIGKILL"):
            done, report = self.run_suite(PYTHON, client, options=[*HANDSHAKE, "--tier", "wire", "--stop", f"{name}@idle:300ms"])
            self.assertEqual((done.returncode, report["cases"][0]["verdict"], report["cases"][0]["end"]), (0, "PASS", ""), done.stdout)

    def test_a_client_started_by_hand(self):
        runner = subprocess.Popen([str(CONFORM), "run", "--attach", *HANDSHAKE], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(runner.wait)
        self.addCleanup(runner.kill)
        environment = dict(os.environ)
        self.assertIn("without --tier plan or --tier observe", runner.stderr.readline())
        for line in runner.stderr:
            name, equals, value = line.strip().partition("=")
            if equals:
                environment[name] = value
            if name == "CONFORM_CONTROL":
                break
        self.assertEqual((environment["CONFORM_CASE"], environment["CONFORM_PROFILE"]), ("ojin/connect/handshake", "oris-1.0"))
        self.assertEqual(environment["OJIN_WS_URL"], environment["OJIN_URL"])
        client = subprocess.run([PYTHON, MINIMAL / "wire.py"], env=environment, timeout=60, check=False)
        out, _ = runner.communicate(timeout=60)
        self.assertEqual((client.returncode, runner.returncode), (0, 0), out)
        self.assertEqual(out.strip().splitlines()[-1], "1 passed, 0 failed")

    # ---- what a camera shows ----

    VIDEO = SOURCE / "fixtures/video"
    PICTURES = ["--family", "duplex", "--run", "duplex/append/pictures"]

    def shown(self, name, *command):
        """The pictures that a client sent in video mode, in their order."""
        out = self.folder / name
        done = self.conform("run", *self.PICTURES, "--keep", "--out", out, "--", *command)
        self.assertEqual(done.returncode, 0, f"{name}: {done.stdout}{done.stderr}")
        lines = map(json.loads, next(out.glob("*/wire.jsonl")).read_text().splitlines())
        appends = [json.loads(line["text"]) for line in lines if line.get("label") == "input_audio_buffer.append"]
        return [base64.b64decode(picture) for append in appends for picture in append["video_frames"]]

    @needs("node", packages="conformance/clients/node")
    def test_the_pictures_of_the_folder_are_what_clients_send(self):
        clients = [("reference", CONFORM.parent / "ojin-client", "conform"), ("python", PYTHON, PYTHON_DUPLEX_CLIENT),
                   ("node", "node", NODE_DUPLEX_CLIENT)]
        folder = [path.read_bytes() for path in sorted(self.VIDEO.glob("*.jpg"))]
        with concurrent.futures.ThreadPoolExecutor(len(clients)) as pool:
            for client, shown in zip(clients, pool.map(lambda words: self.shown(*words), clients)):
                with self.subTest(client[0]):
                    self.assertGreaterEqual(len(shown), 3)
                    self.assertEqual(shown, [folder[i % len(folder)] for i in range(len(shown))])

    def test_the_folder_of_pictures_is_a_word_and_a_variable(self):
        script = "import os,sys; sys.stderr.write('|'.join([*sys.argv[1:], os.environ['MINE'], os.environ['DUPLEX_VIDEO']])); sys.exit(77)"
        out = self.folder / "words"
        done = self.conform("run", *self.PICTURES, "--tier", "plan", "--keep", "--out", out, "--env", "MINE=of {video}", "--", PYTHON, "-c", script, "{video}")
        self.assertEqual(next(out.glob("*/stderr.txt")).read_text(), f"{self.VIDEO}|of {self.VIDEO}|{self.VIDEO}", done.stdout + done.stderr)

    # ---- options ----

    def test_options_that_do_not_go_together(self):
        for words, expected in (
            (["--attach", "--", "true"], "--attach takes no command, found 'true'"),
            (["--attach", "--persistent"], "--attach starts no client: --persistent and --stop have no meaning with it"),
            (["--persistent", "--stop", "TERM@idle:1s", "--", "true"], "--stop ends a client once a case, --persistent keeps it: expected one of them"),
        ):
            done = self.conform("run", *words)
            self.assertEqual((done.returncode, done.stderr.splitlines()[0]), (2, "ojin-conform run: " + expected))


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
