#!/usr/bin/python3
"""Where the mock writes and nobody reads: sessions, the control interface and the end do not wait for it, what is read is
whole and in order, and what is missing is told and counted. Judged by order and content, never by time."""
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import unittest
import urllib.request

from wire import MOCK, PING, TEXT, WAIT_S, Mock, Peer

LOG_QUEUE = 256 * 1024  # and as much as the pipe holds
JOURNAL_QUEUE = 16 * 1024 * 1024
MISSING = re.compile(rb"ojin-mock: (\d+) lines are missing here: nobody read standard error in time")
MISSING_IN_JOURNAL = re.compile(r"ojin-mock: (\d+) lines are missing in the journal")
PINGS = 6000  # each at least two lines of the log


class PipedMock(Mock):
    """Its standard error is a pipe that nobody reads at first."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [MOCK, "--port", "0", "--size", "320x240", "--log", "debug", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.ready = json.loads(self.process.stdout.readline())
        self.port = self.ready["port"]
        self.errors = self.process.stderr

    def said(self):
        return ""


class UnreadJournal:
    """A FIFO that is open for reading, and a mock that writes its journal there."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "journal")
        os.mkfifo(self.path)
        self.reading = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        os.set_blocking(self.reading, True)
        self.mock = Mock("--journal", self.path)
        return self

    def __exit__(self, *_):
        if self.mock.process.poll() is None:
            self.mock.process.kill()
            self.mock.process.wait()
        self.mock.process.stdout.close()
        self.mock.errors.close()
        self.folder.cleanup()

    def overflow(self):
        """More than the queue takes."""
        for _ in range(JOURNAL_QUEUE // 500_000 + 10):
            text_session(self.mock.port, b"x" * 500_000)


def metric(port, name):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/__mock/metrics", timeout=WAIT_S) as answer:
        lines = answer.read().decode().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(f"ojin_mock_{name} ")))


def ping_session(port, pings):
    """One that is let in and whose pings are all answered."""
    with Peer(port) as peer:
        assert peer.upgrade().status == 101
        assert peer.json()["type"] == "sessionReady"
        for first in range(0, pings, 100):
            for _ in range(100):
                peer.send_frame(PING, b"p")
            for _ in range(100):
                while peer.frame().opcode != 10:
                    pass


def text_session(port, text):
    """One that is let in and told what it did wrong."""
    with Peer(port) as peer:
        assert peer.upgrade().status == 101
        assert peer.json()["type"] == "sessionReady"
        peer.send_frame(TEXT, text)
        assert peer.json()["type"] == "errorResponse"


class Log(unittest.TestCase):
    def test_a_pipe_that_nobody_reads_holds_up_nobody(self):
        mock = PipedMock()
        with mock:
            ping_session(mock.port, PINGS)
            dropped = metric(mock.port, "log_lines_dropped_total")
            self.assertGreater(dropped, 0)
            ping_session(mock.port, 100)

    def test_what_is_missing_is_told_where_it_is_missing(self):
        with PipedMock() as mock:
            ping_session(mock.port, PINGS)
            lines = iter(mock.errors.readline, b"")
            before = []
            for line in lines:
                told = MISSING.match(line)
                if told:
                    break
                before.append(line)
            self.assertGreater(sum(map(len, before)), LOG_QUEUE)
            self.assertEqual(int(told[1]), metric(mock.port, "log_lines_dropped_total"))
            self.assert_in_order(before)
            ping_session(mock.port, 100)
            after = [next(lines) for _ in range(200)]
            self.assert_in_order(after)
            self.assertEqual(int(told[1]), metric(mock.port, "log_lines_dropped_total"))

    def assert_in_order(self, lines):
        """Each is whole, and none is earlier than the one of its side before it."""
        last = {}
        for line in lines:
            at = re.search(rb"\(connection (\d+), ([\d.]+) s\)\n$", line)
            if at is None:  # about the life of a connection, or a requirement's sentence
                self.assertRegex(line, rb"\n$")
                continue
            side, here = line.split(b":")[0], (int(at[1]), float(at[2]))
            self.assertGreaterEqual(here, last.get(side, here), line)
            last[side] = here

    def test_a_pipe_that_is_read_has_every_line(self):
        with PipedMock() as mock:
            read = []
            reader = threading.Thread(target=lambda: read.extend(iter(mock.errors.readline, b"")))
            reader.start()
            try:
                ping_session(mock.port, PINGS)
                self.assertEqual(metric(mock.port, "log_lines_dropped_total"), 0)
            finally:
                mock.process.terminate()
                reader.join(WAIT_S)
            self.assertEqual(sum(line.startswith(b"client: ping") for line in read), PINGS)
            self.assertEqual(sum(line.startswith(b"server: pong") for line in read), PINGS)

    def test_its_end_waits_for_nobody_who_does_not_read(self):
        mock = PipedMock()
        with mock:
            ping_session(mock.port, PINGS)
            mock.process.send_signal(signal.SIGTERM)
            self.assertEqual(mock.process.wait(WAIT_S), 0)


class Journal(unittest.TestCase):
    def test_a_fifo_that_nobody_reads_holds_up_nobody(self):
        with UnreadJournal() as unread:
            unread.overflow()
            self.assertGreater(metric(unread.mock.port, "journal_lines_dropped_total"), 0)
            self.assertIn(f"nobody reads the journal {unread.path}", unread.mock.said())
            unread.mock.process.send_signal(signal.SIGTERM)
            self.assertEqual(unread.mock.process.wait(WAIT_S), 0)
            self.assertRegex(unread.mock.said(), MISSING_IN_JOURNAL)
            self.assertRegex(unread.mock.said(), r"\d+ bytes of the journal .* were not read, and are lost")

    def test_what_is_read_is_whole_and_what_is_missing_is_counted(self):
        with UnreadJournal() as unread, os.fdopen(unread.reading, "rb") as journal:
            unread.overflow()
            lines = []
            reader = threading.Thread(target=lambda: lines.extend(iter(journal.readline, b"")))
            reader.start()
            while not MISSING_IN_JOURNAL.search(unread.mock.said()):
                text_session(unread.mock.port, b"{}")  # until there is room again
            dropped = metric(unread.mock.port, "journal_lines_dropped_total")
            unread.mock.process.terminate()
            unread.mock.process.wait(WAIT_S)
            reader.join(WAIT_S)
            told = sum(int(count) for count in MISSING_IN_JOURNAL.findall(unread.mock.said()))
            numbers = [json.loads(line)["n"] for line in lines[1:]]
            self.assertEqual(numbers, sorted(set(numbers)))
            self.assertEqual(numbers[-1] + 1 - len(numbers), told)
            self.assertEqual(told, dropped)

    def test_a_reader_that_goes_away_is_told_once(self):
        with UnreadJournal() as unread:
            os.close(unread.reading)
            for _ in range(3):
                text_session(unread.mock.port, b"{}")
            unread.mock.process.terminate()
            self.assertEqual(unread.mock.process.wait(WAIT_S), 0)
            said = unread.mock.said()
            self.assertEqual(said.count(f"cannot write the journal {unread.path} any more: Broken pipe"), 1)

    def test_a_regular_file_has_every_line_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "journal")
            with Mock("--journal", path) as mock:
                ping_session(mock.port, 1000)
                with open(path, "rb") as journal:
                    entries = [json.loads(line) for line in journal]
            self.assertEqual(sum(entry.get("event") == "ping" for entry in entries), 1000)
            self.assertEqual(sum(entry.get("event") == "pong" for entry in entries), 1000)


if __name__ == "__main__":
    unittest.main()
