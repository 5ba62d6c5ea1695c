#!/usr/bin/python3
"""What the report of ojin-conform server says beside its verdicts: the profile and how it was come by, what was judged in
part, why it exits as it does, what a failing case leaves."""
import os
import pathlib
import re
import socket
import subprocess
import threading

from runner_case import TRIES, wait_for_calm
from server_case import KEY, PROVOKE, ServerCase, run_side_by_side


class HidingProxy:
    """Between a client and the mock: what sessionReady says of the profile is blanked out, byte for byte."""

    SAYS = re.compile(rb'\{"profile":"[^"]*"\}')

    def __init__(self, url):
        self.target = re.search(r"//([^:/]+):(\d+)", url).groups()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = re.sub(r"//[^/]+", f"//127.0.0.1:{self.listener.getsockname()[1]}", url)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(self.target)
            for source, sink, hides in ((client, server, False), (server, client, True)):
                threading.Thread(target=self.pump, args=(source, sink, hides), daemon=True).start()

    def pump(self, source, sink, hides):
        try:
            while data := source.recv(65536):
                if hides:
                    data = self.SAYS.sub(lambda said: b"null".ljust(len(said[0])), data)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            source.close()
            sink.close()

    def close(self):
        self.listener.close()


# Of each connection: sessionReady without a profile, and no frame.
SILENT = """\
case     a/silent
server {
  repeat 20 {
    accept
    send ready
    wait 12s
    close
  }
}
"""


class Profiles(ServerCase):
    START = ("--requirement", "OJ-SRV-04", "--skip", "ojin/backend/*")

    def hidden(self, url):
        proxy = HidingProxy(url)
        self.addCleanup(proxy.close)
        return proxy.url

    def test_is_recognised_by_when_the_stream_starts(self):
        for profile, held_to, said in (
            ("oris-1.0", "oris-1.0", "frames that come after the first input"),
            ("oris-1.0-earlier", "oris-1.0-earlier", "frames before any input"),
            ("flashhead-lite-1.0", "oris-1.0", "flashhead-lite-1.0 has alike"),
        ):
            with self.subTest(profile):
                url = self.hidden(self.start_mock("--profile", profile)["url"])
                done, report = self.judge(url, *self.START, name=profile)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(report["profiles"], [held_to])
                self.assertIn("recognised by", report["profile_note"])
                self.assertIn(said, report["profile_note"])
                self.assertIn("give --profile to choose", report["profile_note"])
                self.assertIn("--profile", self.notes(report)["OJ-SRV-04"])

    def test_the_word_of_the_server_goes_before_what_it_does(self):
        for profile, start in (("oris-1.0", "starts-on-input"), ("oris-1.0-earlier", "starts-at-once")):
            with self.subTest(profile):
                url = self.start_mock("--profile", profile, "--quirk", "wrong-start")["url"]
                done, report = self.judge(url, "--run", f"ojin/ready/{start}", name=profile)
                self.assertEqual(self.verdicts(report)["OJ-SRV-04"], "FAIL", done.stdout)
                self.assertRegex(report["profile_note"], "OJ-SRV-04 failed: is the server of the other revision")

    def test_the_word_of_the_user_goes_before_both(self):
        url = self.start_mock("--profile", "oris-1.0-earlier")["url"]
        done, report = self.judge(url, "--profile", "oris-1.0", "--run", "ojin/ready/*")
        self.assertEqual(self.verdicts(report)["OJ-SRV-04"], "FAIL", done.stdout)
        note = report["profile_note"]
        self.assertTrue(note.startswith("oris-1.0, as --profile says"), note)
        self.assertIn("the server says oris-1.0-earlier", note)
        self.assertIn("--profile oris-1.0-earlier?", note)
        self.assertIn("exit 1: FAIL OJ-SRV-04", done.stdout)

    def test_the_default_where_nothing_comes(self):
        script = self.write("silent.session", SILENT)
        url = self.start_mock("--script", script)["url"]
        done, report = self.judge(url, "--run", "ojin/ready/once", "--inferred")
        self.assertRegex(report["profile_note"], "^oris-1.0, the default: not recognised, as no frame came")
        self.assertEqual(self.verdicts(report)["OJ-SRV-04"], "FAIL", done.stdout)


