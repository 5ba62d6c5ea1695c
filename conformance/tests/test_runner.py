"""The runner on clients that misbehave as programs: what it says, its exit status, and that nothing is left running."""

import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest

import jsonschema

from runner_case import BIN, CONFORM, PYTHON, PYTHON_CLIENT, SOURCE, TRIES, RunnerCase

ONE_CASE = ["--run", "ojin/connect/handshake"]

# Connects, then does what follows in its own words.
# To the probe before the cases, which only asks whether the client starts, it says nothing.
CONNECT = """
import asyncio, os, websockets
if os.environ["CONFORM_CASE"].startswith("conform/"):
    raise SystemExit(0)
async def main():
    url = os.environ["OJIN_URL"] + "?config_id=" + os.environ["OJIN_CONFIG_ID"]
    async with websockets.connect(url, extra_headers={"Authorization": os.environ["OJIN_API_KEY"]}) as ws:
        await ws.recv()
        %s
asyncio.run(main())
"""


class Runner(RunnerCase):
    def one_case(self, *words, options=(), case="ojin/connect/handshake", tries=TRIES):
        done, report = self.run_suite(*words, options=["--tier", "wire", "--run", case, *options], tries=tries)
        return done, report, report["cases"][0] if report else None

    def test_no_such_command(self):
        done = self.conform("run", "--", "/nonexistent/client")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "ojin-conform: cannot start /nonexistent/client: No such file or directory\n")

    def test_no_such_command_in_path(self):
        done = self.conform("run", "--", "no-such-client-anywhere")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "ojin-conform: cannot start no-such-client-anywhere: no such command in PATH\n")

    def test_a_command_that_fails_before_it_connects_is_told_with_what_it_said(self):
        raises = self.write("raises.py", "import no_such_module\n")
        for words, status, said in (
            ([PYTHON, "nosuch.py"], 2, "can't open file"),
            ([PYTHON, raises], 1, "ModuleNotFoundError"),
            (["sh", "-c", "exit 5"], 5, ""),
        ):
            with self.subTest(words):
                done = self.conform("run", *ONE_CASE, "--", *words)
                self.assertEqual(done.returncode, 3, done.stdout)
                self.assertIn(f"the client ended at once with status {status}, before it connected\n", done.stderr)
                self.assertIn(said, done.stderr)
                self.assertFalse((self.folder / "conform-out").exists())
        # One that only fails in the cases: the cause is told once.
        done = self.conform("run", "--tier", "wire", "--", "sh", "-c", "case $CONFORM_CASE in conform/*) exit 0;; esac; exit 2")
        lines = done.stdout.splitlines()
        self.assertIn("The cause", lines)
        self.assertTrue(any(re.match(r" 1  NOCONNECT  ended with exit 2 and never", line) for line in lines), done.stdout)
        self.assertRegex(lines[-1], "^0 passed, [1-9][0-9]+ failed")
        self.assertEqual((done.stdout.count("  kept in "), done.stdout.count("rerun: ")), (1, 1))
        # One that ends well, or that is run on the wire alone, is judged as it is.
        done = self.conform("run", *ONE_CASE, "--", "true")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("NOCONNECT", done.stdout)

    def test_no_command_is_wrong_usage(self):
        done = self.conform("run")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no client command", done.stderr)

    def test_a_name_in_braces_that_stands_for_nothing_is_wrong_usage(self):
        client = ("--", PYTHON, "-c", "pass")
        for words, named in ((("run", "--env", "A=x{nope}", *client), "'{nope}' in 'A=x{nope}'"),
                             (("run", *client, "--to={urls}"), "'{urls}' in '--to={urls}'"),
                             (("run", "--persistent", *client, "{url}"), "'{url}' in '{url}' with --persistent"),
                             (("run", "--persistent", "--env", "U={url}", *client), "'{url}' in 'U={url}' with --persistent")):
            done = self.conform(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(named, done.stderr)

    def test_two_braces_are_one_that_begins_no_name(self):
        source = "import os,sys; print(sys.argv[1:], os.environ['A'], file=sys.stderr)"
        self.conform("run", "--tier", "wire", "--run", "ojin/connect/handshake", "--env", "A={{url} ${b} {case}", "--", PYTHON, "-c", source,
                     "{{nope}", '{"a":{}}')
        (folder,) = (self.folder / "conform-out").iterdir()
        self.assertIn("""['{nope}', '{"a":{}}'] {url} ${b} ojin/connect/handshake""", (folder / "stderr.txt").read_text())

    def test_wrong_options_name_option_value_and_what_was_expected(self):
        for words, expected in (
            (["--profile", "oris-2"], "--profile 'oris-2': expected oris-1.0, oris-1.0-earlier, flashhead-lite-1.0 or all"),
            (["--tier", "all"], "--tier 'all': expected auto, wire, plan or observe"),
            (["--tier", "observ"], "--tier 'observ': expected auto, wire, plan or observe; did you mean \"observe\"?"),
            (["--family", "interveiw"], "--family 'interveiw': expected ojin, duplex or interview; did you mean \"interview\"?"),
            (["--jobs", "0"], "--jobs '0': expected 1 or more"),
            (["--size", "100"], "--size '100': expected WIDTHxHEIGHT, such as 1280x720"),
            (["--env", "NAME"], "--env 'NAME': expected NAME=VALUE"),
        ):
            done = self.conform("run", *words, "--", "true")
            self.assertEqual(done.returncode, 2, words)
            self.assertEqual(done.stderr.splitlines()[0], "ojin-conform run: " + expected)

    def test_nothing_matches(self):
        done = self.conform("run", "--run", "no/such/case", "--", "true")
        self.assertEqual(done.returncode, 2, done.stderr)
        done = self.conform("run", "--run", "ojin/ready/*", "--skip", "ojin/*", "--", "true")
        self.assertEqual(done.returncode, 3, done.stderr)
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

    def test_an_exception_behind_a_flood_is_still_a_crash(self):
        body = "sys.stderr.write(('y' * 79 + chr(10)) * 30000)\n        raise KeyError('behind it')"
        client = self.write("floods.py", "import sys" + CONNECT % body)
        done, _, case = self.one_case(PYTHON, client)
        self.assertEqual((done.returncode, case["end"]), (1, "CRASH"), done.stdout)
        self.assertIn("uncaught exception: KeyError: 'behind it'", done.stdout)
        folder = pathlib.Path(case["folder"])
        kept = (folder / "stderr.txt").read_text()
        self.assertRegex(kept, r"\n\[\d+ bytes were cut here\]\n")
        self.assertTrue(kept.endswith("KeyError: 'behind it'\n"))
        self.assertIn("bytes of standard error are not kept here", (folder / "output-was-cut.txt").read_text())

    def test_a_log_that_speaks_of_crashes_is_no_crash(self):
        log = "no Uncaught errors here\nTraceback (most recent call last):\n  none\nKeyError: caught\n"
        client = self.changed_client(("class CannotDo", f"sys.stderr.write({log!r})\nclass CannotDo"))
        done, _, case = self.one_case(PYTHON, client)
        self.assertEqual((done.returncode, case["verdict"], case["end"]), (0, "PASS", ""), done.stdout)

    def test_a_wrong_observation_is_laid_to_the_adapter(self):
        lines = "print('hello')\nprint('{\"conform\":1}', flush=True)\nclass CannotDo"
        done, _, case = self.one_case(PYTHON, self.changed_client(("class CannotDo", lines)))
        self.assertEqual((done.returncode, case["verdict"]), (3, "ERROR"), done.stdout)
        self.assertIn('the adapter\'s observation in line 2 of standard output: "seen" is missing', done.stdout)
        self.assertNotIn("the suite itself", done.stdout)

    def test_a_wrong_observation_hides_no_crash(self):
        body = "print('{\"conform\":1}', flush=True)\n        os.kill(os.getpid(), 11)"
        done, _, case = self.one_case(PYTHON, self.write("both.py", CONNECT % body))
        self.assertEqual((done.returncode, case["end"], case["verdict"]), (1, "CRASH", "FAIL"), done.stdout)
        self.assertIn("killed by SIGSEGV", done.stdout)

    def test_client_that_runs_past_the_limit_is_a_timeout(self):
        client = self.write("stays.py", CONNECT % "await ws.send(HEAD + bytes(1280)); await asyncio.sleep(600)")
        source = pathlib.Path(client).read_text().replace(
            "async def main", "import struct, time\nHEAD = struct.pack('!BQI', 1, int(time.time() * 1000), 0)\nasync def main", 1)
        client = self.write("stays.py", source)
        done, _, case = self.one_case(PYTHON, client)
        self.assertEqual((done.returncode, case["end"], case["verdict"]), (1, "TIMEOUT", "FAIL"), done.stdout)
        self.assertIn(" 1  TIMEOUT  still running past the limit of the case, 10 s\n", done.stdout)
        self.assertRegex(done.stdout, r"\n    the mock +stood in line \d+: \w+")  # what it waited for never came

    def test_client_that_drops_the_first_silence_and_waits_for_ever_fails_for_that_alone(self):
        waits = ("await self.client.connect()", "await self.client.connect()\n            await self.client.until(lambda: False)")
        client = self.changed_client(("await self.open_stream()", "pass"), waits)
        options = ["--inferred", "--tier", "observe"]
        for case in ("ojin/connect/handshake", "ojin/input/format", "ojin/input/whole-speech",
                     "ojin/ready/opening-silence", "ojin/cancel/late-speech"):
            options += ["--run", case]
        done, report = self.run_suite(PYTHON, client, options=options)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        verdicts = self.verdicts(report)
        self.assertEqual([id for id, verdict in verdicts.items() if verdict == "FAIL"], ["OJ-RDY-04"], done.stdout)
        self.assertEqual([id for id, verdict in verdicts.items() if verdict in ("ERROR", "UNSUPPORTED")], [])
        self.assertEqual({case["end"] for case in report["cases"]}, {"TIMEOUT"}, done.stdout)

    # Sends ten messages at once, and stops the worker (the parent of its own parent) in their midst.
    RUSH_ON_A_LATE_MACHINE = """
import pathlib, signal, time
def parent(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
def machine_is_late():
    worker = parent(os.getppid())
    os.kill(worker, signal.SIGSTOP)
    time.sleep(0.4)
    os.kill(worker, signal.SIGCONT)
"""

    def test_timing_on_a_late_machine_is_run_again_alone_and_stays_open(self):
        starts = self.folder / "starts"
        body = (
            f"open({str(starts)!r}, 'a').write('x'); machine_is_late()\n"
            "        for _ in range(7):\n"
            "            await ws.send('{\"type\":\"cancelInteraction\",\"payload\":{\"timestamp\":%d}}' % (time.time() * 1000))\n"
            "            await asyncio.sleep(0.1)\n"  # too many by a little: that little lateness may be the machine's
            "        await asyncio.sleep(1)"
        )
        source = (CONNECT.replace("%s", "BODY")).replace("BODY", body).replace("async def main", self.RUSH_ON_A_LATE_MACHINE + "async def main", 1)
        done, report, case = self.one_case(PYTHON, self.write("rush.py", source), tries=1)
        self.assertEqual(starts.read_text(), "xx", done.stdout)
        self.assertEqual(self.verdicts(report)["OJ-IN-08"], "INCONCLUSIVE", done.stdout)
        self.assertIn("run again alone", case["note"])

    def test_what_fails_on_a_late_machine_is_run_again_alone_and_then_stands(self):
        for late, runs in (("machine_is_late()", "xx"), ("pass", "x")):
            starts = self.folder / f"starts{len(runs)}"
            body = (f"open({str(starts)!r}, 'a').write('x'); {late}\n"
                    "        await ws.send(b'\\x01' * 14)\n"
                    "        await asyncio.sleep(0.2)")
            source = (CONNECT.replace("%s", "BODY")).replace("BODY", body).replace("async def main", self.RUSH_ON_A_LATE_MACHINE + "async def main", 1)
            done, report, case = self.one_case(PYTHON, self.write(f"wrong{len(runs)}.py", source))
            self.assertEqual((starts.read_text(), self.verdicts(report)["OJ-IN-01"]), (runs, "FAIL"), done.stdout)
            self.assertEqual((done.returncode, case["verdict"]), (1, "PASS"), done.stdout)  # which is about something else
            self.assertEqual("run again alone" in case["note"], len(runs) == 2)

    def test_what_fails_on_a_late_machine_and_passes_alone_is_flaky(self):
        starts = self.folder / "starts"
        body = (f"open({str(starts)!r}, 'a').write('x')\n"
                f"        if os.path.getsize({str(starts)!r}) == 1:\n"
                "            machine_is_late()\n"
                "            await ws.send(b'\\x01' * 14)\n"
                "        else:\n"
                "            await ws.send(b'\\x01' + int(time.time() * 1000).to_bytes(8, 'big') + bytes(4 + 1280))\n"
                "        await asyncio.sleep(0.2)")
        source = (CONNECT.replace("%s", "BODY")).replace("BODY", body).replace("async def main", self.RUSH_ON_A_LATE_MACHINE + "import time\nasync def main", 1)
        done, report, case = self.one_case(PYTHON, self.write("once.py", source))
        self.assertEqual((done.returncode, case["verdict"], self.verdicts(report)["OJ-IN-01"]), (0, "FLAKY", "FLAKY"), done.stdout)
        self.assertIn("passed when it was run again alone, since the machine was late", case["note"])

    def test_a_long_word_reaches_the_client_whole(self):
        long = "x" * 20000
        done, _, case = self.one_case("sh", "-c", 'test ${#1} = 20000 && exit 77; exit 99', "sh", long)
        self.assertEqual((done.returncode, case["verdict"]), (3, "UNSUPPORTED"), done.stdout)

    def test_what_the_client_leaves_behind_is_reaped_while_it_runs(self):
        client = self.write("leaves.py", """
import os, pathlib, sys, time
guard = os.getppid()
read, write = os.pipe()
child = os.fork()
if child == 0:
    if os.fork() == 0:
        os.read(read, 1)  # until the client says so, when its parent is gone
    os._exit(0)
os.waitpid(child, 0)
def children():
    return pathlib.Path(f"/proc/{guard}/task/{guard}/children").read_text().split()
def wait_for(count):
    for _ in range(1000):
        if len(children()) == count:
            return
        time.sleep(0.01)
    sys.exit(99)
wait_for(2)
os.write(write, b"x")
wait_for(1)
sys.exit(77)
""")
        done, _, case = self.one_case(PYTHON, client)
        self.assertEqual((done.returncode, case["verdict"]), (3, "UNSUPPORTED"), done.stdout)

    def test_client_that_does_nothing(self):
        client = self.write("idle.py", CONNECT % "return")
        done, _, case = self.one_case(PYTHON, client, case="ojin/input/format")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(case["verdict"], "NOTREACHED")

    def test_client_that_cannot_do_the_case(self):
        done, _, case = self.one_case("sh", "-c", "exit 77")
        self.assertEqual((done.returncode, case["verdict"]), (3, "UNSUPPORTED"))

    def test_adapter_that_is_broken(self):
        done, report, _ = self.one_case("sh", "-c", "exit 99")
        self.assertEqual((done.returncode, report, done.stderr), (3, None, "ojin-conform: the adapter says that it is broken (exit 99)\n"))
        done, _, case = self.one_case("sh", "-c", "case $CONFORM_CASE in conform/*) exit 0;; esac; exit 99")
        self.assertEqual((done.returncode, case["verdict"]), (3, "ERROR"))

    def test_client_that_hangs_after_the_session_leaves_nothing(self):
        word = f"hangs-{os.getpid()}"
        body = "os.spawnlp(os.P_NOWAIT, 'sleep', 'sleep', '600'); await ws.close()\n    import time; time.sleep(600)"
        client = self.write(word + ".py", CONNECT % body)
        done, _, case = self.one_case(PYTHON, client)
        self.assertEqual((done.returncode, case["end"]), (1, "TIMEOUT"))
        self.assertEqual(self.processes_with(word), [])

    def test_client_that_floods_its_output_is_judged_like_any_other(self):
        flood = "sys.stderr.write('x' * 79 + chr(10))\nsys.stderr.write(('y' * 79 + chr(10)) * 50000)\nclass CannotDo"
        client = self.changed_client(("class CannotDo", flood))
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
        said, _ = run.communicate(timeout=30)
        self.assertEqual(run.returncode, 130)
        self.assertEqual(said.strip().splitlines()[-1], "0 passed, 0 failed")  # nothing can be said of the case
        self.assertFalse((self.folder / "conform-out").exists())
        self.wait_for(lambda: self.processes_with(word) == [])

    def test_two_runs_share_no_folder(self):
        started = self.folder / "started"
        body = f"open({str(started)!r}, 'w').close(); await asyncio.sleep(600)"
        client = self.write(f"holds-{os.getpid()}.py", CONNECT % body)
        words = ["run", "--tier", "wire", *ONE_CASE, "--", PYTHON, client]
        first = subprocess.Popen([str(CONFORM), *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.wait_for(started.exists)
        kept = sorted(self.folder.glob("conform-out/**/*"))
        second = self.conform(*words)
        self.assertEqual((second.returncode, second.stdout), (2, ""))
        self.assertEqual(
            second.stderr,
            f"ojin-conform run: another run (process {first.pid}) writes to the folder conform-out: "
            "wait until it has ended, or name another folder with --out\n",
        )
        self.assertEqual(sorted(self.folder.glob("conform-out/**/*")), kept)
        elsewhere = self.conform("run", *ONE_CASE, "--out", "other", "--", BIN / "ojin-client", "conform")
        self.assertEqual(elsewhere.returncode, 0, elsewhere.stdout + elsewhere.stderr)
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=30)
        again = self.conform("run", *ONE_CASE, "--", BIN / "ojin-client", "conform")
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertFalse((self.folder / "conform-out").exists())

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
        folder = pathlib.Path(case["folder"])
        self.assertEqual(folder.parent, self.folder / "conform-out")
        self.assertRegex(folder.name, r"^ojin_input_format\.oris-1\.0(\.try\d)?$")  # a late machine has cases run again
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
        self.assertIn("5 PASS", judged.stdout)
        self.assertIn("OJ-CON-02  PASS", self.conform("judge", "--verbose", folder / "wire.jsonl").stdout)

    def test_a_journal_is_judged_with_the_reports_of_a_run(self):
        client = self.write("bearer.py", """
import base64, os, socket
host, port = os.environ["OJIN_URL"].split("/")[2].split(":")
with socket.create_connection((host, int(port))) as peer:
    peer.sendall(("GET /realtime?config_id=persona-1 HTTP/1.1\\r\\nHost: a\\r\\nUpgrade: websocket\\r\\n"
                  "Connection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: "
                  + base64.b64encode(bytes(16)).decode() + "\\r\\nAuthorization: Bearer " + os.environ["OJIN_API_KEY"]
                  + "\\r\\n\\r\\n").encode())
    while peer.recv(4096):
        pass
""")
        done, _ = self.run_suite(PYTHON, client, options=["--tier", "wire", *ONE_CASE, "--out", self.folder / "kept"])
        self.assertEqual(done.returncode, 1, done.stdout)
        journal = self.folder / "kept/ojin_connect_handshake.oris-1.0/wire.jsonl"
        paths = {kind: self.folder / f"judged.{kind}" for kind in ("json", "junit", "tap", "html", "markdown")}
        words = [word for kind, path in paths.items() for word in (f"--{kind}", path)]
        judged = self.conform("judge", *words, journal)
        self.assertEqual(judged.returncode, 1, judged.stdout + judged.stderr)
        report = json.loads(paths["json"].read_text())
        (case,) = report["cases"]
        self.assertEqual((report["transport"], case["name"], case["verdict"]), ("journal", "connection/1", "FAIL"))
        self.assertEqual(self.verdicts(report)["OJ-CON-02"], "FAIL")
        schema = json.loads((SOURCE / "conformance/report.schema.json").read_text())
        jsonschema.Draft202012Validator(schema).validate(report)
        for point in ("not ok 1 - connection/1", "not ok 2 - requirement OJ-CON-02"):
            self.assertIn(point, paths["tap"].read_text())
        self.assertIn('name="', paths["junit"].read_text())
        self.assertIn("OJ-CON-02", paths["markdown"].read_text())
        self.assertIn("connection/1", paths["html"].read_text())
        (again,) = [line.split("rerun:", 1)[1] for line in judged.stdout.splitlines() if line.startswith("    rerun:")]
        repeated = subprocess.run(shlex.split(again), capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((repeated.returncode, repeated.stdout.splitlines()[-1]), (1, "0 passed, 1 failed"))
        self.assertEqual(self.conform("judge", "--connection", "2", journal).returncode, 3)
        self.assertEqual(self.conform("judge", "--connection", "0", journal).returncode, 2)

    def test_judges_speech_at_the_rate_of_the_journal_s_family(self):
        case = "interview/input/whole-answer"
        done, _ = self.run_suite(CONFORM, "defect", "none", options=["--family", "interview", "--run", case, "--keep", "--out", self.folder / "kept"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        journal = self.folder / "kept" / f"{case.replace('/', '_')}.interview-1.0/wire.jsonl"
        for answer, verdict, code in (("answer-1.wav", "PASS", 0), ("answer-2.wav", "DISPUTED", 0)):
            judged = self.conform("judge", "--verbose", "--audio", SOURCE / "fixtures/speech" / answer, journal)
            self.assertEqual(judged.returncode, code, judged.stdout + judged.stderr)
            self.assertRegex(judged.stdout, f"IV-IN-02 +{verdict}")
        missing = self.conform("judge", "--audio", self.folder / "none.wav", journal)
        self.assertEqual(missing.returncode, 2, missing.stdout + missing.stderr)

    def test_the_line_that_repeats_a_case_has_every_option_that_had_a_part_in_it(self):
        cases = self.folder / "my cases"
        cases.mkdir()
        shutil.copy(SOURCE / "conformance/cases/ojin/connect/handshake.session", cases)
        client = self.write("asks.py", "import os, sys; sys.exit(0 if os.environ.get('MY WORD') == 'two words' else 99)")
        options = ["--tier", "wire", "--profile", "oris-1.0-earlier", "--env", "MY WORD=two words", "--seed", "7", "--size", "640x384",
                   "--strict", "--inferred", "--keep", "--cases", cases, "--out", self.folder / "kept here"]
        done, report = self.run_suite(PYTHON, client, "it's", "", options=options)
        self.assertEqual((done.returncode, report["cases"][0]["end"]), (1, "NOCONNECT"), done.stdout + done.stderr)
        script = self.folder / "kept here/ojin_connect_handshake.oris-1.0-earlier/repro.sh"
        line = script.read_text().splitlines()[-1]
        self.assertIn(f"rerun: {line.removeprefix('exec ')}\n", done.stdout)
        words = shlex.split(line)
        self.assertEqual(words[words.index("--") + 1 :], [PYTHON, client, "it's", ""])
        given = words[: words.index("--")]
        self.assertEqual(given[given.index("--run") + 1], "ojin/connect/handshake")
        for at, word in enumerate(options):
            self.assertIn(str(word), given)
            if at > 0 and str(options[at - 1]).startswith("--") and not str(word).startswith("--"):
                self.assertEqual(given[given.index(str(options[at - 1])) + 1], str(word))
        again = subprocess.run([str(script)], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("NOCONNECT", again.stdout)

    def test_the_line_that_repeats_a_case_runs_in_any_folder(self):
        self.write("asks.py", "import sys; sys.exit(0 if sys.argv[1:] == ['a.b', 'asks'] else 99)")
        shutil.copytree(SOURCE / "conformance/cases/ojin/connect", self.folder / "cases")
        done, _ = self.run_suite(PYTHON, "asks.py", "a.b", "asks", options=[
            "--tier", "wire", *ONE_CASE, "--out", "./kept", "--cases", "cases"])
        line = next(line for line in done.stdout.splitlines() if line.startswith("    rerun: "))
        words = shlex.split(line)[1:]
        for name in "kept", "cases", "asks.py":
            self.assertIn(str(self.folder / name), words)
        self.assertEqual(words[-2:], ["a.b", "asks"])
        again = subprocess.run(words, cwd="/", capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("NOCONNECT", again.stdout)

    def test_a_line_too_long_to_show_is_whole_in_repro_sh(self):
        word = "y" * 30000
        done, _, case = self.one_case("sh", "-c", "exit 0", "sh", word)
        script = pathlib.Path(case["folder"]) / "repro.sh"
        self.assertIn(f"rerun: sh {script}\n", done.stdout)
        self.assertTrue(script.read_text().endswith(f" {word}\n"))

    def test_a_passing_run_leaves_nothing(self):
        done, _, case = self.one_case(PYTHON, PYTHON_CLIENT)
        self.assertEqual((done.returncode, case["verdict"]), (0, "PASS"), done.stdout)
        self.assert_last_line(done, 1, 0)
        self.assertFalse((self.folder / "conform-out").exists())

    def test_a_folder_that_was_there_before_stays_and_temporary_ones_go(self):
        out, temporary, tls = self.folder / "mine", self.folder / "temporary", "ojin/connect/tls"
        options = ["--out", out, "--tier", "observe"]
        out.mkdir()
        temporary.mkdir()
        self.environment["TMPDIR"] = str(temporary)
        done, _, case = self.one_case(BIN / "ojin-client", "conform", case=tls, options=options)
        self.assertEqual((done.returncode, case["verdict"]), (0, "PASS"), done.stdout + done.stderr)
        self.assertEqual((list(out.iterdir()), list(temporary.iterdir())), ([], []))
        done, _, case = self.one_case(BIN / "ojin-client", "conform", case=tls, options=[*options, "--keep"])
        self.assertFalse((pathlib.Path(case["folder"]) / "ca.pem").exists())
        self.assertEqual(list(temporary.iterdir()), [])


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
