#!/usr/bin/python3
"""Every command that README.md and the pages of docs/ print with a prompt, and every example of --help, works as printed.

They run in a folder of the reader's own, who has the programs in the PATH, a sound file and a client. A port that is printed is
replaced by a free one, since somebody else may be using it; nothing else is changed. Commands that only ask for installing are left to ci/test.
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
PAGES = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]
# Examples of help that do not end with 0. None: of a server that is not there.
EXITS = {
    "ojin-conform run -- python3 my_client.py {full_url} {audio}": 3,  # the reader's own, that can do none of the cases
    "ojin-conform run -- ojin-conform defect bearer-prefix": 1,
    "ojin-conform server --url ws://127.0.0.1:7700/realtime": None,
}
# A client of the reader's own, which knows nothing of the suite: speaks, ends, and keeps a list of what it was given.
MY_CLIENT = """
import { appendFileSync, existsSync } from 'node:fs';
import { Session } from './conformance/clients/minimal/session.mjs';
const [url, audio] = process.argv.slice(2);
appendFileSync(new URL('given.txt', import.meta.url), `${url} ${existsSync(audio)}\\n`);
const session = new Session(url, process.env.OJIN_API_KEY, new URL(url).searchParams.get('config_id'));
await session.connect();
if (session.ready) {
  session.speak(audio);
  await session.end();
} else {
  await session.until(() => false, 2000);
  await session.close();
}
process.exitCode = session.failed ? 1 : 0;
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


