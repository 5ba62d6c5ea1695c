"""How clients end: what is told apart in the report, and that nothing is left running, whatever they start and however the runner ends."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

from runner_case import CONFORM, PYTHON, PYTHON_CLIENT, SOURCE, TRIES, RunnerCase, wait_for_calm

MINIMAL = SOURCE / "conformance/clients/minimal"
HANDSHAKE = ["--tier", "wire", "--run", "ojin/connect/handshake"]

# Leaves children of each kind behind: one of its own, a grandchild whose parent is gone, one in a session of its own, one that
# ignores SIGTERM. Their words tell them from all other processes.
LITTER = """
import os, signal, subprocess, sys, time
word = sys.argv[1]
sleep = [sys.executable, "-c", "import time; time.sleep(600)", word]
subprocess.Popen(sleep)
subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)", word])
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        subprocess.Popen(sleep)
        os.execv(sys.executable, sleep)
    os._exit(0)
os.wait()
"""


class Ends(RunnerCase):
    def setUp(self):
        super().setUp()
        self.word = f"litter-{os.getpid()}-{self._testMethodName}"

    def client(self, end):
        """The minimal client of the wire tier, with litter, up to its end; then `end`."""
        self.write("session.py", (MINIMAL / "session.py").read_text())
        body = (MINIMAL / "wire.py").read_text()
        self.assertIn("sys.exit(1 if session.failed else 0)\n", body)
        return self.write("client.py", LITTER + body.replace("sys.exit(1 if session.failed else 0)\n", end))

    def nothing_is_left(self):
        deadline = time.monotonic() + 10  # a killed process takes its time to go
        while time.monotonic() < deadline and self.processes_with(self.word):
            time.sleep(0.05)
        self.assertEqual(self.processes_with(self.word), [])

    def case_of(self, client, *options):
        done, report = self.run_suite(PYTHON, client, self.word, options=[*HANDSHAKE, *options])
        self.assertIsNotNone(report, done.stderr)
        return done, report["cases"][0]

    def test_what_a_client_leaves_behind_is_gone_when_it_passes(self):
        done, case = self.case_of(self.client("sys.exit(0)\n"))
        self.assertEqual((done.returncode, case["verdict"]), (0, "PASS"), done.stdout)
        self.assertEqual(self.processes_with(self.word), [])

    def test_a_client_that_forks_and_hangs_is_a_timeout(self):
        done, case = self.case_of(self.client("time.sleep(600)\n"))
        self.assertEqual((done.returncode, case["end"]), (1, "TIMEOUT"), done.stdout)
        self.assertEqual(self.processes_with(self.word), [])

    def test_crashes_are_told_apart(self):
        asan = ("sys.stderr.write('==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000018\\n')\n"
                "sys.stderr.flush()\nos._exit(1)\n")
        for end, note in (
            ("os.kill(os.getpid(), 11)\n", "killed by SIGSEGV"),
            (asan, "AddressSanitizer report: ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000018"),
            ("raise LookupError('nobody catches it')\n", "uncaught exception: LookupError: nobody catches it"),
        ):
            done, case = self.case_of(self.client(end))
            self.assertEqual((done.returncode, case["end"], case["verdict"]), (1, "CRASH", "FAIL"), done.stdout)
            self.assertIn(note, case["note"])
            self.assertEqual(self.processes_with(self.word), [])

    def test_an_exception_that_does_not_end_the_process_is_a_remark(self):
        thread = "import threading\nthread = threading.Thread(target=lambda: 1 / 0)\nthread.start()\nthread.join()\nsys.exit(0)\n"
        done, case = self.case_of(self.client(thread))
        self.assertEqual((done.returncode, case["end"], case["verdict"]), (0, "", "INFO"), done.stdout)
        self.assertEqual([check["actual"] for check in case["checks"] if check["name"] == "exit"],
                         ["in a thread or a task, and the process went on: uncaught exception: ZeroDivisionError: division by zero"])

    def test_an_exception_that_was_logged_is_no_crash(self):
        logged = "import logging\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    logging.exception('it failed')\nlogging.error('giving up')\nsys.exit(1)\n"
        done, case = self.case_of(self.client(logged))
        self.assertEqual((done.returncode, case["end"]), (0, ""), done.stdout)

    def test_an_exception_over_a_refusal_is_a_crash_only_of_a_client_that_could_have_reported(self):
        self.write("session.py", (MINIMAL / "session.py").read_text())
        end = "sys.exit(1 if session.failed else 0)\n"
        body = (MINIMAL / "wire.py").read_text()
        self.assertIn(end, body)
        declines = "import os, sys\nsys.exit(77) if os.environ['CONFORM_CASE'].startswith('conform/') else None\n"
        tells = "print('{\"conform\":1,\"seen\":\"error\",\"code\":\"401\",\"text\":\"no\"}', flush=True)\n"
        raises = "if session.failed:\n    raise ConnectionError('refused')\n"
        remark = "when the mock refused it, it ended with exit 1: uncaught exception: ConnectionError: refused"
        for tier, does, ended, remarks in (("wire", raises, "", [remark]), ("observe", raises, "CRASH", []), ("observe", tells + raises, "", [])):
            client = self.write("client.py", declines + body.replace(end, does))
            done, report = self.run_suite(PYTHON, client, options=["--tier", tier, "--run", "ojin/connect/key-stays-secret-refused"])
            case = report["cases"][0]
            self.assertEqual((case["end"], done.returncode), (ended, 1 if ended else 0), done.stdout)
            self.assertEqual([check["actual"] for check in case["checks"] if check["name"] == "exit"], remarks)

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_a_real_sanitizer_report_is_a_crash(self):
        source = self.write("over.c", "#include <stdlib.h>\nint main(void) { volatile char *p = malloc(8); p[8] = 1; return 0; }\n")
        built = subprocess.run(["cc", "-fsanitize=address", "-o", self.folder / "over", source], capture_output=True, check=False)
        if built.returncode != 0:
            self.skipTest("the compiler has no AddressSanitizer")
        starts = 'case $CONFORM_CASE in conform/*) exit 0;; esac; exec "$0"'  # else it would be one that cannot start
        done, report = self.run_suite("sh", "-c", starts, self.folder / "over", options=HANDSHAKE)
        self.assertEqual((done.returncode, report["cases"][0]["end"]), (1, "CRASH"), done.stdout)
        self.assertIn("AddressSanitizer", report["cases"][0]["note"])

    def test_a_flood_is_cut_and_the_client_judged_as_usual(self):
        flood = "for _ in range(40):\n    sys.stdout.write(('z' * 99 + '\\n') * 1000)\nsys.exit(0)\n"
        done, case = self.case_of(self.client(flood), "--keep")
        self.assertEqual((done.returncode, case["verdict"]), (0, "PASS"), done.stdout)
        folder = pathlib.Path(case["folder"])
        self.assertRegex((folder / "stdout.txt").read_text(), r"\n\[\d+ bytes were cut here\]\n")
        self.assertLess((folder / "stdout.txt").stat().st_size, 1100000)

    def test_what_the_upgrade_was_refused_for_is_told(self):
        body = (MINIMAL / "session.py").read_text()
        version = "Sec-WebSocket-Version: 13"
        self.assertIn(version, body)
        self.write("session.py", body.replace(version, "Sec-WebSocket-Version: 12"))
        client = self.write("client.py", (MINIMAL / "wire.py").read_text())
        _, case = self.case_of(client)
        sentence = "refused the request with HTTP 426: Only version 13 of the WebSocket protocol is spoken here."
        self.assertIn(sentence, "".join(check["actual"] for check in case["checks"]))
        get = ("import os, socket, urllib.parse\nurl = urllib.parse.urlsplit(os.environ['OJIN_URL'])\n"
               "plain = socket.create_connection((url.hostname, url.port))\n"
               "plain.sendall(b'GET /realtime HTTP/1.1\\r\\nHost: here\\r\\n\\r\\n')\nplain.recv(1000)\n")
        done, case = self.case_of(self.write("get.py", get))
        self.assertEqual(case["end"], "NOCONNECT", done.stdout)
        self.assertIn("refused the request with HTTP 426: This is a WebSocket endpoint", case["checks"][0]["actual"])

    def test_the_run_goes_on_behind_every_end(self):
        client = self.client("os.kill(os.getpid(), 11)\n")
        done, report = self.run_suite(PYTHON, client, self.word, options=["--tier", "wire", "--run", "ojin/connect/*"])
        self.assertGreater(len([case for case in report["cases"] if case["end"] == "CRASH"]), 1, done.stdout)
        self.assertEqual(self.processes_with(self.word), [])

    # How a client may end, by the name of the case: what it does in place of a session, or after one.
    INSTEAD = {"never-connects": "sys.exit(0)\n", "does-nothing": "session = Session(*WHERE)\nsession.close()\nsys.exit(0)\n"}
    AFTERWARDS = {
        "passes": "",
        "hangs": "time.sleep(600)\n",
        "signal": "os.kill(os.getpid(), 11)\n",
        "sanitizer": "sys.stderr.write('==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010\\n')\nos._exit(1)\n",
        "exception": "raise LookupError('nobody catches it')\n",
        "floods": "for _ in range(40):\n    sys.stdout.write(('z' * 99 + '\\n') * 1000)\n",
    }
    CASE = """case     ojin/ends/NAME
