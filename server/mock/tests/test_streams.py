#!/usr/bin/python3
"""Standard descriptors that are closed or full: every program works without them, or says in its exit status that what it
printed did not get there. A journal that a full disk cut off is read up to there."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import unittest

BIN = pathlib.Path(os.environ["BIN_DIR"])
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
MOCK, CLIENT, CONFORM = (str(BIN / name) for name in ("ojin-mock", "ojin-client", "ojin-conform"))
SPEAK = [CLIENT, "speak", str(SOURCE / "fixtures/speech/hello-1s.wav"), "--no-video", "--quiet"]
QUIET = ["--log", "quiet", "--size", "320x240"]
WAIT_S = 60


def run(words, redirected="", **more):
    """As a shell runs it: `redirected` is ">&-", ">/dev/full" and such."""
    return subprocess.run(["sh", "-c", f'exec "$@" {redirected}', "sh", *words], capture_output=True, text=True, timeout=WAIT_S, check=False, **more)


class Streams(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def free_port(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    def test_a_client_works_with_descriptors_closed(self):
        for closed in (">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
            done = run([MOCK, "exec", *QUIET, "--", "sh", "-c", f'exec "$@" {closed}', "sh", *SPEAK])
            self.assertEqual(done.returncode, 0, (closed, done.stderr))

    def test_a_mock_works_with_descriptors_closed_and_its_journal_is_its_own(self):
        for closed in ("<&-", "2>&-", ">&-", "<&- >&- 2>&-"):
            port, journal = self.free_port(), self.folder / "journal"
            mock = subprocess.Popen(["sh", "-c", f'exec "$@" {closed}', "sh", MOCK, "--port", str(port), "--size", "320x240", "--journal", str(journal)],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            environment = {**os.environ, "OJIN_URL": f"ws://127.0.0.1:{port}/realtime", "OJIN_API_KEY": "k" * 10, "OJIN_CONFIG_ID": "x"}
            deadline = time.monotonic() + WAIT_S
            while time.monotonic() < deadline:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.02)
            done = subprocess.run(SPEAK, env=environment, capture_output=True, text=True, timeout=WAIT_S, check=False)
            mock.send_signal(signal.SIGTERM)
            self.assertEqual((done.returncode, mock.wait(WAIT_S)), (0, 0), (closed, done.stderr))
            lines = journal.read_text().splitlines()
            self.assertGreater(len(lines), 10)
            for line in lines:
                json.loads(line)

    def test_what_cannot_be_printed_is_in_the_exit_status(self):
        for words, status in (
            ([MOCK, "--port", "0", *QUIET], 1),
            ([MOCK, "token"], 1),
            ([MOCK, "--help"], 1),
            ([CLIENT, "decode", "--hex", "010000018bcfe5687b000000000000"], 1),
            ([CONFORM, "list"], 3),
            ([CONFORM, "run", "--memory", "--run", "ojin/cancel/late-speech"], 3),
        ):
            done = run(words, ">/dev/full", cwd=self.folder)
            self.assertEqual(done.returncode, status, (words, done.stderr))
            self.assertRegex(done.stderr, r"^ojin-\w+: cannot write to standard output: No space left on device\n$", words)

    def test_who_reads_no_further_has_what_they_want(self):
        done = run([MOCK, "--list", "faults"], "| head -c 1", cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_journal_on_a_full_disk_fails_exec_findings(self):
        for options, status in ((["--findings"], 1), ([], 0)):
            done = run([MOCK, "exec", *options, "--log", "info", "--size", "320x240", "--journal", "/dev/full", "--", *SPEAK])
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn("cannot write the journal /dev/full any more: No space left on device", done.stderr)
        self.assertNotIn("is not whole", done.stderr)

    def test_a_journal_whose_last_line_is_cut_off_is_read_up_to_there(self):
        journal, cut = self.folder / "session.jsonl", self.folder / "cut.jsonl"
        done = run([MOCK, "exec", *QUIET, "--journal", str(journal), "--", *SPEAK])
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = journal.read_bytes().splitlines(keepends=True)
        number = len(lines) * 3 // 4
        cut.write_bytes(b"".join(lines[: number - 1]) + lines[number - 1][:20])
        note = f"{cut}: line {number}: it is cut off, as on a full disk: the journal is read up to there\n"
        for words in (["judge", str(cut)], ["replay", str(cut)]):
            done = run([CONFORM, *words])
            self.assertEqual((done.returncode, f"ojin-conform {words[0]}: {note}" in done.stderr), (0, True), done.stdout + done.stderr)
        lines[number - 1] = lines[number - 1][:20] + b"\n"  # what is broken in the middle is still refused
        cut.write_bytes(b"".join(lines))
        done = run([CONFORM, "judge", str(cut)])
        self.assertEqual((done.returncode, "this is no JSON object" in done.stderr), (2, True), done.stderr)


if __name__ == "__main__":
    unittest.main()
