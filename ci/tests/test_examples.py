#!/usr/bin/python3
"""The examples for CI services are run, not only written: red with annotations for a broken client, green for a right one."""
import functools
import http.server
import os
import pathlib
import shutil
import sys
import tarfile
import tempfile
import threading
import unittest
import xml.etree.ElementTree

import yaml

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
sys.path[:0] = [str(SOURCE / "packages"), str(SOURCE / "ci/tests")]

from ci_service import GitHub, GitLab  # noqa: E402
from tests_bundle import artefact  # noqa: E402

EXAMPLES = SOURCE / "ci/examples"
MINIMAL = SOURCE / "conformance/clients/minimal"
# Of my-client.mjs: what is changed in it, and the requirement that breaks it.
WITH_A_SCHEME = ("Authorization: ${key}", "Authorization: Bearer ${key}")  # OJ-CON-02
IN_SECONDS = ("timestamp: Date.now()", "timestamp: Math.floor(Date.now() / 1000)")  # OJ-END-01
CASES_OF_THE_FAULTS = {"connect/handshake", "connect/pings", "connect/text-like-a-frame", "end/final-frame", "end/final-late", "end/while-idle"}
KNOWN = "*:OJ-END-01 # the next release has it\n"


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="examples-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        tarball = artefact("ojin-tools-*-linux-*.tar.gz", cls.addClassCleanup)
        cls.bundle = str(tarball)
        shutil.unpack_archive(tarball, cls.shared)
        [tools] = cls.shared.iterdir()
        # For all that asks only what a few cases show: those that the faults below break, and some beside. The whole is for the workflow of GitHub.
        cases = tools / "share/ojin-tools/cases/ojin"
        for path in cases.rglob("*.session"):
            if str(path.relative_to(cases).with_suffix("")) not in CASES_OF_THE_FAULTS:
                path.unlink()
        cls.short = str(cls.shared / "short.tar.gz")
        with tarfile.open(cls.short, "w:gz", compresslevel=1) as short:
            short.add(tools, tools.name)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="example-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.workspace = self.folder / "workspace"
        self.workspace.mkdir()

    def check_out(self, fault=("", "")):
        shutil.copy(MINIMAL / "wire.mjs", self.workspace / "my-client.mjs")
        session = (MINIMAL / "session.mjs").read_text()
        self.assertIn(fault[0], session)
        (self.workspace / "session.mjs").write_text(session.replace(*fault) if fault[0] else session)
        (self.workspace / "known-failures.txt").write_text("")

    def failures(self, file):
        return [case.get("name") for case in xml.etree.ElementTree.parse(file).iter("testcase") if case.find("failure") is not None]


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@unittest.skipUnless(shutil.which("node"), "no node, which the clients of the examples need")
class GitHubExamples(Examples):
    def action(self, **inputs):
        github = GitHub(self.folder / f"runner-{len(list(self.folder.iterdir()))}", self.workspace, self.bundle)
        given = {"command": "node my-client.mjs {full_url} {audio}", "options": "--set smoke", **inputs}
        return github, github.run_action(EXAMPLES / "github/action.yml", given)

    def test_the_action_is_red_for_a_broken_client_and_says_why(self):
        self.check_out(WITH_A_SCHEME)
        github, done = self.action()
        self.assertFalse(done.passed, done.text)
        self.assertRegex(done.text, r"(?m)^::error .*OJ-CON-02")
        self.assertIn("OJ-CON-02", github.summary.read_text())
        self.assertTrue(self.failures(github.artifacts / "conformance/report.junit"))
        self.assertTrue((github.artifacts / "conformance/report.html").exists())

    def test_the_action_is_green_for_a_right_client_and_for_known_failures(self):
        for fault, inputs in ((("", ""), {}), (IN_SECONDS, {"baseline": "known-failures.txt", "options": "--run 'ojin/end/*'"})):
            with self.subTest(inputs):
                self.check_out(fault)
                (self.workspace / "known-failures.txt").write_text(KNOWN)
                github, done = self.action(tier="wire", profile="oris-1.0", **inputs)
                self.assertTrue(done.passed, done.text)
                self.assertNotIn("::error", done.text)
                self.assertEqual(self.failures(github.artifacts / "conformance/report.junit"), [])
                self.assertEqual("XFAIL" in done.text, bool(inputs), done.text)

    def unpack(self, bundle):
        """The first step of the action alone: what it says of a bundle, and whether it has programs then."""
        github = GitHub(self.folder / f"runner-{len(list(self.folder.iterdir()))}", self.workspace, self.bundle)
        github.values["inputs"] = {"bundle": bundle}
        step = yaml.safe_load((EXAMPLES / "github/action.yml").read_text())["runs"]["steps"][0]
        done = github.run_script(step, github.values)
        return done, (github.folder / "temp/ojin-tools/bin/ojin-conform").exists()

    @unittest.skipUnless(shutil.which("curl"), "no curl, which runners have")
    def test_the_tarball_may_be_at_a_path_or_an_address(self):
        shutil.copy(self.short, self.workspace / "tools.tar.gz")
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=self.workspace)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            site = f"http://127.0.0.1:{server.server_port}"
            for bundle in ("", "tools.tar.gz", self.short, f"file://{self.short}", f"file:{self.short}", f"{site}/tools.tar.gz"):
                with self.subTest(bundle):
                    done, there = self.unpack(bundle)
                    self.assertTrue(done.passed and there, done.text)
            (self.workspace / "no.tar.gz").write_text("no archive\n")
            with tarfile.open(self.workspace / "other.tar.gz", "w:gz") as other:
                other.add(self.workspace / "no.tar.gz", "folder/file")
            for bundle, why in (("missing.tar.gz", "there is no file missing.tar.gz"), ("ftp://host/x.tar.gz", "expected a path, or an address that begins with https:, http: or file:, got ftp://"),
                                ("file:///no/such.tar.gz", "cannot fetch file:///no/such.tar.gz"), (f"{site}/missing", f"cannot fetch {site}/missing"),
                                ("no.tar.gz", "no.tar.gz is no .tar.gz"), ("other.tar.gz", "other.tar.gz has no bin/ojin-conform in it")):
                with self.subTest(bundle):
                    done, _ = self.unpack(bundle)
                    self.assertFalse(done.passed, done.text)
                    self.assertIn(f"::error::bundle: {why}", done.text)
            server.shutdown()

    def test_the_workflow_runs_the_action(self):
        self.check_out()
        github = GitHub(self.folder / "runner", self.workspace, self.bundle)
        outcomes = github.run_workflow(EXAMPLES / "github/workflow.yml")
        self.assertEqual({name: one.passed for name, one in outcomes.items()}, {"conformance": True}, outcomes["conformance"].text)

    def test_shards_make_one_verdict(self):
        self.check_out(WITH_A_SCHEME)
        github = GitHub(self.folder / "runner", self.workspace, self.short)
        outcomes = github.run_workflow(EXAMPLES / "github/workflow-shards.yml")
        self.assertEqual({name: one.passed for name, one in outcomes.items()}, {"shard": True, "verdict": False}, outcomes["verdict"].text)
        self.assertRegex(outcomes["verdict"].text, r"(?m)^OJ-CON-02 +FAIL ")
        self.assertEqual({path.name for path in github.artifacts.iterdir()}, {"shard-1", "shard-2", "conformance"})