title    "A client ends: NAME"
expect   "It speaks"
clause   OJ-IN-06 MUST
limit    5s

plan {
  speak "hello-1s.wav"
  end
}
server {
  accept
  serve until=close
}
"""

    def test_every_end_in_one_run(self):
        self.write("session.py", (MINIMAL / "session.py").read_text())
        (self.folder / "cases").mkdir()
        for name in (*self.INSTEAD, *self.AFTERWARDS):
            self.write(f"cases/{name}.session", self.CASE.replace("NAME", name))
        client = self.write("client.py", LITTER + "from session import Session\n"
                            "WHERE = [os.environ[name] for name in ('OJIN_URL', 'OJIN_API_KEY', 'OJIN_CONFIG_ID')]\n"
                            "NAME = os.environ['CONFORM_CASE'].rpartition('/')[2]\n"
                            f"exec({self.INSTEAD!r}.get(NAME, ''))\n"
                            "session = Session(*WHERE)\nsession.speak(os.environ['OJIN_AUDIO'])\nsession.end()\n"
                            f"exec({self.AFTERWARDS!r}[NAME])\n")
        done, report = self.run_suite(PYTHON, client, self.word, options=["--tier", "wire", "--cases", self.folder / "cases"])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        ends = {case["name"].rpartition("/")[2]: (case["verdict"], case["end"]) for case in report["cases"]}
        self.assertEqual(ends, {
            "never-connects": ("NOTREACHED", "NOCONNECT"),
            "does-nothing": ("NOTREACHED", ""),
            "hangs": ("DISPUTED", "TIMEOUT"),
            "signal": ("FAIL", "CRASH"),
            "sanitizer": ("FAIL", "CRASH"),
            "exception": ("FAIL", "CRASH"),
            "floods": ("PASS", ""),
            "passes": ("PASS", ""),
        }, done.stdout)
        for note in ("killed by SIGSEGV", "AddressSanitizer report: ", "uncaught exception: LookupError"):
            self.assertEqual(sum(note in (case["note"] or "") for case in report["cases"]), 1, note)
        self.assertEqual(self.processes_with(self.word), [])

    def test_a_client_that_does_nothing_passes_no_check(self):
        self.write("session.py", (MINIMAL / "session.py").read_text())
        client = self.write("client.py", "import os, sys, session\n"
                            "sys.exit(77) if os.environ['CONFORM_CASE'].startswith('conform/') else None\n"
                            "class Silent(session.Session):\n"
                            "    run = send = lambda self, *words: None\n"
                            "Silent(os.environ['OJIN_URL'], os.environ['OJIN_API_KEY'], os.environ['OJIN_CONFIG_ID'])\n")
        tiers = {"wire": ("close/own-end", "input/stereo-48k"),
                 "observe": ("close/own-end", "error/code-auth-failed", "ready/minimal", "connect/closed-while-waiting")}
        for tier, names in tiers.items():
            words = [word for name in names for word in ("--run", f"ojin/{name}")]
            # Where the machine is so late that the client outlives the plan's close, it has left as it should.
            for _ in range(TRIES):
                done, report = self.run_suite(PYTHON, client, options=["--tier", tier, *words])
                verdicts = [case["verdict"] for case in report["cases"]]
                if verdicts == ["NOTREACHED"] * len(names):
                    break
                wait_for_calm()
            self.assertEqual((done.returncode, verdicts), (1, ["NOTREACHED"] * len(names)), done.stdout)
            for case in report["cases"]:
                verdicts = {check["verdict"] for check in case["checks"] if check["name"] != "wire"}
                self.assertNotIn("PASS", verdicts, case["name"])
                self.assertTrue(tier == "wire" or verdicts == {"NOTREACHED"}, (case["name"], verdicts))

    def test_an_exit_that_tells_of_an_error_which_there_was_not_is_remarked_on(self):
        self.write("session.py", (MINIMAL / "session.py").read_text())
        client = self.write("client.py", (MINIMAL / "wire.py").read_text().replace("sys.exit(1 if session.failed else 0)", "sys.exit(1)"))
        names = {"ojin/end/before-close": True, "ojin/connect/key-stays-secret-refused": False}
        words = [word for name in names for word in ("--run", name)]
        done, report = self.run_suite(PYTHON, client, options=["--tier", "wire", *words])
        self.assertEqual(done.returncode, 0, done.stdout)
        for case in report["cases"]:
            remarks = [check["actual"] for check in case["checks"] if check["name"] == "exit"]
            self.assertEqual(bool(remarks), names[case["name"]], case)
        self.assertIn("it ended with exit 1, an error, after a session in which there was none", done.stdout)

    def test_a_crash_does_not_pass_for_restraint(self):
        client = self.write("client.py", "import os, sys\n"
                            "sys.exit(77) if os.environ['CONFORM_CASE'].startswith('conform/') else None\n"
                            "raise LookupError('before anything was sent')\n")
        done, report = self.run_suite(PYTHON, client, options=["--tier", "observe", "--run", "ojin/connect/tls-expired"])
        verdicts = {one["id"]: one["verdict"] for one in report["requirements"]}
        self.assertEqual((done.returncode, report["cases"][0]["end"], verdicts["OJ-CON-09"]), (1, "CRASH", "NOTREACHED"), done.stdout)

    def test_a_client_that_refuses_a_sound_before_it_connects_is_failed_for_nothing(self):
        options = ["--tier", "wire", "--run", "ojin/input/stereo-48k", "--run", "ojin/close/own-end"]
        refuses = "import os; raise SystemExit(0 if os.environ['CONFORM_CASE'].startswith('conform/') else 'no such sound')"
        done, report = self.run_suite(PYTHON, "-c", refuses, options=options)
        ends = {case["name"].rpartition("/")[2]: (case["verdict"], case["end"]) for case in report["cases"]}
        self.assertEqual(ends, {"stereo-48k": ("UNSUPPORTED", "NOCONNECT"), "own-end": ("NOTREACHED", "NOCONNECT")}, done.stdout)

    def test_an_exit_that_stands_for_nothing_is_named(self):
        for code, said in ((5, "exit 5, taken for 1"), (-1, "exit 255, taken for 1")):
            done, case = self.case_of(self.client(f"sys.exit({code})\n"))
            self.assertEqual((done.returncode, case["verdict"]), (0, "INFO"), done.stdout)
            self.assertIn(said, case["note"])

    def ends_with_its_runner(self, how, *options, code=None):
        started = self.folder / "started"
        client = self.client(f"open({str(started)!r}, 'w').close()\ntime.sleep(600)\n")
        runner = subprocess.Popen([str(CONFORM), "run", *HANDSHAKE, *options, "--", PYTHON, client, self.word], cwd=self.folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not started.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertGreater(len(self.processes_with(self.word)), 4)
        runner.send_signal(how)
        self.assertEqual(runner.wait(timeout=60), code)
        self.nothing_is_left()

    STAYS = """case     mine/ends/stays
