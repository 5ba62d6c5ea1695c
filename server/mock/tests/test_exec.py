#!/usr/bin/python3
"""`ojin-mock exec` from outside: what a command is told, how it ends, and that nothing stays behind.

Everything is judged by order and content, never by time. BIN_DIR names the folder of the programs.
"""
import json
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import wave

BIN = os.environ["BIN_DIR"]
SOURCE = os.environ["SOURCE_DIR"]
MOCK = os.path.join(BIN, "ojin-mock")
CLIENT = os.path.join(BIN, "ojin-client")
SPEECH = os.path.join(SOURCE, "fixtures/speech/hello-1s.wav")
WAIT_S = 60  # only what hangs comes near it
SMALL = ["--size", "320x240"]
PYTHON = "/usr/bin/python3"
VARIABLES = ["OJIN_URL", "OJIN_WS_URL", "OJIN_API_KEY", "OJIN_CONFIG_ID", "OJIN_AUDIO", "DUPLEX_AUDIO", "DUPLEX_VIDEO", "INTERVIEW_AUDIO"]
SHOW = "import json,os,sys; json.dump([sys.argv[1:], {n: os.environ.get(n) for n in %r}], sys.stdout)" % VARIABLES

# A session that breaks the documents: an input message of payload type 2.
WRONG = """
import asyncio, os, websockets
async def main():
    url = os.environ["OJIN_URL"] + "?config_id=" + os.environ["OJIN_CONFIG_ID"]
    head = {"Authorization": os.environ["OJIN_API_KEY"]}
    async with websockets.connect(url, extra_headers=head, max_size=None) as ws:
        await ws.recv()
        await ws.send(bytes([2]) + bytes(12))
asyncio.run(main())
"""


def environment(**more):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OJIN_", "DUPLEX_", "INTERVIEW_"))}
    return {**clean, **more}


def run(*words, **more):
    return subprocess.run(
        [MOCK, "exec", *words],
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
        env=environment(**more),
        stdin=subprocess.DEVNULL,
    )