@unittest.skipUnless(shutil.which("node"), "no node, which the clients of the examples need")
class GitLabExamples(Examples):
    def test_the_job_of_gitlab_keeps_its_reports(self):
        for broken in (True, False):
            with self.subTest(broken=broken):
                self.check_out(WITH_A_SCHEME if broken else ("", ""))
                gitlab = GitLab(self.folder / f"runner-{broken}", self.workspace, self.short)
                done = gitlab.run_pipeline(EXAMPLES / "gitlab/gitlab-ci.yml")["conformance"]
                self.assertEqual(done.passed, not broken, done.text)
                self.assertTrue((gitlab.artifacts / "report.html").exists())
                self.assertEqual(bool(self.failures(gitlab.artifacts / "report.xml")), broken)

    def test_the_shards_of_gitlab_make_one_verdict(self):
        for fault, green in ((WITH_A_SCHEME, False), (IN_SECONDS, True)):
            with self.subTest(fault):
                self.check_out(fault)
                (self.workspace / "known-failures.txt").write_text(KNOWN)
                gitlab = GitLab(self.folder / f"runner-{green}", self.workspace, self.short)
                outcomes = gitlab.run_pipeline(EXAMPLES / "gitlab/gitlab-ci-shards.yml")
                self.assertEqual({name: one.passed for name, one in outcomes.items()}, {"shard": True, "verdict": green}, outcomes["verdict"].text)
                self.assertRegex(outcomes["verdict"].text, r"(?m)^OJ-END-01 +XFAIL " if green else r"(?m)^OJ-CON-02 +FAIL ")
                self.assertLessEqual({"shard-1.json", "shard-2.json", "report.html"}, {path.name for path in gitlab.artifacts.iterdir()})
                self.assertEqual(bool(self.failures(gitlab.artifacts / "report.xml")), not green)


if __name__ == "__main__":
    unittest.main()
