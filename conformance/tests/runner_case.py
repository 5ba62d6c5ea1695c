"""What the tests of the runner share: running ojin-conform on small clients, and reading its report.

ctest sets BIN_DIR (where the programs are) and SOURCE_DIR (the top of the tree).
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

BIN = pathlib.Path(os.environ["BIN_DIR"])
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
CONFORM = BIN / "ojin-conform"
PYTHON = "/usr/bin/python3"
PYTHON_CLIENT = SOURCE / "conformance/clients/python/ojin_client.py"
NODE_CLIENT = SOURCE / "conformance/clients/node/ojin-client.mjs"
PYTHON_DUPLEX_CLIENT = PYTHON_CLIENT.with_name("duplex_client.py")
NODE_DUPLEX_CLIENT = NODE_CLIENT.with_name("duplex-client.mjs")
PYTHON_INTERVIEW_CLIENT = PYTHON_CLIENT.with_name("interview_client.py")
NODE_INTERVIEW_CLIENT = NODE_CLIENT.with_name("interview-client.mjs")
# A run that has not ended by then hangs: that is the failure, whatever the machine is busy with.
# Of a program that hangs; a slow machine takes long without hanging.
RUN_TIMEOUT_S = 900

# A verdict that a late machine left open is asked for again, TRIES times in all, each when the machine is calm.
TRIES = 4
CALM_LATENESS_S = 0.005
CALM_SLEEPS = 40
CALM_WAIT_S = 45


def needs(*programs, packages=None):
    """For a test, or a class of them: skipped where one of these programs is missing (ci/test tells what was skipped); failed
    where the programs are there, and the npm packages of that folder are not: they are a command away."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        return unittest.skip(f"not installed: {', '.join(missing)}")
    if packages is None or (SOURCE / packages / "node_modules").is_dir():
        return lambda what: what

    def fail(case, *_):
        case.fail(f"the packages of {packages} are not installed: ci/npm.sh {packages} does that")

    def mark(what):
        if not isinstance(what, type):
            return fail
        what.setUp = fail
        return what

    return mark


def wait_for_calm():
    """Returns when short sleeps end on time, and after CALM_WAIT_S in any case."""
    until = time.monotonic() + CALM_WAIT_S
    while time.monotonic() < until:
        for _ in range(CALM_SLEEPS):
            start = time.monotonic()
            time.sleep(CALM_LATENESS_S)
            if time.monotonic() - start > 2 * CALM_LATENESS_S:
                break
        else:
            return
        time.sleep(1)


class RunnerCase(unittest.TestCase):
    def setUp(self):
        self.environment = {}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="conform-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        kept = os.environ.get("PYTHONPYCACHEPREFIX")
        if kept:  # what Python compiled of copies that nobody starts again
            self.addCleanup(shutil.rmtree, pathlib.Path(kept + str(self.folder)), ignore_errors=True)

    def write(self, name, text, executable=False):
        path = self.folder / name
        path.write_text(text)
        if executable:
            path.chmod(0o755)
        return str(path)

    def changed_client(self, *changes, client=PYTHON_CLIENT):
        """A copy of a ready client in which some text, found in one place of one of its files, is another."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="client-", dir=self.folder))
        paths = [path for path in client.parent.rglob("*") if path.is_file() and not {"node_modules", "__pycache__"} & set(path.parts)]
        texts = {path.relative_to(client.parent): path.read_text() for path in paths}
        for old, new in changes:
            places = {str(name): text.count(old) for name, text in texts.items() if old in text}
            self.assertEqual(list(places.values()), [1], f"{old!r} stands in {places}")
            texts |= {pathlib.Path(name): texts[pathlib.Path(name)].replace(old, new) for name in places}
        for name, text in texts.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        if (client.parent / "node_modules").is_dir():
            (folder / "node_modules").symlink_to(client.parent / "node_modules")
        return str(folder / client.name)

    timeout_s = RUN_TIMEOUT_S

    def conform(self, *words, env=None):
        return self.run_program(CONFORM, *words, env=env)

    def run_program(self, program, *words, env=None):
        # What a CI service asks every program for is not meant for the runs of these tests.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
        return subprocess.run(
            [str(program), *map(str, words)],
            cwd=self.folder,
            env=environment | self.environment | (env or {}),
            capture_output=True,
            text=True,
            timeout=self.timeout_s,
            check=False,
        )

    def run_suite(self, *words, options=(), tries=TRIES):
        """Runs the client `words`; gives the finished process and the JSON report. Again, when the machine is calm, while
        it was so late that no case was judged."""
        path = self.folder / "report.json"
        for _ in range(tries):
            done = self.conform("run", "--json", path, *options, "--", *words)
            report = json.loads(path.read_text()) if path.exists() else None
            if report is None or not report["cases"] or {case["verdict"] for case in report["cases"]} != {"INCONCLUSIVE"}:
                break
            wait_for_calm()
        return done, report

    def verdicts(self, report):
        return {row["id"]: row["verdict"] for row in report["requirements"]}

    def open_in(self, report, ids):
        """What a late machine left open: a requirement of which nothing was judged; one of `ids` of which a part was not."""
        late = {check["requirement"] for case in report["cases"] for check in case["checks"] if check["verdict"] == "INCONCLUSIVE"}
        partly = late.intersection(ids)
        return sorted(
            id for id, verdict in self.verdicts(report).items() if verdict == "INCONCLUSIVE" or (verdict == "PARTIAL" and id in partly)
        )

    def until(self, is_so, run):
        """`run(attempt)` gives a result; again, when the machine is calm, while `is_so(result)` is false. The last stands."""
        for attempt in range(TRIES):
            result = run(attempt)
            if is_so(result):
                break
            wait_for_calm()
        return result

    def until_judged(self, run, ids=()):
        """`run(attempt)` gives a tuple that ends with a report; again while a late machine leaves that open."""
        return self.until(lambda result: result[-1] is None or not self.open_in(result[-1], ids), run)

    def until_it_ends_with(self, status, run):
        """`run()` gives a finished process; again while it ended otherwise."""
        return self.until(lambda done: done.returncode == status, lambda _: run())

    def skip_if_open(self, report, ids=()):
        """What stays open on a machine that is never calm is neither right nor wrong. The same checks are seen to fail in virtual time."""
        still = self.open_in(report, ids)
        if still:
            print(f"left open, as the machine was late {TRIES} times: {', '.join(still)}")
            self.skipTest(f"the machine was late: {', '.join(still)}")

    def assert_last_line(self, done, passed, failed, disputed=0, not_met=0):
        more = f"; {disputed} of the passed disputed" if disputed else ""
        plural = "s" if not_met > 1 else ""
        first = f"NOT MET: {not_met} requirement{plural}; " if not_met and not failed else ""
        more += f"; besides, {not_met} requirement{plural} not met" if not_met and failed else ""
        self.assertEqual(done.stdout.strip().splitlines()[-1], f"{first}{passed} passed, {failed} failed{more}", done.stdout)

    def processes_with(self, word):
        """Processes of this machine whose command line holds `word`."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if word in line and "ojin-conform" not in line:
                found.append((int(entry.name), line))
        return found