def is_running(pid):
    """A zombie is not: it only waits for whoever reaps it."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Told(unittest.TestCase):
    def shown(self, *options, words=(), **more):
        done = run(*SMALL, *options, "--", PYTHON, "-c", SHOW, *words, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_the_environment_and_the_words_name_the_mock(self):
        words, told = self.shown(
            "--key", "k-1", "--config", "a b", words=["{url}", "--to={full_url}", "{origin}", "{key}{config}", "{x}"]
        )
        url = told["OJIN_URL"]
        self.assertRegex(url, r"^ws://127\.0\.0\.1:[1-9][0-9]*/realtime$")
        self.assertEqual(told["OJIN_WS_URL"], url)
        self.assertEqual((told["OJIN_API_KEY"], told["OJIN_CONFIG_ID"]), ("k-1", "a b"))
        origin = url[: -len("/realtime")]
        self.assertEqual(words, [url, f"--to={url}?config_id=a%20b", origin, "k-1a b", "{x}"])

    def test_there_is_something_to_say_and_to_show(self):
        words, told = self.shown(words=["{audio}", "--film={video}"])
        rates = [(told["OJIN_AUDIO"], 16000), (told["DUPLEX_AUDIO"], 16000), (told["INTERVIEW_AUDIO"], 24000), (words[0], 16000)]
        for path, rate in rates:
            with wave.open(path) as sound:
                self.assertEqual((sound.getframerate(), sound.getnchannels()), (rate, 1))
                self.assertGreater(sound.getnframes(), 8000)
        self.assertEqual(words[1], f"--film={told['DUPLEX_VIDEO']}")
        self.assertTrue([name for name in os.listdir(told["DUPLEX_VIDEO"]) if name.endswith(".jpg")])

    def test_of_a_family_that_is_not_served_nothing_is_set(self):
        told = self.shown("--family", "duplex")[1]
        self.assertEqual((told["OJIN_URL"], told["OJIN_AUDIO"]), (None, None))
        self.assertTrue(os.path.exists(told["DUPLEX_AUDIO"]))

    def test_what_the_caller_has_set_to_say_stays(self):
        _, told = self.shown(OJIN_AUDIO="/my.wav", DUPLEX_VIDEO="/my/pictures", DUPLEX_AUDIO="", OJIN_URL="ws://elsewhere/")
        self.assertEqual((told["OJIN_AUDIO"], told["DUPLEX_VIDEO"]), ("/my.wav", "/my/pictures"))
        self.assertTrue(os.path.exists(told["DUPLEX_AUDIO"]), "empty is not set")
        self.assertTrue(told["OJIN_URL"].startswith("ws://127.0.0.1:"))

    def test_without_a_key_one_is_made_up_that_depends_on_the_seed_alone(self):
        keys = [self.shown("--seed", seed)[1]["OJIN_API_KEY"] for seed in ("1", "1", "2")]
        self.assertEqual(keys[0], keys[1])
        self.assertNotEqual(keys[0], keys[2])
        self.assertGreater(len(keys[0]), 8)

    def test_the_key_of_the_environment_is_passed_on_and_never_printed(self):
        done = run(*SMALL, "--log", "debug", "--", "sh", "-c", 'test "$OJIN_API_KEY" = secret-1', OJIN_MOCK_KEY="secret-1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("secret-1", done.stdout + done.stderr)

    def test_standard_streams_are_those_of_the_command(self):
        done = subprocess.run(
            [MOCK, "exec", *SMALL, "--", "sh", "-c", "cat; echo to-stderr >&2"],
            input="from stdin",
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
        )
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("from stdin", "to-stderr\n", 0))

    def test_the_command_inherits_no_socket_or_file_of_the_mock(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = os.path.join(folder, "j")
            done = run(*SMALL, "--journal", journal, "--", "ls", "/proc/self/fd")
        self.assertEqual(done.stdout.split(), ["0", "1", "2", "3"], done.stdout)  # 3 is the listing itself

    def test_options_of_the_command_are_not_the_mocks(self):
        self.assertEqual(run(*SMALL, "echo", "--port", "x").stdout, "--port x\n")


class Ending(unittest.TestCase):
    def test_the_status_is_that_of_the_command(self):
        rows = [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -KILL $$", 137)]
        for script, expected in rows:
            with self.subTest(script):
                self.assertEqual(run(*SMALL, "--", "sh", "-c", script).returncode, expected)

    def test_a_command_that_cannot_be_started_is_one_line(self):
        rows = [("no-such-command-here", 127, "No such file"), ("/", 126, "denied"), (__file__, 126, "denied")]
        for command, code, text in rows:
            with self.subTest(command):
                done = run(*SMALL, "--", command)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(f"cannot start {command}", done.stderr)
                self.assertIn(text, done.stderr)

    def test_wrong_usage_is_one_line_and_exit_2(self):
        rows = [([], "needs a command"), (["--"], "needs a command"), (["--loud", "--", "true"], "--loud")]
        rows += [(["--port", "x", "--", "true"], "--port"), (["--", ""], "needs a command")]
        for words, text in rows:
            with self.subTest(words):
                done = run(*words)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
                self.assertIn(text, done.stderr)
        done = subprocess.run([MOCK, "--findings"], capture_output=True, text=True, timeout=WAIT_S, check=False)
        self.assertEqual(done.returncode, 2)

    def start(self, script):
        """A shell that has printed its first line."""
        process = subprocess.Popen(
            [MOCK, "exec", *SMALL, "--", "sh", "-c", script], stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process, process.stdout.readline().strip()

    def test_signals_are_passed_on_and_the_command_decides(self):
        rows = [("trap 'exit 5' INT; echo; while :; do sleep 0.01; done", signal.SIGINT, 5)]
        rows += [("trap 'exit 6' TERM; echo; while :; do sleep 0.01; done", signal.SIGTERM, 6)]
        rows += [("echo; exec sleep 1000", signal.SIGTERM, 143), ("echo; exec sleep 1000", signal.SIGINT, 130)]
        for script, number, expected in rows:
            with self.subTest(script=script, number=number):
                process, _ = self.start(script)
                process.send_signal(number)
                self.assertEqual(process.wait(WAIT_S), expected)

    def test_a_second_signal_ends_what_does_not_want_to(self):
        process, _ = self.start("trap 'echo heard' TERM; echo; while :; do sleep 0.01; done")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.stdout.readline(), "heard\n")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(WAIT_S), 137)

    def test_nothing_is_left_running(self):
        process, pids = self.start("sleep 1000 & a=$!; setsid sleep 1000 & echo $a $!")
        self.assertEqual(process.wait(WAIT_S), 0)
        self.assertEqual([pid for pid in pids.split() if is_running(pid)], [])

    def test_the_command_does_not_outlive_a_mock_that_is_killed(self):
        process, pid = self.start("echo $$; exec sleep 1000")
        process.kill()
        process.wait(WAIT_S)
        # Standard output closes when the last that holds it is gone.
        ready, _, _ = select.select([process.stdout], [], [], WAIT_S)
        self.assertTrue(ready)
        self.assertEqual(process.stdout.read(), "")
        # A process that is killed closes its files a moment before it is gone.
        until = time.monotonic() + WAIT_S
        while is_running(pid) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertFalse(is_running(pid))


class Findings(unittest.TestCase):
    def test_what_is_answered_with_an_error_is_a_finding_whether_a_requirement_names_it_or_not(self):
        for what, said in (
            ('await ws.send("hello")', "finding: answered with INVALID_MESSAGE: Text message"),
            ('await ws.send("{}")', "finding: answered with INVALID_MESSAGE: Text message"),
            ("await ws.send('{\"type\":\"sessionReady\",\"payload\":{}}')", "finding: answered with INVALID_MESSAGE: Only"),
            ("await ws.send('{\"type\":1,\"type\":2}')", "finding: answered with INVALID_MESSAGE: Text message"),
        ):
            with self.subTest(what):
                wrong = WRONG.replace("await ws.send(bytes([2]) + bytes(12))", what + "\n        await ws.recv()")
                done = run(*SMALL, "--findings", "--", PYTHON, "-c", wrong)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(said, done.stderr)
        unknown = ("--config", "only-this", "--findings", "--", PYTHON, "-c", WRONG.replace('os.environ["OJIN_CONFIG_ID"]', '"x"'))
        self.assertIn("finding: answered with MODEL_NOT_FOUND: ", run(*SMALL, *unknown).stderr)
        elsewhere = WRONG.replace('"?config_id="', '"/x?config_id="')
        done = run(*SMALL, "--findings", "--", PYTHON, "-c", elsewhere)
        self.assertIn("finding: answered with HTTP 404: There is nothing here.", done.stderr)

    def test_an_error_that_was_asked_for_is_no_finding(self):
        client = WRONG.replace("await ws.send(bytes([2]) + bytes(12))", "await ws.recv()")
        for fault in ("error=INVALID_MESSAGE", "error=MODEL_NOT_FOUND", "refuse=404"):
            with self.subTest(fault):
                done = run(*SMALL, "--fault", fault, "--", PYTHON, "-c", client)
                self.assertNotIn("answered with", done.stderr)

    def test_findings_fail_a_command_that_succeeded_and_only_when_asked(self):
        for options, expected in (([], 0), (["--findings"], 1)):
            with self.subTest(options):
                done = run(*SMALL, *options, "--", PYTHON, "-c", WRONG)
                self.assertEqual(done.returncode, expected, done.stderr)
                self.assertIn("finding: OJ-IN-01", done.stderr)
        self.assertIn("finding", done.stderr.splitlines()[-1])

    def test_the_status_of_a_command_that_failed_stays(self):
        done = run(*SMALL, "--findings", "--", "sh", "-c", '%s -c "$1"; exit 9' % PYTHON, "sh", WRONG)
        self.assertEqual(done.returncode, 9, done.stderr)

    def test_a_correct_client_passes_and_its_last_words_are_in_the_journal(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = os.path.join(folder, "session.jsonl")
            done = run(
                *SMALL, "--findings", "--journal", journal, "--", CLIENT, "speak", SPEECH, "--no-video", "--quiet"
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(journal, encoding="utf-8") as lines:
                events = [json.loads(line) for line in lines][1:]
        closes = [event for event in events if event.get("event") == "close" and event.get("from") == "client"]
        self.assertEqual([event["code"] for event in closes], [1000])

    def test_a_script_takes_the_place_of_the_service(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "no.session")
            with open(script, "w", encoding="utf-8") as out:
                out.write('case own/refuse\nserver {\n    refuse status=403\n}\n')
            done = run(*SMALL, "--script", script, "--", CLIENT, "speak", SPEECH, "--no-video", "--quiet")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("403", done.stderr)


class Terminal(unittest.TestCase):
    """At a terminal the command is in the foreground: it may read, and Ctrl-C reaches it."""

    def at_terminal(self, *command):
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(MOCK, [MOCK, "exec", *SMALL, "--", *command])
        self.addCleanup(os.close, terminal)
        return pid, terminal

    def read_until(self, terminal, text):
        got = b""
        while text not in got:
            ready, _, _ = select.select([terminal], [], [], WAIT_S)
            self.assertTrue(ready, got)
            got += os.read(terminal, 4096)
        return got

    def test_it_reads_what_is_typed(self):
        pid, terminal = self.at_terminal("sh", "-c", 'read line; echo "got $line"')
        os.write(terminal, b"hello\n")
        self.read_until(terminal, b"got hello")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)

    def test_ctrl_c_ends_it(self):
        pid, terminal = self.at_terminal("sh", "-c", "read line; echo ready; exec sleep 1000")
        os.write(terminal, b"\n")
        self.read_until(terminal, b"ready")
        os.write(terminal, b"\x03")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 130)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
