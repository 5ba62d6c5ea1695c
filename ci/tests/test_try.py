#!/usr/bin/python3
"""ci/try, as the pages print it: with a build that is there it installs and builds nothing, and puts a client through the cases it is told, one here.

It runs in a folder whose parts are links to the tree and to this build, so its reports are left there.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BIN = pathlib.Path(os.environ["BIN_DIR"])
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "ci/tests"))
import printed  # noqa: E402

LIMIT_S = 300
MINIMAL = SOURCE / "conformance/clients/minimal"


class Try(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="try-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name in ("ci", "conformance", "fixtures", "packages"):
            (self.folder / name).symlink_to(SOURCE / name)
        (self.folder / "build").mkdir()
        (self.folder / "build/release").symlink_to(BIN.parent)

    def test_each_printed_command_judges_a_client_with_the_build_that_is_there(self):
        built = {path: path.stat().st_mtime_ns for path in BIN.iterdir()}
        for name, own in (("wire.mjs", "my-client.mjs"), ("session.mjs", "session.mjs")):
            shutil.copy(MINIMAL / name, self.folder / own)
        commands = printed.of("test_try")
        self.assertGreaterEqual(len(commands), 6)
        for command in commands:
            if shutil.which("node") or " node " not in command:
                with self.subTest(command):
                    self.judges(command, built)

    def judges(self, command, built):
        case = f"{(re.search('--family ([a-z]+)', command) or ['', 'ojin'])[1]}/connect/handshake"
        words = shlex.split(command.replace("ci/try", f"ci/try --run {case}"))
        done = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], "1 passed, 0 failed", done.stdout)
        self.assertNotIn("Installing", done.stderr)
        self.assertEqual({path: path.stat().st_mtime_ns for path in BIN.iterdir()}, built, "built anew: did a source change after the build?")
        reports = self.folder / "build/conform"
        self.assertIn(f"{reports}/report.html", done.stdout)
        self.assertEqual([case["name"] for case in json.loads((reports / "report.json").read_text())["cases"]], [case])
        self.assertEqual(xml.etree.ElementTree.parse(reports / "report.xml").getroot().tag, "testsuites")
        self.assertIn(case, (reports / "report.html").read_text())

    def test_an_unknown_option_is_told_with_the_exit_code_of_the_program(self):
        done = subprocess.run(["ci/try", "--rum", "x", "--", "true"], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LIMIT_S, check=False)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn('"--run"', done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