def commands_of_the_pages():
    """Each once, in their order."""
    return list(dict.fromkeys(command for page in PAGES for command in printed_commands(page.read_text())))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class PrintedCommands(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="printed-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "conformance").symlink_to(SOURCE / "conformance")
        shutil.copy(SOURCE / "fixtures/speech/hello-1s.wav", self.folder / "hello.wav")
        self.port = free_port()
        clean = {name: value for name, value in os.environ.items() if not name.startswith("OJIN_")}
        # $SECRET is the reader's own.
        self.environment = {**clean, "PATH": f"{BIN}:{os.environ['PATH']}", "SECRET": "thirty-two bytes, or a few more of them"}

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

    def printed(self, word):
        return [command for command in commands_of_the_pages() if f"{command} ".startswith(f"{word} ")]

    def test_the_pages_print_no_command_that_is_not_tried_here(self):
        tried = [*self.printed("ojin-mock"), *self.printed("ojin-client"), *self.printed("ojin-conform run")]
        tried += [*self.printed("ojin-conform server"), *self.printed("ojin-conform selftest"), *self.control()]
        tried += [*self.printed("cp"), *self.printed("docker")]  # by test_package, without Docker
        tried += [one for word in ("vectors", "splits", "fuzz") for one in self.printed(f"ojin-conform {word}")]
        self.assertEqual(sorted(commands_of_the_pages()), sorted(tried))
        self.assertGreaterEqual(len(tried), 11)

    def control(self):
        return [one for one in commands_of_the_pages() if one.startswith("curl ")]

    def ends_by_itself(self, command):
        return any(word in command.split() for word in ("exec", "token", "--list"))

    def test_the_mock_and_the_clients_of_the_pages(self):
        serving = [one for one in self.printed("ojin-mock") if not self.ends_by_itself(one)]
        self.assertEqual(len(serving), 1)
        mock = self.start_mock(serving[0])
        self.assertTrue(self.control())
        for command in self.printed("ojin-client") + self.printed("ojin-conform server") + self.control():
            if shutil.which(command.split()[0]) is None and command.startswith("curl "):
                continue
            with self.subTest(command):
                done = self.run_printed(command)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue((self.folder / "hello.avi").exists())
        mock.send_signal(signal.SIGTERM)
        self.assertEqual(mock.wait(WAIT_S), 0)
        self.assertTrue((self.folder / "session.jsonl").exists())
        self.assertIn("`ojin-conform replay session.jsonl`", "".join(page.read_text() for page in PAGES))
        done = self.run_printed("ojin-conform replay session.jsonl")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_lists_tokens_and_exec_of_the_pages(self):
        commands = [one for one in self.printed("ojin-mock") if self.ends_by_itself(one)]
        self.assertGreaterEqual(len(commands), 8)
        for command in commands:
            with self.subTest(command):
                done = self.run_printed(command)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertTrue(done.stdout or " exec " in command)

    def test_the_selftest_of_the_pages(self):
        commands = self.printed("ojin-conform selftest")
        self.assertEqual(len(commands), 1)
        done = self.run_printed(commands[0])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_splits_and_the_fuzzer_of_the_pages(self):
        for word in ("splits", "fuzz"):
            commands = self.printed(f"ojin-conform {word}")
            self.assertEqual(len(commands), 1)
            done = self.run_printed(commands[0])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_vectors_of_the_pages(self):
        commands = self.printed("ojin-conform vectors")
        self.assertEqual(len(commands), 2)
        for command in commands:
            with self.subTest(command):
                done = self.run_printed(command)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                out = self.folder / command.rpartition(" --out ")[2]
                self.assertIn('"name":', out.read_text())

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_the_conformance_run_of_the_pages_starts_the_readers_own_client(self):
        (self.folder / "my-client.mjs").write_text(MY_CLIENT)
        commands = self.printed("ojin-conform run")
        self.assertEqual(len(commands), 2)
        for command in commands:
            done = self.run_printed(command)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"(?m)^[0-9]+ cases need a client that obeys the plan")  # and is asked for no more
            given = (self.folder / "given.txt").read_text().splitlines()
            (self.folder / "given.txt").unlink()
            self.assertGreater(len(given), 15)
            for line in given:
                self.assertRegex(line, r"^ws://127\.0\.0\.1:[0-9]+/realtime\?config_id=\S+ (true|false)$")
            self.assertEqual([line for line in given if not line.endswith(" true")], [], given)
            for name in re.findall(r"--(?:junit|html) (\S+)", command):
                self.assertTrue((self.folder / name).is_file(), name)

    def test_the_clients_that_the_pages_tell_of_in_a_line(self):
        """Beside a mock; what stands in capitals is the reader's own."""
        own = {
            "talk": {"FILE.wav": "hello.wav", "FOLDER": '"$DUPLEX_VIDEO"', "--url URL": '--url "$DUPLEX_URL"'},
            "interview": {"ANSWERS/": "answers/", "--url URL": '--url "$INTERVIEW_URL"', "--id ID": '--id "$INTERVIEW_ID"',
                          "--token TOKEN": '--token "$INTERVIEW_TOKEN"'},
        }
        told = [one for page in PAGES for one in re.findall(r"`(ojin-client (?:talk|interview) [^`]+)`", page.read_text())]
        self.assertEqual([one.split()[1] for one in told], list(own))
        (self.folder / "answers").mkdir()
        for n in (1, 2, 3):
            shutil.copy(self.folder / "hello.wav", self.folder / f"answers/{n}.wav")
        for command in told:
            with self.subTest(command):
                typed = command
                for word, mine in own[command.split()[1]].items():
                    self.assertIn(word, typed)
                    typed = typed.replace(word, mine)
                (self.folder / "typed.sh").write_text(typed)
                done = self.run_printed("ojin-mock exec -- sh -e typed.sh")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                for name in re.findall(r"--(?:out|transcript) (\S+)", command):
                    self.assertGreater((self.folder / name).stat().st_size, 0, name)

    def try_examples(self, examples):
        """Those that serve until they are told to stop are told so once they listen."""
        for example in examples:
            with self.subTest(example):
                words = [word for word in shlex.split(example) if not re.fullmatch(r"[A-Z_]+=.*", word)]
                if words[0] == "ojin-mock" and not self.ends_by_itself(example):
                    self.serve_example(example)
                    continue
                done = self.run_printed(example)
                # What coverage tells is of the latest selftest, which a late machine may have left a check open in.
                is_open = "coverage" in words and re.search(r"no defect fails|\"proven\":\s*false", done.stdout)
                self.assertEqual(done.returncode, 1 if is_open else 0, done.stdout + done.stderr)

    def serve_example(self, example):
        if "--port" not in example:  # somebody else may be using the default
            example += f" --port {free_port()}"
        mock = subprocess.Popen(
            "exec " + (example if example.startswith("ojin-mock") else "env " + example),
            shell=True,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(mock.stdout.close)
        self.addCleanup(mock.stderr.close)
        self.addCleanup(lambda: mock.poll() is None and mock.kill())
        line = mock.stdout.readline()
        self.assertTrue(line.startswith('{"url":'), line or mock.stderr.read())
        mock.send_signal(signal.SIGTERM)
        self.assertEqual(mock.wait(WAIT_S), 0)

    def help_of(self, *words):
        return subprocess.run([BIN / words[0], *words[1:], "--help"], capture_output=True, text=True, check=True).stdout

    def helps(self):
        """What each program and each of its commands says of itself."""
        for program in ("ojin-mock", "ojin-client", "ojin-conform"):
            said = self.help_of(program)
            yield said
            for command in re.findall(r"^  ([a-z]+)(?: .*)?  \S", said, re.MULTILINE):
                if command != "help":
                    yield self.help_of(program, command)

    def test_the_examples_of_help(self):
        (self.folder / "my_client.py").write_text("raise SystemExit(77)\n")
        found = [lines for said in self.helps() for lines in re.findall(r"^Example: (.+(?:\n {9}\S.*)*)$", said, re.MULTILINE)]
        examples = [line.strip() for lines in found for line in lines.splitlines()]
        self.assertGreaterEqual(len(examples), 12)
        for example, status in EXITS.items():
            self.assertIn(example, examples)
            if status is not None:
                with self.subTest(example):
                    done = self.run_printed(example)
                    self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.try_examples([example for example in examples if example not in EXITS])

    def test_the_examples_of_the_mocks_man_page(self):
        page = (SOURCE / "server/mock/ojin-mock.more.1").read_text()
        examples = re.findall(r"^\.B ((?:[A-Z_]+=\S+ )?ojin-mock .+)$", page.partition(".SH EXAMPLES")[2], re.MULTILINE)
        self.assertGreaterEqual(len(examples), 6)
        (self.folder / "late-speech.session").write_text("case a/b/c\nserver {\n  accept\n  serve\n}\n")
        self.try_examples([example.replace("\\-", "-") for example in examples])


if __name__ == "__main__":
    unittest.main(verbosity=2)
