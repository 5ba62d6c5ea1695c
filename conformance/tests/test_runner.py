"""The runner on clients that misbehave as programs: what it says, its exit status, and that nothing is left running."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree

from runner_case import CONFORM, PYTHON, PYTHON_CLIENT, SOURCE, RunnerCase

ONE_CASE = ["--run", "ojin/connect/handshake"]

# Connects, then does what follows in its own words.
CONNECT = """
import asyncio, os, websockets
async def main():
    url = os.environ["OJIN_URL"] + "?config_id=" + os.environ["OJIN_CONFIG_ID"]
    async with websockets.connect(url, extra_headers={"Authorization": os.environ["OJIN_API_KEY"]}) as ws:
        await ws.recv()
        %s
asyncio.run(main())
"""


class Runner(RunnerCase):
    def one_case(self, *words, options=(), case="ojin/connect/handshake"):
        done, report = self.run_suite(*words, options=["--tier", "wire", "--run", case, *options])
        return done, report, report["cases"][0] if report else None

    def test_no_such_command(self):
        done = self.conform("run", "--", "/nonexistent/client")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "ojin-conform: cannot start /nonexistent/client: No such file or directory\n")

    def test_no_such_command_in_path(self):
        done = self.conform("run", "--", "no-such-client-anywhere")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "ojin-conform: cannot start no-such-client-anywhere: no such command in PATH\n")

    def test_no_command_is_wrong_usage(self):
        done = self.conform("run")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no client command", done.stderr)

    def test_wrong_options_name_option_value_and_what_was_expected(self):
        for words, expected in (
            (["--profile", "oris-2"], "--profile 'oris-2': expected oris-1.0, oris-1.0-earlier, flashhead-lite-1.0 or all"),
            (["--tier", "all"], "--tier 'all': expected auto, wire, plan or observe"),
            (["--jobs", "0"], "--jobs '0': expected 1 or more"),
            (["--size", "100"], "--size '100': expected WIDTHxHEIGHT, such as 1280x720"),
            (["--env", "NAME"], "--env 'NAME': expected NAME=VALUE"),
        ):
            done = self.conform("run", *words, "--", "true")
            self.assertEqual(done.returncode, 2, words)
            self.assertEqual(done.stderr.splitlines()[0], "ojin-conform run: " + expected)

    def test_nothing_matches(self):
        done = self.conform("run", "--run", "no/such/case", "--", "true")
        self.assertEqual(done.returncode, 3)
        self.assertIn("nothing ran", done.stderr)

    def test_script_with_a_mistake_in_line_7(self):
        script = (SOURCE / "conformance/cases/ojin/connect/handshake.session").read_text().splitlines()
        script[6] = "limit    ten"
        path = self.write("bad.session", "\n".join(script) + "\n")
        done = self.conform("run", "--cases", self.folder, "--", "true")
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith(f"{path}:7:10: expected "), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_client_that_never_connects(self):
        done, _, case = self.one_case("true")
        self.assertEqual((done.returncode, case["end"]), (1, "NOCONNECT"))

    def test_client_that_dies_by_a_signal(self):
        client = self.write("dies.py", CONNECT % "os.kill(os.getpid(), 11)")
        done, _, case = self.one_case(PYTHON, client)
        self.assertEqual((done.returncode, case["end"]), (1, "CRASH"))
        self.assertIn("killed by SIGSEGV", done.stdout)

    def test_client_that_raises_an_exception(self):
        client = self.write("raises.py", CONNECT % "raise KeyError('nobody catches this')")
        done, _, case = self.one_case(PYTHON, client)
        self.assertEqual((done.returncode, case["end"]), (1, "CRASH"))
        self.assertIn("uncaught exception: KeyError: 'nobody catches this'", done.stdout)

    def test_client_that_does_nothing(self):
        client = self.write("idle.py", CONNECT % "return")
        done, _, case = self.one_case(PYTHON, client, case="ojin/input/format")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(case["verdict"], "NOTREACHED")

    def test_client_that_cannot_do_the_case(self):
        done, _, case = self.one_case("sh", "-c", "exit 77")
        self.assertEqual((done.returncode, case["verdict"]), (3, "UNSUPPORTED"))

    def test_adapter_that_is_broken(self):
        done, _, case = self.one_case("sh", "-c", "exit 99")
        self.assertEqual((done.returncode, case["verdict"]), (3, "ERROR"))

    def test_client_that_hangs_after_the_session_leaves_nothing(self):
        word = f"hangs-{os.getpid()}"
        body = "os.spawnlp(os.P_NOWAIT, 'sleep', 'sleep', '600'); await ws.close()\n    import time; time.sleep(600)"
        client = self.write(word + ".py", CONNECT % body)
        done, _, case = self.one_case(PYTHON, client)
        self.assertEqual((done.returncode, case["end"]), (1, "TIMEOUT"))
        self.assertEqual(self.processes_with(word), [])

    def test_client_that_floods_its_output_is_judged_like_any_other(self):
        source = PYTHON_CLIENT.read_text().replace(
            "def now_ms():", "sys.stderr.write('x' * 79 + chr(10))\nsys.stderr.write(('y' * 79 + chr(10)) * 50000)\n\n\ndef now_ms():", 1
        )
        client = self.write("floods.py", source)
        done, _, case = self.one_case(PYTHON, client)
        self.assertEqual((done.returncode, case["verdict"]), (0, "PASS"), done.stdout)

    def test_interrupt_ends_run_and_client(self):
        word = f"waits-{os.getpid()}"
        started = self.folder / "started"
        body = f"open({str(started)!r}, 'w').close(); await asyncio.sleep(600)"
        client = self.write(word + ".py", CONNECT % body)
        run = subprocess.Popen(
            [str(CONFORM), "run", "--tier", "wire", *ONE_CASE, "--", PYTHON, client],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        self.wait_for(started.exists)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=30)
        self.assertEqual(run.returncode, 130)
        self.wait_for(lambda: self.processes_with(word) == [])

    def test_killing_the_runner_ends_the_client(self):
        word = f"orphan-{os.getpid()}"
        started = self.folder / "started"
        body = f"open({str(started)!r}, 'w').close(); await asyncio.sleep(600)"
        client = self.write(word + ".py", CONNECT % body)
        run = subprocess.Popen(
            [str(CONFORM), "run", "--tier", "wire", *ONE_CASE, "--", PYTHON, client],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.wait_for(started.exists)
        run.kill()
        run.wait(timeout=30)
        self.wait_for(lambda: self.processes_with(word) == [])

    def wait_for(self, condition):
        for _ in range(3000):
            if condition():
                return
            time.sleep(0.01)
        self.fail("it did not come about within 30 s")

    def test_words_and_variables_are_filled_in(self):
        script = "import os,sys; sys.stderr.write(' '.join(sys.argv[1:]) + ' ' + os.environ['MY_URL']); sys.exit(77)"
        out = self.folder / "kept"
        done = self.conform("run", "--tier", "wire", *ONE_CASE, "--keep", "--out", out, "--env", "MY_URL={url}",
                            "--", PYTHON, "-c", script, "{url}", "{full_url}", "{config}", "x{key}y")
        text = next(out.glob("*/stderr.txt")).read_text()
        self.assertRegex(text, r"^ws://127\.0\.0\.1:\d+/realtime ws://127\.0\.0\.1:\d+/realtime\?config_id=persona-1 "
                               r"persona-1 xconform-key-\w+y ws://127\.0\.0\.1:\d+/realtime$", done.stderr)

    def test_a_failing_case_leaves_what_repeats_it(self):
        client = self.write("idle.py", CONNECT % "return")
        done, _, case = self.one_case(PYTHON, client, case="ojin/input/format")
        folder = self.folder / "conform-out" / "ojin_input_format.oris-1.0"
        self.assertEqual(case["folder"], str(folder))
        self.assertEqual(sorted(path.name for path in folder.iterdir()),
                         ["case.session", "plan.json", "repro.sh", "stderr.txt", "stdout.txt", "wire.jsonl"])
        lines = [json.loads(line) for line in (folder / "wire.jsonl").read_text().splitlines()]
        self.assertEqual(lines[0]["journal"], 1)
        self.assertNotIn("conform-key", (folder / "wire.jsonl").read_text())
        again = subprocess.run([str(folder / "repro.sh")], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(again.returncode, done.returncode)
        self.assertIn("NOTREACHED", again.stdout)
        judged = self.conform("judge", folder / "wire.jsonl")
        self.assertEqual(judged.returncode, 0, judged.stdout + judged.stderr)
        self.assertIn("OJ-CON-02  kept", judged.stdout)

    def test_a_passing_run_leaves_nothing(self):
        done, _, case = self.one_case(PYTHON, PYTHON_CLIENT)
        self.assertEqual((done.returncode, case["verdict"]), (0, "PASS"), done.stdout)
        self.assert_last_line(done, 1, 0)
        self.assertFalse((self.folder / "conform-out").exists())

    def test_junit_loads_in_another_parser(self):
        junit = self.folder / "report.xml"
        self.one_case(PYTHON, PYTHON_CLIENT, options=["--junit", junit])
        suites = xml.etree.ElementTree.parse(junit).getroot()
        self.assertEqual([case.get("name") for case in suites.iter("testcase")], ["ojin/connect/handshake"])


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
