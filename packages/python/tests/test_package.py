#!/usr/bin/python3
"""The Python package as a user has it: the artefact of ci/package, installed into an empty environment without network, and its
examples run.

BIN_DIR names the folder of the programs, SOURCE_DIR that of the tree.
"""
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE = os.environ["SOURCE_DIR"]
HERE = os.path.join(SOURCE, "packages", "python")
sys.path.insert(0, os.path.dirname(HERE))

from bundle import glibc_versions  # noqa: E402
from tests_bundle import artefact, printed, serve_printed  # noqa: E402

RUN_S = 300  # only what hangs comes near it
# The client of the reader's own that README names.
README_CLIENT = """
import builtins
from client import SpeechClient

class MyClient(SpeechClient):
    @classmethod
    async def open(cls, url, key):
        client = await super().open(url, key)
        await client.speak()
        return client

builtins.MyClient = MyClient
"""
# What stands around the code that is typed by hand.
BY_HAND = """
import asyncio, threading
from client import SpeechClient

async def talk(url, key, stays_s=0):
    client = await SpeechClient.open(url, key)
    for _ in range(3):
        await client.speak()
    await asyncio.sleep(stays_s)
    await client.cancel()
    await client.close()

async def typed():
CODE
asyncio.run(typed())
print("done")
"""