class WhatIsSaid(ServerCase):
    def test_an_inferred_must_is_disputed_without_inferred(self):
        url = self.start_mock("--quirk", "lenient")["url"]
        done, report = self.judge(url, "--requirement", "OJ-SRV-13", "--requirement", "OJ-SRV-14", "--provoke", PROVOKE)
        self.assertEqual(self.verdicts(report)["OJ-SRV-13"], "DISPUTED", done.stdout)
        self.assertEqual(self.verdicts(report)["OJ-SRV-14"], "PARTIAL", done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("disputed, which fails with --inferred", report["summary"]["reason"])
        disputed = [case for case in report["cases"] if case["verdict"] == "DISPUTED"]
        self.assertTrue(disputed)
        self.assertEqual(report["summary"]["disputed"], len(disputed))
        for case in disputed:
            self.assertTrue(os.path.exists(os.path.join(case["folder"], "repro.sh")), case)
        self.assertTrue(any(f"    rerun: {case['repro']}\n" in done.stdout for case in disputed), done.stdout)

    def test_a_row_that_nothing_reached_is_the_reason(self):
        url = self.start_mock("--quirk", "lenient")["url"]
        done, report = self.judge(url, "--run", "ojin/text/no-json")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(report["summary"]["reason"], "NOTREACHED OJ-SRV-14 (see OJ-SRV-13)")
        self.assertIn("--run", self.notes(report)["OJ-SRV-13"])

    def test_the_reports_agree_where_what_was_found_fails_nobody_and_a_row_is_not_reached(self):
        url = self.start_mock("--quirk", "loses-frames")["url"]
        files = {kind: self.folder / f"report.{kind}" for kind in ("junit", "tap", "markdown")}
        options = [word for kind, path in files.items() for word in (f"--{kind}", path)]
        for _ in range(TRIES):
            done, report = self.judge(url, "--run", "ojin/speech/whole", "--run", "ojin/ping/answered", *options)
            if "see OJ-SRV-06" in report["summary"]["reason"]:
                break
            wait_for_calm()  # a late machine leaves the pace of the frames open, and then nothing is to be seen there
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(report["summary"]["reason"], "NOTREACHED OJ-SRV-20 (see OJ-SRV-06)")
        self.assertEqual((report["summary"]["passed"], report["summary"]["failed"]), (1, 1))
        case = next(case for case in report["cases"] if case["name"] == "ojin/speech/whole")
        self.assertEqual((case["verdict"], case["outcome"]), ("NOTREACHED", "failed"))
        actual = {check["requirement"]: check["actual"] for check in case["checks"] if check["verdict"] == "NOTREACHED"}
        self.assertIn("see OJ-SRV-06", actual["OJ-SRV-20"])
        self.assertTrue(os.path.isdir(case["folder"]), case)
        self.assertIn("rerun: ", done.stdout)
        junit, tap, markdown = (files[kind].read_text() for kind in ("junit", "tap", "markdown"))
        self.assertRegex(junit, '<testsuites [^>]*failures="2"')
        self.assertEqual(tap.count("\nnot ok "), 2, tap)  # the case, and the requirement
        self.assertIn("- requirement OJ-SRV-20", tap)
        self.assertIn("1 passed, 1 failed", markdown)
        failed = markdown[markdown.index("### 1. NOTREACHED") : markdown.index("### Worth a look")]
        self.assertIn("Not judged because of it, or in part: OJ-SRV-20", failed)
        self.assertNotIn("DISPUTED", failed)

    def test_a_failing_case_leaves_what_repeats_it(self):
        url = self.start_mock("--quirk", "no-pong")["url"]
        done, report = self.until_judged(lambda _: self.judge(url, "--run", "ojin/ping/answered"))
        self.skip_if_open(report)
        self.assertEqual(done.returncode, 1, done.stdout)
        folder = pathlib.Path(report["cases"][0]["folder"])  # a late machine runs it again, in another
        self.assertEqual({entry.name for entry in folder.iterdir()}, {"wire.jsonl", "case.session", "repro.sh"})
        for entry in folder.iterdir():
            self.assertNotIn(KEY, entry.read_text(), entry)
        environment = {**os.environ, "OJIN_API_KEY": KEY}
        again = self.until_it_ends_with(
            1, lambda: subprocess.run([folder / "repro.sh"], env=environment, capture_output=True, text=True, check=False)
        )
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("OJ-SRV-18", again.stdout)
        self.assertEqual(report["summary"]["failed"], 1)

    def test_the_frame_type_byte_is_named(self):
        url = self.start_mock("--quirk", "frame-type-byte")["url"]
        done, report = self.judge(url, "--run", "ojin/ready/once")
        self.assertEqual(self.verdicts(report)["OJ-SRV-19"], "FAIL")
        self.assertIn("1 byte after the last of 2 entries: a frame-type byte (0, idle)", done.stdout)

    def test_the_size_is_checked_where_it_is_given(self):
        url = self.start_mock()["url"]
        done, report = self.judge(url, "--run", "ojin/stream/silence", size="640x368")
        self.assertEqual(self.verdicts(report)["OJ-SRV-07"], "FAIL", done.stdout)
        self.assertIn("pictures of 640x368", done.stdout)
        self.assertIn("one of 320x192", done.stdout)


if __name__ == "__main__":
    run_side_by_side()
