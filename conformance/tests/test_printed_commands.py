#!/usr/bin/python3
"""Every command and every piece of code that a page prints is run by a test, and every example of --help works as printed.

`ci/tests/printed.py` says which test runs what; here is what no test of its own subject runs, and that what a sentence names is there. A command is run in
a folder of the reader's own, who has the programs in the PATH, a sound file and a client. A port that is printed is replaced by a free one, since somebody
else may be using it; words in capitals stand for the reader's own (OWN); and a run of the suite that is printed once more than needed gets one case
(`narrowed`). Nothing else is changed.
"""
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(os.environ["BIN_DIR"])
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "ci/tests"))
sys.path.insert(0, str(SOURCE / "server/bench"))
import printed  # noqa: E402
import scale  # noqa: E402

WAIT_S = 240  # only what hangs comes near it
PORT = "7700"
PROGRAMS = ("ojin-mock", "ojin-client", "ojin-conform")
HANDSHAKE = "{family}/connect/handshake"
WHOLE = "ojin-conform run -- node my-client.mjs {full_url} {audio}"  # the one that goes through all cases, here those of these areas
AREAS = " ".join(f"--run 'ojin/{area}/*'" for area in ("connect", "input", "end"))
# Each command that is given to this file matches one of these, and the test that takes it runs it.
GROUPS = {
    "code": r"#!/bin/sh.*",
    "yaml": r"- uses: .*|with:|command: .*|baseline: .*",
    "many sessions": r"ojin-mock --port 780\d &|haproxy .*|curl \S+:7801/\S+",
    "beside one mock": r"ojin-mock --port 7700 --key secret --(?:journal .*|config any)|ojin-client (?:speak|decode|talk --mode audio) .*|curl .*|ojin-conform (?:server .* --run|replay session.jsonl|judge).*",
    "in a line": r"ojin-client (?:talk|interview) .*",
    "servers": r"ojin-mock --port 7700 .*|ojin-conform server .*",
    "asking": r"ojin-mock (?:exec|token|--list) ?.*|ojin-conform (?:explain|check|fmt|corpus|list|vectors) .*|.* list --freeze > .*|(?:bin/)?ojin-(?:client|conform) (?:run )?--help|export PATH=.*|mkdir .*|conformance/provoke-mock --help",
    "serving": r"(?:[A-Z_]+=\S+ )?(?:bin/)?ojin-mock .*",
    "defects": r"ojin-conform (?:selftest|coverage|defect).*|(?:build/release/bin/)?ojin-conform run .*(?:defect|bearer-prefix).*",
    "wrong input": r"ojin-conform (?:splits|fuzz) .*",
    "runs": r"(?:bin/)?ojin-conform run.*",
    "after runs": r"ojin-conform (?:merge|replay) .*",
    "tree": r"python3 fixtures/.*|ci/build.sh PRESET|ctest --.*|grep .*|sort .*",
}
# What stands for something of the reader's own.
OWN = {
    "FAMILY/AREA/NAME": "ojin/connect/handshake", "CMD ARG…": "ojin-client conform", "CMD": "ojin-client conform", "COMMAND": "ojin-client conform",
    "VERSION": "1.0", "FILE": "own.session", "DIR": "corpus", "DEFECT": "bearer-prefix", "ID": "OJ-CAN-01", "N": "2", "PRESET": BIN.parent.name,
}
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


def group_of(command):
    return next((name for name, pattern in GROUPS.items() if re.fullmatch(pattern, command, re.DOTALL)), None)


def of_group(name):
    return [command for command in printed.of("test_printed_commands") if group_of(command) == name]


def filled_in(command):
    command = re.sub(r"\bNAME\b", "bearer-prefix" if "selftest" in command else "ojin/connect/handshake", command.replace("FAMILY/AREA/NAME", OWN["FAMILY/AREA/NAME"]))
    return re.sub("|".join(rf"(?<![\w./]){word}(?![\w.])" for word in OWN), lambda found: OWN[found[0]], command)