def run(*words, cwd, status=0, **environment):
    """What it prints; it has to exit like that."""
    done = subprocess.run(
        words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=RUN_S, env={**os.environ, "PIP_NO_INDEX": "1", "NO_COLOR": "1", **environment},
    )
    assert done.returncode == status, f"{words}: exit {done.returncode}\n{done.stdout}"
    return done.stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="ojin-wheel-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.wheel = str(artefact("ojin_tools-*.whl", cls.addClassCleanup))
        venv = os.path.join(cls.folder, "venv")
        run("/usr/bin/python3", "-m", "venv", "--system-site-packages", "--without-pip", venv, cwd=cls.folder)
        cls.bin = os.path.join(venv, "bin")
        cls.python = os.path.join(cls.bin, "python")
        run(cls.python, "-m", "pip", "install", "--no-compile", cls.wheel, cwd=cls.folder)

    def place(self, name, *paths):
        """A folder with these files of the package's sources."""
        folder = os.path.join(self.folder, name)
        os.mkdir(folder)
        for path in paths:
            shutil.copy(os.path.join(HERE, path), folder)
        return folder

    def test_the_wheel_says_which_glibc_it_needs(self):
        name = os.path.basename(self.wheel)
        found = re.fullmatch(r"ojin_tools-(\d+\.\d+\.\d+)-(py3-none-manylinux_(\d+)_(\d+)_x86_64)\.whl", name)
        self.assertIsNotNone(found, name)
        home = run(self.python, "-c", "import ojin_tools; print(ojin_tools.bundle_home())", cwd=self.folder).strip()
        self.assertEqual(os.path.commonpath([home, self.folder]), self.folder)
        self.assertGreaterEqual((int(found[3]), int(found[4])), max(glibc_versions(os.path.join(home, "bin", "ojin-mock"))))
        with zipfile.ZipFile(self.wheel) as wheel:
            self.assertIsNone(wheel.testzip())
            about = wheel.read(f"ojin_tools-{found[1]}.dist-info/WHEEL").decode()
        self.assertIn(f"Tag: {found[2]}\n", about)

    def test_pytest_runs_the_example_and_shows_a_finding_as_a_failed_test(self):
        folder = self.place("example", "examples/client.py", "examples/test_client.py", "tests/finding_test.py")
        said = run(self.python, "-m", "pytest", "-p", "no:cacheprovider", cwd=folder, status=1)
        self.assertRegex(said, r"(?m)^test_client\.py \.{4} ")
        self.assertRegex(said, r"(?m)^finding_test\.py F\.FEEFF\.\.\.F ")
        self.assertRegex(said, r"_ test_speaks _+\nthe client broke a requirement:\n  OJ-CON-02 MUST: expected .*; got Auth")
        self.assertRegex(said, r"the reason of the test(?s:.*)- findings of ojin_session -+\nthe client broke a requirement:\n")
        self.assertRegex(said, r"marker ojin: unexpected quirq; expected names of quirk")
        self.assertRegex(said, r"_ ERROR at setup of test_has_a_quirk_with_a_wrong_value _+\nmarker ojin: the mock refused .*speech-rate.*\n=")
        nobody = r"no client connected to ws://\S+/s/\S+ in this test, .*@pytest\.mark\.ojin\(expect_connection=False\) is for"
        for name in ("never_connects", "never_connects_and_awaits"):
            self.assertRegex(said, rf"_ test_{name} _+\n{nobody}")
        self.assertRegex(said, rf"the reason of this test(?s:.*)- findings of ojin_session -+\n{nobody}")
        self.assertIn("5 failed, 8 passed, 2 errors", said)

    def test_the_commands_of_the_readme_run_as_printed(self):
        install, serve, judge = printed.of("test_python_package", kind="typed")
        place = self.place("readers-own")
        shutil.copy(self.wheel, place)
        for name, own in (("wire.py", "my_client.py"), ("session.py", "session.py")):
            shutil.copy(os.path.join(SOURCE, "conformance", "clients", "minimal", name), os.path.join(place, own))
        run("/usr/bin/python3", "-m", "venv", "venv", cwd=place)
        path = {"PATH": f"{place}/venv/bin:{os.environ['PATH']}"}
        run("sh", "-c", install, cwd=place, **path)
        serve_printed(serve, cwd=place, env={**os.environ, **path})
        # A few cases do here: what the package has to show is that the programs are found and judge.
        self.assertRegex(run("sh", "-c", judge.replace(" run ", " run --set smoke "), cwd=place, **path), r"\n\d+ passed, 0 failed\n$")
        for command in printed.of("test_python_package", kind="said"):
            if command != install:  # the first page prints that, too
                self.assertNotEqual(run("sh", "-c", command, cwd=place, **path), "", command)

    def test_the_tests_of_the_readme_run_as_printed(self):
        folder = self.place("readme", "examples/client.py")
        with open(os.path.join(folder, "test_readme.py"), "w", encoding="utf-8") as file:
            file.write(printed.of("test_python_package", kind="code")[0])
        with open(os.path.join(folder, "conftest.py"), "w", encoding="utf-8") as file:
            file.write(README_CLIENT)
        program = os.path.join(folder, "my-client")
        with open(program, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {self.python} {folder}/client.py\n")
        os.chmod(program, 0o755)
        words = ["-p", "no:cacheprovider", "-o", "asyncio_mode=auto"]
        said = run(self.python, "-m", "pytest", *words, cwd=folder, PATH=f"{folder}:{os.environ['PATH']}")
        self.assertIn("2 passed", said)
        self.assertNotIn("skipped", said)

    def test_the_code_by_hand_of_the_readme_runs_as_printed(self):
        _, code = printed.of("test_python_package", kind="code")
        # Its lines stand in a coroutine. The clients that it waits for speak, and cancel.
        start, then = "as mock:\n", "as mock:  # the same, awaited\n"
        self.assertTrue(start in code and then in code)
        code = code.replace(start, start + "    client = threading.Thread(target=asyncio.run, args=(talk(mock.full_url, mock.key, 5),))\n    client.start()\n", 1)
        code = code.replace("    print(mock.findings())\n", "    print(mock.findings())\n    client.join()\n")
        code = code.replace(then, then + "    other = asyncio.create_task(talk(mock.full_url, mock.key))\n") + "    await other\n"
        folder = self.place("by-hand", "examples/client.py")
        with open(os.path.join(folder, "by_hand.py"), "w", encoding="utf-8") as file:
            file.write(BY_HAND.replace("CODE", "".join(f"    {line}\n" for line in code.splitlines())))
        said = run(self.python, "by_hand.py", cwd=folder)
        self.assertRegex(said, r"^\[.*\]\ndone\n$")

    def test_findings_can_be_turned_off(self):
        folder = self.place("off", "examples/client.py", "tests/finding_test.py")
        words = ["-p", "no:cacheprovider", "-o", "ojin_findings=false", "-k", "speaks or judged"]
        self.assertIn("2 passed", run(self.python, "-m", "pytest", *words, cwd=folder))

    def test_the_api(self):
        folder = self.place("api", "examples/client.py", "tests/api_test.py")
        said = run(self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=folder)
        self.assertRegex(said, r"(?m)^\d+ passed in")

    def test_the_types_fit(self):
        folder = self.place("types", "tests/types_test.py")
        words = ["--strict", "--python-version", "3.9", "--cache-dir", os.devnull]
        installed = run(self.python, "-c", "import ojin_tools; print(ojin_tools.__path__[0])", cwd=folder).strip()
        os.mkdir(os.path.join(folder, "typed"))
        os.symlink(installed, os.path.join(folder, "typed", "ojin_tools"))
        run("/usr/bin/python3", "-m", "mypy", *words, "types_test.py", cwd=folder, MYPYPATH="typed")

    def test_the_programs_run(self):
        for program in ("mock", "client", "conform"):
            said = run(self.python, "-m", "ojin_tools", program, "--version", cwd=self.folder)
            self.assertRegex(said, rf"^ojin-{program} \d+\.\d+\.\d+")
            self.assertEqual(run(os.path.join(self.bin, "ojin-" + program), "--version", cwd=self.folder), said)
        run(self.python, "-m", "ojin_tools", "mock", "exec", "--", "sh", "-c", "exit 7", cwd=self.folder, status=7)
        self.assertIn("usage:", run(self.python, "-m", "ojin_tools", "opera", cwd=self.folder, status=2))
        client = [os.path.join(self.bin, "ojin-client"), "conform"]
        words = ["run", "--run", "ojin/connect/handshake", "--", *client]
        said = run(self.python, "-m", "ojin_tools", "conform", *words, cwd=self.folder)
        self.assertIn("\n1 passed, 0 failed\n", said)
        said = run(self.python, "-m", "ojin_tools", "mock", cwd=self.folder, status=127, OJIN_TOOLS_HOME="/nowhere")
        self.assertIn("the program ojin-mock is missing: there is no /nowhere/bin/ojin-mock", said)

    def test_the_mock_ends_with_a_parent_that_is_killed(self):
        text = "import ojin_tools, time; print(ojin_tools.start_mock(size='320x240').pid, flush=True); time.sleep(600)"
        with subprocess.Popen([self.python, "-c", text], cwd=self.folder, stdout=subprocess.PIPE) as process:
            mock = os.pidfd_open(int(process.stdout.readline()))
            process.kill()
        self.addCleanup(os.close, mock)
        self.assertEqual(select.select([mock], [], [], RUN_S)[0], [mock], "the mock outlived its parent")

    def test_a_mock_that_nobody_stops_keeps_no_process(self):
        run(self.python, "-c", "import ojin_tools; ojin_tools.start_mock(size='320x240')", cwd=self.folder)


if __name__ == "__main__":
    unittest.main()