title    "Nothing that would make a client leave"
expect   "It stays"
clause   OJ-OUT-01 MUST
limit    3s

plan {
  wait 1s
}
server {
  accept
  serve  until=close
}
check    stays  MUST  after=sent:ready  none received:close,end
"""

    def test_the_end_of_a_client_that_is_killed_is_none_of_its_own(self):
        (self.folder / "cases").mkdir()
        self.write("cases/stays.session", self.STAYS)
        client = self.write("stays.py", """
import base64, os, socket, struct, sys, time
if os.environ["CONFORM_CASE"] != "mine/ends/stays":
    sys.exit(77)
host, port = os.environ["OJIN_URL"].split("/")[2].split(":")
peer = socket.create_connection((host, int(port)))
peer.sendall(("GET /realtime?config_id=" + os.environ["OJIN_CONFIG_ID"] + " HTTP/1.1\\r\\nHost: x\\r\\nUpgrade: websocket\\r\\n"
              "Connection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: " + base64.b64encode(bytes(16)).decode()
              + "\\r\\nAuthorization: " + os.environ["OJIN_API_KEY"] + "\\r\\n\\r\\n").encode())
heard = b""
while b"sessionReady" not in heard:
    heard += peer.recv(4096)
silence = struct.pack("!BQI", 1, int(time.time() * 1000), 0) + bytes(1280)
peer.sendall(struct.pack("!BBH", 0x82, 0x80 | 126, len(silence)) + bytes(4) + silence)
while peer.recv(4096):
    pass