def narrowed(command):
    """A run of one case, with the reference client where no client is named; a selftest of one defect; a few sessions of a fuzzer, or ways of splits."""
    family = (re.search(r"--family (\w+)", command) or ["", "ojin"])[1]
    if re.search(r"ojin-conform run\b", command):
        if "--update-baseline" in command:  # takes no part of the cases
            command = command.replace("ojin-conform run", "ojin-conform run --cases one-case", 1)
        elif not re.search(r" --(?:run|set) ", command):
            command = command.replace("ojin-conform run", f"ojin-conform run --run {HANDSHAKE.format(family=family)}", 1)
        return command if " -- " in command or "--memory" in command else command + (" report.html" if command.endswith("--html") else "") + " -- ojin-client conform"
    if "ojin-conform selftest" in command and " --run " not in command:
        # The one for --full comes through no case but its own, so it is shown no others.
        defect = next((name for word, name in (("memory", "cancel-in-seconds"), ("duplex", "DX-CON-07"), ("full", "deflate-or-nothing")) if word in command), "bearer-prefix")
        return command.replace("ojin-conform selftest", f"ojin-conform selftest --run {defect}", 1)
    if "ojin-conform fuzz" in command and "--cases" not in command:
        return command.replace(" -- ", " --cases 10 -- ", 1)
    if "ojin-conform splits" in command and "--run" not in command:
        return command.replace(" -- ", " --run 'ojin/splits/cut-1*' -- ", 1)
    return command


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class PrintedCommands(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="printed-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "conformance").mkdir()
        for path in (SOURCE / "conformance").iterdir():
            if path.name != "suites":  # a command writes there
                (self.folder / "conformance" / path.name).symlink_to(path)
        shutil.copytree(SOURCE / "conformance/suites", self.folder / "conformance/suites")
        (self.folder / "build/release").mkdir(parents=True)
        (self.folder / "build/release/bin").symlink_to(BIN)
        (self.folder / "one-case").mkdir()
        shutil.copy(SOURCE / "conformance/cases/ojin/connect/handshake.session", self.folder / "one-case")
        (self.folder / "bin").symlink_to(BIN)
        for name in ("own.session", "late-speech.session"):
            (self.folder / name).write_text("case a/b/c\nserver {\n  accept\n  serve\n}\n")
        shutil.copy(SOURCE / "fixtures/speech/hello-1s.wav", self.folder / "hello.wav")
        (self.folder / "fixtures").mkdir()
        (self.folder / "fixtures/speech").symlink_to(SOURCE / "fixtures/speech")
        self.port = free_port()
        clean = {name: value for name, value in os.environ.items() if not name.startswith("OJIN_")}
        # $SECRET is the reader's own.
        self.environment = {**clean, "HOME": str(self.folder), "PATH": f"{BIN}:{os.environ['PATH']}", "SECRET": "thirty-two bytes, or a few more of them"}

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

    def works(self, command, statuses=(0,)):
        with self.subTest(command):
            done = self.run_printed(command)
            self.assertIn(done.returncode, statuses, f"{command}\n{done.stdout}{done.stderr}")
            return done

    def test_every_command_of_a_page_is_run_by_a_test(self):
        pages = printed.everything()
        rows = [printed.row_of(one) for one in pages]
        self.assertEqual([(one.page, one.text) for one, row in zip(pages, rows) if row is None], [], "ci/tests/printed.py: no row")
        self.assertEqual(sorted(set(rows)), list(range(len(printed.RUN_BY))), "ci/tests/printed.py: a row for nothing")
        tests = "".join(path.read_text(encoding="utf-8") for folder in ("ci/tests", "conformance/tests", "packages", "server")
                        for path in (SOURCE / folder).rglob("*.py") if "node_modules" not in path.parts)
        for name in {row[3] for row in printed.RUN_BY if " " not in row[3]} - {".ci/run"}:
            self.assertIn(f'printed.of("{name}"', tests)
        self.assertIn("ci/test\" --all", (SOURCE / ".ci/run").read_text())
        self.assertEqual([one for one in printed.of("test_printed_commands") if group_of(one) is None], [], "GROUPS: none for it")
        source = pathlib.Path(__file__).read_text(encoding="utf-8")
        for name in GROUPS:
            self.assertTrue(of_group(name), name)
            self.assertIn(f'of_group("{name}")', source)

    def wrong_of_script(self, script, options):
        """Of one in ci/: --help is its head, so an option has to be in the rest, or in the program that it starts."""
        path = SOURCE / script
        if not printed.is_script(path):
            return f"no script {script}"
        text = path.read_text(encoding="utf-8")
        done = subprocess.run([path, "--help"], capture_output=True, text=True, timeout=WAIT_S, check=False, stdin=subprocess.DEVNULL)
        if done.returncode != 0 or script not in done.stdout:
            return f"{script} --help: {done.returncode} {done.stdout}{done.stderr}"
        code = re.sub(r'(?m)^#.*$|^"""(?:.|\n)*?"""', "", text)
        code += "".join((SOURCE / name).read_text(encoding="utf-8") for name in re.findall(r"server/bench/\w+\.py", code))
        return self.missing(options, code)

    def missing(self, options, said):
        return ", ".join(f"no {option}" for option in options if not re.search(rf"(?<![\w-]){option}(?![\w-])", said))

    def wrong_in(self, form):
        """What a short form names and the program has not; empty: nothing."""
        words = form.split(" -- ")[0].split()
        options = re.findall(r"(?<![\w-])--?[a-z][\w-]*", " ".join(words[1:]))
        if words[0].startswith("ci/"):
            return self.wrong_of_script(words[0], options)
        if words[0] not in PROGRAMS:  # the command alone
            owners = [program for program in PROGRAMS if words[0] in self.commands_of(program)]
            return self.wrong_in(f"{owners[0]} {form}") if owners else f"no program and no command {words[0]}"
        if not re.match("[a-z]", words[1]):
            return self.missing(options, self.help_of(words[0]))
        if words[1] not in self.commands_of(words[0]):
            return f"{words[0]} has no command {words[1]}"
        return self.missing(options, self.help_of(*words[:2]))

    def test_what_a_sentence_names_is_there(self):
        for form in printed.of("short_forms"):
            with self.subTest(form):
                self.assertEqual(self.wrong_in(form), "")

    def test_what_is_not_there_is_found(self):
        for form in ("ojin-conform nosuchcommand", "ojin-mock --no-such", "ojin-conform run --no-such …", "ojin-conform run [--no-such] -- CMD", "run --no-such",
                     "ci/no-such", "ci/lint --no-such", "ci/scale [--no-such]"):
            with self.subTest(form):
                self.assertTrue(printed.is_command(form))
                self.assertNotEqual(self.wrong_in(form), "")
        for command in ("kubectl apply --filename x", "sort -n -k 2", "grep -rl x y", "conformance/provoke-mock --help", "anything with --option"):
            self.assertTrue(printed.is_command(command), command)
        for span in ("ci/README.md", "ci/circles.known", "ci/examples", "ojin-mock", "accept then serve"):
            self.assertFalse(printed.is_command(span), span)

    def test_the_examples_on_the_pages_are_those_of_the_folder_of_examples(self):
        lines = {line.strip() for path in (SOURCE / "ci/examples/github").iterdir() for line in path.read_text().splitlines()}
        self.assertEqual([line for line in of_group("yaml") if line not in lines], [])

    def test_the_number_of_cases_on_the_first_page(self):
        self.assertIn("more than two hundred for each client", (SOURCE / "README.md").read_text())
        for family in ("ojin", "duplex", "interview"):
            listed = self.run_printed(f"ojin-conform list --family {family} --set default").stdout
            self.assertGreater(len(re.findall(rf"(?m)^{family}/", listed)), 200, family)

    def ends_by_itself(self, command):
        return any(word in command.split() for word in ("exec", "token", "--list"))

    def test_the_mock_and_what_is_used_beside_it(self):
        commands = of_group("beside one mock")
        [serving, judged], [judging] = ([one for one in commands if one.startswith(word)] for word in ("ojin-mock", "ojin-conform server"))
        replay, judge = ([one for one in commands if one.startswith(f"ojin-conform {word}")] for word in ("replay", "judge"))
        mock = self.start_mock(serving)
        for command in commands:
            if command not in (serving, judged, judging, *replay, *judge) and (shutil.which("curl") or not command.startswith("curl ")):
                self.works(command)
        self.assertTrue((self.folder / "hello-1s.avi").exists())
        self.end_mock(mock)
        for command in replay:
            self.works(command)
        # A journal of one client, which was given that file.
        mock = self.start_mock(serving)
        self.works(next(one for one in commands if one.startswith("ojin-client speak ")))
        self.end_mock(mock)
        for command in judge:
            self.works(command)
            self.assertTrue((self.folder / "report.html").exists())
        self.port = free_port()
        self.assertIn("is the server running?", self.run_printed(judging).stderr)
        self.start_mock(judged)
        self.works(judging)

    def end_mock(self, mock):
        mock.send_signal(signal.SIGTERM)
        self.assertEqual(mock.wait(WAIT_S), 0)

    @unittest.skipUnless(shutil.which("haproxy") and shutil.which("curl"), "haproxy or curl is not installed")
    def test_the_mocks_behind_haproxy(self):
        base = scale.free_ports() - scale.PORTS[0]
        moved = lambda text: re.sub(r"\b7[78]\d\d\b", lambda found: str(base + int(found[0])), text)
        (self.folder / "haproxy.cfg").write_text(moved((SOURCE / "ci/examples/scale/haproxy.cfg").read_text()))
        *starting, asking = of_group("many sessions")
        for command in starting:
            words = shlex.split(moved(command.removesuffix(" &")))
            process = subprocess.Popen(words, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            self.addCleanup(process.stdout.close)
            if words[0] == "ojin-mock":
                self.assertIn('{"url":', process.stdout.readline())
        self.assertIn('"sessions":0', self.works(moved(asking)).stdout)
        self.works(moved("curl --silent --fail --retry 20 --retry-connrefused http://127.0.0.1:7700/__mock/ready"))

    def test_the_servers_that_are_judged(self):
        """Each mock and the run against it, of one case under a condition."""
        cases = {"ojin": "ojin/backend/none", "duplex": "duplex/queue/full", "interview": "interview/end/restart"}
        commands = of_group("servers")
        self.assertEqual(len(commands), 2 * len(cases))
        for serving, judging, family in zip(commands[::2], commands[1::2], cases):
            mock = self.start_mock(serving)
            with self.subTest(judging):
                done = self.run_printed(judging.replace("ojin-conform server", f"ojin-conform server --run {cases[family]}", 1))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertRegex(done.stdout, r"\n[12] passed, 0 failed\n$")  # of full-duplex in both modes
            mock.kill()
            mock.wait()
            self.port = free_port()

    def test_a_command_of_a_readers_own_brings_conditions_about(self):
        [script] = of_group("code")
        for name, text in (("provoke", script), ("docker", '#!/bin/sh\necho "$@" >>asked\n'), ("curl", "#!/bin/sh\n")):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        for condition, status in (("no-backend", 0), ("restore", 0), ("queue-full", 77)):
            self.works(f"PATH=.:$PATH ./provoke {condition} ws://localhost:1/realtime", (status,))
        self.assertEqual((self.folder / "asked").read_text(), "stop inference\nstart inference\n")

    def test_what_ends_with_an_answer(self):
        for command in of_group("asking"):
            then = {"export": " && ojin-conform --version", "mkdir": " && ~/.local/bin/ojin-mock --version"}.get(command.split()[0], "")
            done = self.works(filled_in(command) + then)
            if done:
                made = re.search(r"--out (\S+)|> (\S+)", filled_in(command))
                self.assertTrue(done.stdout or " exec " in command or " check " in command or " corpus " in command or made, command)
                if made:
                    self.assertTrue((self.folder / (made[1] or made[2])).exists(), command)
        self.assertEqual((self.folder / "conformance/suites/1.0").read_text(), (SOURCE / "conformance/suites/1.0").read_text())

    def test_what_serves_until_it_is_told_to_stop(self):
        self.try_examples([filled_in(command) for command in of_group("serving")])

    def test_the_defects(self):
        for command in dict.fromkeys(narrowed(filled_in(one)) for one in of_group("defects")):
            # A client that is broken fails; coverage tells of the latest selftest, which here was of a few defects.
            self.works(command, (1,) if "ojin-conform run" in command else (0, 1) if "coverage" in command else (0,))

    def test_the_splits_and_the_fuzzer(self):
        self.write_my_clients()
        for command in of_group("wrong input"):
            self.works("PATH=.:$PATH " + narrowed(filled_in(command)), (0, 1) if " my-client " in command else (0,))

    def lists_tests(self, command):
        """In a folder that leads to the build's: there ctest keeps its log, and may be running just now."""
        tests = self.folder / "listing/build/release/CTestTestfile.cmake"
        tests.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / "CMakePresets.json", self.folder / "listing")
        tests.write_text(f'subdirs("{BIN.parent}")\n')
        done = self.works(f"cd listing && {filled_in(command)} --show-only")
        for word in re.findall(r"[^|]+", (re.search(r" -R '(.+)'", command) or ["", ""])[1]):
            self.assertRegex(done.stdout, rf"Test +#\d+: .*{word}", command)

    def test_the_tools_of_the_tree(self):
        for name in ("fuzz/corpus.py", "fuzz/fuzz_frame.txt", "vectors"):
            copy = self.folder / "fixtures" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if name == "vectors" else shutil.copy)(SOURCE / "fixtures" / name, copy)
        for command in of_group("tree"):
            if command.startswith("python3"):
                self.works(command.replace("/tmp/", "./").replace("python3", "/usr/bin/python3 -B", 1))
            elif BIN.parent.parent == SOURCE / "build":
                if command.startswith("ctest"):
                    self.lists_tests(command)
                else:
                    self.works(f"cd {SOURCE} && " + filled_in(command).replace("build/release", str(BIN.parent)))
        for path in (self.folder / "fixtures").rglob("*.*"):
            if path.suffix in (".txt", ".json"):
                self.assertEqual(path.read_bytes(), (SOURCE / path.relative_to(self.folder)).read_bytes(), path)

    def write_my_clients(self):
        (self.folder / "my-client.mjs").write_text(MY_CLIENT)
        minimal = SOURCE / "conformance/clients/minimal"
        shutil.copy(minimal / "session.py", self.folder)
        shutil.copy(minimal / "wire.py", self.folder / "my_client.py")
        (self.folder / "my-client").write_text("#!/bin/sh\nexec /usr/bin/python3 -B my_client.py\n")
        (self.folder / "my-adapter").write_text("#!/bin/sh\nexec ojin-client conform\n")
        for name in ("my-client", "my-adapter"):
            (self.folder / name).chmod(0o755)

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_the_suite_on_the_readers_own_client(self):
        """All cases are what the examples for GitHub put such a client through."""
        self.write_my_clients()
        done = self.run_printed(WHOLE.replace("ojin-conform run", f"ojin-conform run {AREAS}", 1))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^[0-9]+ cases need a client that obeys the plan")  # and is asked for no more
        given = (self.folder / "given.txt").read_text().splitlines()
        self.assertGreater(len(given), 15)
        for line in given:
            self.assertRegex(line, r"^ws://127\.0\.0\.1:[0-9]+/realtime\?config_id=\S+ (true|false)$")
        self.assertEqual([line for line in given if not line.endswith(" true")], [], given)

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_the_other_runs(self):
        self.write_my_clients()
        commands = of_group("runs")
        self.assertIn(WHOLE, commands)
        for command in dict.fromkeys(narrowed(filled_in(one)) for one in commands if one != WHOLE):
            done = self.works(command)
            self.assertTrue(done and re.search(r"\n[1-9]\d* passed, 0 failed", done.stdout), command)
            for name in re.findall(r"--(?:junit|html|tap|baseline) (\S+)", command):
                self.assertTrue((self.folder / name).is_file(), name)

    def test_what_is_done_with_the_results_of_runs(self):
        merge, replay_there, replay = sorted(of_group("after runs"), key=lambda command: ("replay" in command, "FOLDER" in command))
        for n in range(1, 5):
            self.works(f"ojin-conform run --memory --set smoke --shard {n}/4 --json {n}.json")
        self.works(merge)
        self.works("ojin-conform run --run ojin/connect/handshake --out failed -- ojin-conform defect bearer-prefix", (1,))
        folder = self.folder / "failed/ojin_connect_handshake.oris-1.0"  # a late machine runs it again, in another
        self.works(replay.replace("FOLDER", shlex.quote(str(folder))))
        self.works(f"cd {shlex.quote(str(folder))} && {replay_there}")

    def test_the_clients_that_the_pages_tell_of_in_a_line(self):
        """Beside a mock; what stands in capitals is the reader's own."""
        own = {
            "talk": {"FILE.wav": "hello.wav", "FOLDER": '"$DUPLEX_VIDEO"', "--url URL": '--url "$DUPLEX_URL"'},
            "interview": {"ANSWERS/": "answers/", "--url URL": '--url "$INTERVIEW_URL"', "--id ID": '--id "$INTERVIEW_ID"',
                          "--token TOKEN": '--token "$INTERVIEW_TOKEN"'},
        }
        told = of_group("in a line")
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
                if pathlib.Path(words[0]).name == "ojin-mock" and not self.ends_by_itself(example):
                    self.serve_example(example)
                    continue
                done = self.run_printed(example)
                # What coverage tells is of the latest selftest, which a late machine may have left a check open in.
                is_open = "coverage" in words and re.search(r"no defect fails|\"proven\":\s*false", done.stdout)
                self.assertEqual(done.returncode, 1 if is_open else 0, done.stdout + done.stderr)

    def serve_example(self, example):
        if "--port" not in example:  # somebody else may be using the default
            example += f" --port {free_port()}"
        example = example.replace(PORT, self.port)
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

    def commands_of(self, program):
        return [one for one in re.findall(r"^  ([a-z]+)(?:(?: .*)?  \S| [A-Z]+…$)", self.help_of(program), re.MULTILINE) if one != "help"]

    def helps(self):
        """What each program and each of its commands says of itself."""
        for program in PROGRAMS:
            yield self.help_of(program)
            for command in self.commands_of(program):
                yield self.help_of(program, command)

    def test_the_examples_of_help(self):
        (self.folder / "my_client.py").write_text("raise SystemExit(77)\n")
        found = [lines for said in self.helps() for lines in re.findall(r"^Example: (.+(?:\n {9}\S.*)*)$", said, re.MULTILINE)]
        examples = list(dict.fromkeys(line.strip() for lines in found for line in lines.splitlines()))
        self.assertGreaterEqual(len(examples), 12)
        for example, status in EXITS.items():
            self.assertIn(example, examples)
            if status is not None:
                with self.subTest(example):
                    done = self.run_printed(narrowed(example))
                    self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.try_examples([example for example in examples if example not in EXITS])


if __name__ == "__main__":
    unittest.main(verbosity=2)
