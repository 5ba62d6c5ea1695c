#!/usr/bin/python3
"""The npm package as a user has it: the artefact of ci/package, installed into an empty project without network, and its examples run.

BIN_DIR names the folder of the programs, SOURCE_DIR that of the tree.
"""
import glob
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["SOURCE_DIR"]
HERE = os.path.join(SOURCE, "packages", "node")
sys.path.insert(0, os.path.dirname(HERE))

from tests_bundle import artefact, printed, serve_printed  # noqa: E402

RUN_S = 300  # only what hangs comes near it
NOWHERE = "http://127.0.0.1:9/"  # a registry that nobody can ask


def run(*words, cwd, status=0, **environment):
    """What it prints; it has to exit like that."""
    done = subprocess.run(
        words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=RUN_S, env={**os.environ, "npm_config_registry": NOWHERE, "NO_COLOR": "1", "CI": "", **environment},
    )
    assert done.returncode == status, f"{words}: exit {done.returncode}\n{done.stdout}"
    return done.stdout


def make_project(folder, tarball):
    """An empty project, with the test runners that a user would have installed, and the package."""
    tools = os.path.join(HERE, "tests", "project")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(tools, name), folder)
    subprocess.run(["cp", "-a", os.path.join(tools, "node_modules"), folder], check=True, timeout=RUN_S)
    run("npm", "install", "--offline", "--no-audit", "--no-fund", tarball, cwd=folder)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([os.path.join(SOURCE, "ci", "npm.sh"), "packages/node/tests/project"], check=True, timeout=RUN_S)
        cls.folder = tempfile.mkdtemp(prefix="ojin-npm-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.project = os.path.join(cls.folder, "project")
        os.mkdir(cls.project)
        make_project(cls.project, str(artefact("ojin-tools-*.tgz", cls.addClassCleanup)))

    def place(self, name, *paths):
        """A folder of the project with these files of the package's sources."""
        folder = os.path.join(self.project, name)
        os.mkdir(folder)
        for path in paths:
            source = os.path.join(HERE, path)
            for one in [source] if os.path.isfile(source) else [os.path.join(source, n) for n in os.listdir(source)]:
                shutil.copy(one, folder)
        return folder

    def test_vitest_runs_the_example_and_shows_a_finding_as_a_failed_test(self):
        folder = self.place("vitest", "examples/vitest", "tests/finding.vitest.test.js")
        said = run("npm", "test", cwd=folder, status=1)
        self.assertIn("FindingsError: the client broke a requirement", said)
        self.assertRegex(said, r"OJ-CON-02 MUST: expected .*; got Authorization is")
        self.assertRegex(said, r"NoConnectionError: no client connected to ws://\S+/s/\S+ in this test, so it shows nothing")
        self.assertRegex(said, r"Tests\s+2 failed \| 5 passed \(7\)")
        self.assertRegex(said, r"✓ client\.test\.js \(4 tests\)")

    def test_node_runs_the_example_and_shows_a_finding_as_a_failed_test(self):
        folder = self.place("node-test", "examples/node-test", "tests/finding.node.test.js")
        said = run("npm", "test", cwd=folder, status=1)
        self.assertRegex(said, r"OJ-CON-02 MUST: expected .*; got Authorization is")
        self.assertRegex(said, r"the reason of the test[^#]*the client broke a requirement")
        self.assertRegex(said, r"no client connected to ws://\S+/s/\S+ in this test, .*expectConnection: false is for a test without")
        self.assertRegex(said, r"(?m)fail 3$")
        self.assertRegex(said, r"(?m)pass 6$")

    def test_the_api(self):
        said = run("node", "--test", self.place("api", "examples/node-test/client.js", "tests/api.test.js"), cwd=self.project)
        self.assertRegex(said, r"(?m)fail 0$")

    def test_the_types_fit(self):
        folder = self.place("types", "tests/types.ts")
        run("npx", "tsc", "--noEmit", "--strict", "--noUncheckedIndexedAccess", "--skipLibCheck", "--target", "es2022",
            "--module", "nodenext", "--types", "node", os.path.join(folder, "types.ts"), cwd=self.project)  # fmt: skip

    def test_the_programs_run(self):
        folder = os.path.join(self.project, "node_modules", ".bin")
        for program in ("ojin-mock", "ojin-client", "ojin-conform"):
            said = run(os.path.join(folder, program), "--version", cwd=self.project)
            self.assertRegex(said, rf"^{program} \d+\.\d+\.\d+")
        run("npx", "ojin-mock", "exec", "--", "sh", "-c", "exit 7", cwd=self.project, status=7)
        mock, conform = os.path.join(folder, "ojin-mock"), os.path.join(folder, "ojin-conform")
        self.assertIn("--no-such-option", run(mock, "--no-such-option", cwd=self.project, status=2))
        said = run(mock, cwd=self.project, status=127, OJIN_TOOLS_HOME="/nowhere")
        self.assertIn("the program ojin-mock is missing: there is no /nowhere/bin/ojin-mock", said)
        self.assertRegex(run(conform, "list", cwd=self.project), r"(?m)^ojin/\S+ ")
        client = [os.path.join(folder, "ojin-client"), "conform"]
        said = run("npx", "ojin-conform", "run", "--run", "ojin/connect/handshake", "--", *client, cwd=self.project)
        self.assertIn("\n1 passed, 0 failed\n", said)

    def test_the_commands_of_the_readme_run_as_printed(self):
        install, serve, judge = printed.of("test_npm_package", page="packages/node/README.md", kind="typed")
        place = os.path.join(self.folder, "readers-own")
        os.mkdir(place)
        shutil.copy(artefact("ojin-tools-*.tgz", self.addCleanup), place)
        for name, own in (("wire.mjs", "my-client.mjs"), ("session.mjs", "session.mjs")):
            shutil.copy(os.path.join(SOURCE, "conformance", "clients", "minimal", name), os.path.join(place, own))
        told = {"npm_config_offline": "true", "npm_config_audit": "false", "npm_config_fund": "false"}
        run("sh", "-c", install, cwd=place, **told)
        serve_printed(serve, cwd=place, env={**os.environ, **told})
        # A few cases do here: what the package has to show is that the programs are found and judge.
        self.assertRegex(run("sh", "-c", judge.replace(" run ", " run --set smoke "), cwd=place, **told), r"\n\d+ passed, 0 failed\n$")
        for command in printed.of("test_npm_package", kind="said"):
            if command not in (install, judge):  # the first page prints those, too
                [tarball] = glob.glob(os.path.join(place, "ojin-tools-*.tgz"))
                self.assertNotEqual(run("sh", "-c", command.replace("PATH/ojin-tools-VERSION.tgz", tarball), cwd=place, **told), "", command)

    def test_the_code_of_the_readme_runs_as_printed(self):
        for_vitest, for_node, by_hand = printed.of("test_npm_package", kind="code")
        mine = "import { SpeechClient } from './client.js';\n"
        # The client cancels what it says by itself: the pages' own has a method for each, too.
        own = mine + "class MyClient extends SpeechClient {}\n"
        slow = "async ({ ojin }) => { /* … */ }"
        self.assertIn(slow, for_vitest)
        for_vitest = for_vitest.replace(slow, "async ({ ojin }) => { await (await MyClient.open(ojin.fullUrl, ojin.key)).close(); }")
        for name, code, words in (("readme.vitest.test.js", for_vitest, ("npx", "vitest", "run")), ("readme.test.js", for_node, ("node", "--test"))):
            folder = self.place(name, "examples/node-test/client.js")
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(own + code)
            said = run(*words, cwd=folder)
            self.assertRegex(said, r"2 passed" if "vitest" in name else r"(?m)^# pass 1$|pass 1\b")
        folder = self.place("by-hand", "examples/node-test/client.js")
        started = "await mock.journal"
        talks = "const client = await SpeechClient.open(mock.fullUrl, mock.key);\nfor (let n = 0; n < 3; n += 1) client.speak();\n"
        with open(os.path.join(folder, "by-hand.js"), "w", encoding="utf-8") as file:
            file.write(mine + by_hand.replace(started, talks + started, 1).replace("await mock.stop();", "await client.close();\nawait mock.stop();\nconsole.log('done');"))
        self.assertRegex(run("node", "by-hand.js", cwd=folder), r"(?s)^\[.*\]\ndone\n$")

    def test_signals_reach_the_program(self):
        program = os.path.join(self.project, "node_modules", ".bin", "ojin-mock")
        with subprocess.Popen([program, "--port", "0"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
            json.loads(process.stdout.readline())
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(RUN_S), 0)

    def test_the_mock_ends_with_a_parent_that_is_killed(self):
        text = (
            "import { startMock } from 'ojin-tools';\n"
            "const mock = await startMock({ size: '320x240' });\n"
            "console.log(mock.pid);\n"
            "setTimeout(() => {}, 600_000);\n"
        )
        words = ["node", "--input-type=module", "-e", text]
        with subprocess.Popen(words, cwd=self.project, stdout=subprocess.PIPE, text=True) as process:
            mock = os.pidfd_open(int(process.stdout.readline()))
            process.kill()
        self.addCleanup(os.close, mock)
        ready, _, _ = select.select([mock], [], [], RUN_S)
        self.assertEqual(ready, [mock], "the mock outlived its parent")

    def test_a_mock_that_nobody_stops_keeps_no_process(self):
        text = "import { startMock } from 'ojin-tools'; await startMock({ size: '320x240' });"
        run("node", "--input-type=module", "-e", text, cwd=self.project)


if __name__ == "__main__":
    unittest.main()
