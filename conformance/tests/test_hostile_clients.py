"""Clients that turn on the runner itself: files that are none, links, a killed or stopped guard, a stopped worker. The run ends,
nothing is left running, nothing outside the case's folder is written, and no value of a variable is shown."""

import os
import pathlib
import subprocess
import sys
import time
import unittest

from runner_case import PYTHON, RunnerCase

MINIMAL_CLIENT = pathlib.Path(os.environ["BIN_DIR"]) / "minimal-client"
ONE_CASE = ["--run", "ojin/ready/opening-silence", "--tier", "wire"]
SECRET = "SuperSecretValue-0123456789"
PROBE = 'case "$CONFORM_CASE" in conform/*) exit 77;; esac\n'


class Hostile(RunnerCase):
    timeout_s = 240  # far more than any of them takes, and less than a hang

    def run_client(self, body, *options, end=f'exec "{MINIMAL_CLIENT}"\n'):
        client = self.write("client.sh", "#!/bin/sh\n" + body + end, executable=True)
        done, report = self.run_suite(client, options=[*ONE_CASE, "--out", self.folder / "out", *options])
        self.assertIsNotNone(report, done.stderr)
        return done, report["cases"][0]

    def processes_with(self, word):
        return [pid for pid in os.listdir("/proc") if pid.isdigit() and word in self.words_of(pid)]

    @staticmethod
    def words_of(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/cmdline").read_text(errors="replace").split("\0")
        except OSError:
            return []

    def nothing_is_left_of(self, word):
        deadline = time.monotonic() + 10  # a killed process takes its time to go
        while time.monotonic() < deadline and self.processes_with(word):
            time.sleep(0.05)
        left = self.processes_with(word)
        for pid in left:
            os.kill(int(pid), 9)
        self.assertEqual(left, [])

    def test_a_fifo_in_place_of_a_picture_is_told_and_not_waited_for(self):
        done, case = self.run_client(PROBE + 'mkdir -p "$CONFORM_OUT/pictures"; mkfifo "$CONFORM_OUT/pictures/000001.jpg"\n', "--tier", "observe")
        self.assertIn("pictures/000001.jpg in CONFORM_OUT: expected a regular file", done.stdout)

    def test_a_fifo_in_place_of_the_sound_is_told_and_not_waited_for(self):
        body = PROBE + 'mkdir -p "$CONFORM_OUT/pictures"; cp "%s" "$CONFORM_OUT/pictures/000001.jpg"; mkfifo "$CONFORM_OUT/sound.wav"\n'
        done, case = self.run_client(body % (pathlib.Path(os.environ["SOURCE_DIR"]) / "fixtures/pictures/persona.jpg"), "--tier", "observe")
        self.assertIn("sound.wav in CONFORM_OUT: expected a regular file", done.stdout)

    def test_a_link_in_the_folder_of_a_case_is_replaced_and_not_followed(self):
        precious = self.folder / "precious"
        for kind in ("ln -s", "ln"):
            precious.write_text("gold\n")
            names = "stdout.txt stderr.txt wire.jsonl case.session repro.sh"
            body = f'for name in {names}; do {kind} "{precious}" "$(dirname "$CONFORM_OUT")/$name"; done\n'
            done, case = self.run_client(PROBE + body, "--keep")
            self.assertEqual((done.returncode, precious.read_text()), (0, "gold\n"), done.stdout + done.stderr)
            kept = pathlib.Path(case["folder"])
            for name in names.split():
                self.assertFalse((kept / name).is_symlink(), name)
                self.assertNotEqual((kept / name).read_text(), "gold\n", name)

    def test_a_folder_that_became_a_link_is_not_written_to(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        body = f'folder=$(dirname "$CONFORM_OUT"); mv "$folder" "$folder.moved"; ln -s "{elsewhere}" "$folder"\n'
        done, case = self.run_client(PROBE + body, "--keep")
        self.assertEqual(list(elsewhere.iterdir()), [], done.stdout + done.stderr)
        self.assertEqual(case["verdict"], "PASS")  # what was judged is not lost
        self.assertIn("cannot write to", done.stderr)

    def test_a_very_deep_folder_goes_with_its_case(self):
        body = PROBE + 'mkdir -p "$CONFORM_OUT"; cd "$CONFORM_OUT"; for n in $(seq 400); do mkdir a_folder_in_a_folder && cd a_folder_in_a_folder; done; cd /\n'
        done, case = self.run_client(body)
        self.assertEqual((done.returncode, case["verdict"]), (0, "PASS"), done.stdout + done.stderr)
        self.assertFalse((self.folder / "out").exists())  # nothing is left, so not the folder either

    def test_a_client_that_kills_its_guard_leaves_nothing(self):
        word = f"left-{os.getpid()}"
        sleep = f'"{PYTHON}" -c "import time; time.sleep(600)" {word}'
        for persistent in ((), ("--persistent",)):
            body = PROBE if not persistent else ""
            done, case = self.run_client(f"{body}setsid {sleep} & sleep .2; kill -9 $PPID\n", *persistent, end="sleep 5\n")
            self.nothing_is_left_of(word)
        self.assertEqual(done.returncode, 3, done.stdout)

    def test_a_client_that_kills_its_guard_leaves_nothing_of_a_fuzz(self):
        client = self.write("killer.sh", "#!/bin/sh\nsetsid sleep 87.87 &\nsleep .1\nkill -9 $PPID\nsleep 2\n", executable=True)
        done = self.conform("fuzz", "--cases", 2, "--jobs", 1, "--", client)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.nothing_is_left_of("87.87")

    def test_a_stopped_guard_does_not_hold_the_run(self):
        word = f"held-{os.getpid()}"
        done, case = self.run_client(f'{PROBE}setsid "{PYTHON}" -c "import time; time.sleep(600)" {word} & kill -STOP $PPID\n')
        self.nothing_is_left_of(word)
        self.assertIn(done.returncode, (0, 1, 3), done.stdout)  # 3: the machine was late, and nothing could be judged

    def test_a_stopped_worker_goes_on(self):
        stop = "kill -STOP $(ps -o ppid= -p $PPID)\n"
        done, case = self.run_client(PROBE + stop)
        self.assertEqual((done.returncode, case["verdict"]), (0, "PASS"), done.stdout)

    def test_a_worker_that_is_stopped_again_and_again_is_ended(self):
        stop = "while kill -STOP $(ps -o ppid= -p $PPID); do sleep .1; done\n"
        done, case = self.run_client(PROBE + stop)
        self.assertEqual((done.returncode, case["verdict"]), (3, "ERROR"), done.stdout)
        self.assertIn("our own worker was stopped again and again, so it was ended", done.stdout)

    def test_the_value_of_a_variable_is_shown_nowhere(self):
        reports = [word for kind in ("json", "html", "junit", "tap", "markdown") for word in (f"--{kind}", self.folder / f"r.{kind}")]
        options = [*ONE_CASE, "--keep", "--out", self.folder / "out", "--verbose", "--env", f"MY_TOKEN={SECRET}", "--env", "MODE=fast", "--env", "WHERE={url}", *reports]
        done = self.conform("run", *options, "--", "sh", "-c", 'test ${#MY_TOKEN} = 27 && exec "$0"', MINIMAL_CLIENT)
        texts = {path: path.read_text(errors="replace") for path in self.folder.rglob("*") if path.is_file()}
        self.assertGreater(len(texts), 6, done.stderr)
        for path, text in {**texts, "standard output": done.stdout, "standard error": done.stderr}.items():
            self.assertNotIn(SECRET, text, path)
        (script,) = (self.folder / "out").glob("*/repro.sh")
        self.assertIn('--env MY_TOKEN="${MY_TOKEN?}" --env MODE=fast --env \'WHERE={url}\'', script.read_text())
        without = subprocess.run([script], capture_output=True, text=True, timeout=60, check=False)
        self.assertIn("MY_TOKEN: parameter not set", without.stderr)
        again = subprocess.run([script], capture_output=True, text=True, timeout=60, check=False, env={**os.environ, "MY_TOKEN": SECRET})
        self.assertEqual(again.returncode, done.returncode, again.stdout + again.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
