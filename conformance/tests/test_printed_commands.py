#!/usr/bin/python3
"""Every command that README.md prints with a prompt, and every example of --help, works as printed.

They run in a folder that looks like the top of the tree after a build. A port that is printed is replaced by a free one,
since somebody else may be using it; nothing else is changed. Commands that only ask for installing are left to ci/test.
"""
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

BIN = pathlib.Path(os.environ["BIN_DIR"])
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
WAIT_S = 240  # only what hangs comes near it
PORT = "7700"
PROMPT = "    $ "
# A client of the reader's own: says what it was given, and that it cannot do this case.
MY_CLIENT = """
import { appendFileSync, existsSync } from 'node:fs';
const [url, audio] = process.argv.slice(2);
appendFileSync(new URL('given.txt', import.meta.url), `${url} ${existsSync(audio)}\\n`);
process.exit(77);
"""


def printed_commands(text):
    """Lines after a prompt, with the lines that a backslash continues."""
    commands, lines = [], iter(text.splitlines())
    for line in lines:
        if line.startswith(PROMPT):
            command = line[len(PROMPT) :]
            while command.endswith("\\"):
                command = command[:-1] + next(lines).strip()
            commands.append(command)
    return commands


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class PrintedCommands(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="printed-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "build/release").mkdir(parents=True)
        (self.folder / "build/release/bin").symlink_to(BIN)
        for name in ("fixtures", "conformance"):
            (self.folder / name).symlink_to(SOURCE / name)
        shutil.copy(SOURCE / "fixtures/speech/hello-1s.wav", self.folder / "hello.wav")
        self.port = free_port()
        clean = {name: value for name, value in os.environ.items() if not name.startswith("OJIN_")}
        self.environment = {**clean, "PATH": f"{BIN}:{os.environ['PATH']}"}

    def run_printed(self, command):
        return subprocess.run(
            command.replace(PORT, self.port),
            shell=True,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def start_mock(self, command):
        mock = subprocess.Popen(
            shlex.split(command.replace(PORT, self.port)),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.addCleanup(mock.stdout.close)
        self.addCleanup(lambda: mock.poll() is None and mock.kill())
        self.assertIn(f":{self.port}/", mock.stdout.readline(), command)
        return mock

    def readme(self, word):
        commands = printed_commands((SOURCE / "README.md").read_text())
        return [command for command in commands if f"build/release/bin/{word}" in command.split(" -- ")[0]]

    def test_the_readme_prints_no_command_that_is_not_tried_here(self):
        tried = [*self.readme("ojin-mock"), *self.readme("ojin-client"), *self.readme("ojin-conform run")]
        self.assertEqual(sorted(printed_commands((SOURCE / "README.md").read_text())), sorted(tried))
        self.assertGreaterEqual(len(tried), 5)

    def test_the_mock_and_the_clients_of_the_readme(self):
        serving = [command for command in self.readme("ojin-mock") if " exec " not in command]
        self.assertEqual(len(serving), 1)
        mock = self.start_mock(serving[0])
        for command in self.readme("ojin-client"):
            with self.subTest(command):
                done = self.run_printed(command)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue((self.folder / "hello-3s.avi").exists())
        mock.send_signal(signal.SIGTERM)
        self.assertEqual(mock.wait(WAIT_S), 0)
        self.assertTrue((self.folder / "session.jsonl").exists())

    def test_exec_of_the_readme(self):
        commands = self.readme("ojin-mock exec")
        self.assertEqual(len(commands), 1)
        done = self.run_printed(commands[0])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_the_conformance_run_of_the_readme_starts_the_readers_own_client(self):
        (self.folder / "my-client.mjs").write_text(MY_CLIENT)
        commands = self.readme("ojin-conform run")
        self.assertEqual(len(commands), 1)
        done = self.run_printed(commands[0].replace(" run ", " run --run 'ojin/ready/*' "))
        self.assertIn(done.returncode, (0, 1, 3), done.stdout + done.stderr)
        given = (self.folder / "given.txt").read_text().splitlines()
        self.assertGreater(len(given), 1)
        for line in given:
            self.assertRegex(line, r"^ws://127\.0\.0\.1:[0-9]+/realtime\?config_id=\S+ (true|false)$")
        self.assertTrue([line for line in given if line.endswith(" true")], given)  # some cases have no audio

    def test_the_examples_of_help(self):
        tried = 0
        for words in (["ojin-mock"], ["ojin-client", "decode"], ["ojin-client", "encode"]):
            said = subprocess.run([BIN / words[0], *words[1:], "--help"], capture_output=True, text=True, check=True)
            for example in re.findall(r"^Example: (.+)$", said.stdout, re.MULTILINE):
                with self.subTest(example):
                    done = self.run_printed(example)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    tried += 1
        self.assertEqual(tried, 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