""")
        done, report = self.run_suite(PYTHON, client, options=["--tier", "plan", "--cases", self.folder / "cases"])
        (case,) = report["cases"]
        self.assertEqual((done.returncode, case["end"]), (1, "TIMEOUT"), done.stdout + done.stderr)
        self.assertEqual({check["name"]: check["verdict"] for check in case["checks"] if check["name"] in ("stays", "timeout")},
                         {"stays": "PASS", "timeout": "NOTREACHED"}, done.stdout)

    def test_cases_that_an_interruption_kept_from_running_are_told_as_that(self):
        started = self.folder / "started"
        client = self.write("client.py", f"""
import os, sys, time
if os.environ["CONFORM_CASE"] == "ojin/connect/handshake":
    sys.exit(77)
if not os.environ["CONFORM_CASE"].startswith("conform/"):
    open({str(started)!r}, "w").close()
    time.sleep(600)
sys.exit(77)
""")
        report = self.folder / "report.json"
        options = ["-j", "1", "--run", "ojin/connect/handshake", "--run", "ojin/end/*", "--tier", "observe", "--json", str(report)]
        runner = subprocess.Popen([str(CONFORM), "run", *options, "--", PYTHON, client], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while not started.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        runner.send_signal(signal.SIGINT)
        said = runner.communicate(timeout=60)[0]
        self.assertEqual(runner.returncode, 130, said)
        cases = json.loads(report.read_text())["cases"]
        ran = sum(case["verdict"] != "SKIPPED" for case in cases)
        self.assertLess(ran, len(cases))
        self.assertIn(f"interrupted: {ran} of {len(cases)} cases were run", said)
        self.assertRegex(said, rf"(?m)^{len(cases) - ran} cases? w(ere|as) not run, as the run was interrupted")
        self.assertNotIn("real transport", said)

    def test_an_interrupted_runner_leaves_nothing(self):
        self.ends_with_its_runner(signal.SIGINT, code=130)

    def test_a_terminated_runner_leaves_nothing(self):
        self.ends_with_its_runner(signal.SIGTERM, code=130)

    def test_a_runner_whose_terminal_is_gone_leaves_nothing(self):
        self.ends_with_its_runner(signal.SIGHUP, code=130)

    def test_a_killed_runner_leaves_nothing(self):
        self.ends_with_its_runner(signal.SIGKILL, code=-signal.SIGKILL)

    def test_a_killed_runner_leaves_nothing_of_a_client_that_takes_many_cases(self):
        started = self.folder / "started"
        client = self.write("client.py", LITTER + f"open({str(started)!r}, 'w').close()\nfor line in sys.stdin:\n    time.sleep(600)\n")
        for how in (signal.SIGINT, signal.SIGKILL):
            started.unlink(missing_ok=True)
            runner = subprocess.Popen([str(CONFORM), "run", *HANDSHAKE, "--persistent", "--", PYTHON, client, self.word], cwd=self.folder,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            deadline = time.monotonic() + 60
            while not started.exists() and time.monotonic() < deadline:
                time.sleep(0.02)
            runner.send_signal(how)
            self.assertEqual(runner.wait(timeout=60), 130 if how == signal.SIGINT else -how)
            self.nothing_is_left()

    def test_a_worker_that_ends_before_its_turn_does_not_end_the_run(self):
        # Speech is missing: workers end as they get ready, those that wait for their turn as well, and others go on meanwhile.
        speech = self.folder / "data/speech"
        speech.mkdir(parents=True)
        (speech / "hello-1s.wav").write_bytes((SOURCE / "fixtures/speech/hello-1s.wav").read_bytes())
        report = self.folder / "report.json"
        done = self.conform("run", "--cases", SOURCE / "conformance/cases", "--tier", "observe", "-j", "4", "--repeat", "5", "--json", report,
                            "--run", "ojin/cancel/confirmed-*", "--run", "ojin/cancel/never-acknowledged", "--run", "ojin/cancel/idle-confirmed",
                            "--", PYTHON, PYTHON_CLIENT, env={"OJIN_CONFORM_DATA": str(self.folder / "data")})
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("hello-3s.wav': No such file or directory", done.stdout)
        cases = json.loads(report.read_text())["cases"]
        self.assertEqual({case["verdict"] for case in cases if "/confirmed-late" in case["name"]}, {"ERROR"})



if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
