#!/usr/bin/python3
"""Clients and scripts that take all they can get: the control interface, other sessions and SIGTERM get their turn.

Judged by how much of the flood was handled between two answers, not by time: a busy machine is slow with both."""
import contextlib
import json
import os
import re
import statistics
import struct
import tempfile
import threading
import unittest
import urllib.parse
import urllib.request

from wire import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, WAIT_S, Closed, Mock, decode

ANSWERS = 20
HANDLED_MAX = 20_000  # between two answers, as a median. One turn of half a megabyte is 75,000 messages of a byte
STOPPED_MAX = 200_000  # from SIGTERM to the end, which takes 0.8 s when a client does not close
FRAGMENTED = "accept any\nrepeat 1000 {\nsend speech | fragment every=1 pings=yes\n}"
FRAGMENTS = 4096


def masked(opcode, payload=b"", fin=True):
    return struct.pack("!BB", (0x80 if fin else 0) | opcode, 0x80 | len(payload)) + bytes(4) + payload


# What is sent once, and then without end.
FLOODS = {
    "binary messages of one byte": (b"", masked(BINARY, b"x")),
    "texts of one byte": (b"", masked(TEXT, b"x")),
    "pings": (b"", masked(PING, b"p")),
    "pongs": (b"", masked(PONG)),
    "fragments of a byte": (masked(BINARY, b"x", fin=False), masked(CONTINUATION, b"x", fin=False)),
    "fragments after a failure": (masked(CONTINUATION, b"x"), masked(CONTINUATION, b"x")),
}


class Flood:
    """Clients that send as fast as they are read, and read what comes."""

    def __init__(self, mock, count, begin, again):
        self.peers, self.threads = [], []
        for _ in range(count):
            peer = mock.peer()
            assert peer.upgrade().status == 101
            self.peers.append(peer)
            self.start(self.send, peer, begin, again * (65536 // len(again)))
            self.start(self.read, peer)

    def start(self, what, *arguments):
        self.threads.append(threading.Thread(target=what, args=arguments))
        self.threads[-1].start()

    @staticmethod
    def send(peer, begin, again):
        with contextlib.suppress(OSError):
            peer.send(begin)
            while True:
                peer.send(again)

    @staticmethod
    def read(peer):
        with contextlib.suppress(OSError):
            while peer.socket.recv(1 << 18):
                pass

    def end(self):
        for peer in self.peers:
            with contextlib.suppress(OSError):
                peer.socket.shutdown(2)
        for thread in self.threads:
            thread.join(WAIT_S)
        for peer in self.peers:
            peer.socket.close()


@contextlib.contextmanager
def flooded(mock, count, begin, again):
    flood = Flood(mock, count, begin, again)
    try:
        yield
    finally:
        flood.end()


def handled(mock, path="/__mock/metrics"):
    """Messages and frames that were received or sent so far."""
    with urllib.request.urlopen(f"http://127.0.0.1:{mock.port}{path}", timeout=WAIT_S) as answer:
        counted = re.findall(r"^ojin_mock_(?:received|sent)_total\{.*\} (\d+)$", answer.read().decode(), re.MULTILINE)
    return sum(map(int, counted))


def between_answers(mock, **more):
    counts = [handled(mock, **more) for _ in range(ANSWERS + 1)]
    return statistics.median(after - before for before, after in zip(counts, counts[1:]))


class Clients(unittest.TestCase):
    def test_the_control_interface_is_answered_whatever_they_send(self):
        for name, (begin, again) in FLOODS.items():
            with self.subTest(name), Mock("--log", "quiet") as mock, flooded(mock, 4, begin, again):
                self.assertLess(between_answers(mock), HANDLED_MAX)

    def test_another_session_goes_on(self):
        with Mock("--log", "quiet") as mock, mock.session("c") as peer:
            self.assertEqual(peer.json()["type"], "sessionReady")
            peer.speak(1)
            with flooded(mock, 4, *FLOODS["binary messages of one byte"]):
                counts = []
                for _ in range(ANSWERS):
                    peer.message()
                    counts.append(handled(mock))
                apart = statistics.median(after - before for before, after in zip(counts, counts[1:]))
                self.assertLess(apart, HANDLED_MAX)

    def test_sigterm_ends_it_and_the_others_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = os.path.join(folder, "journal")
            with Mock("--log", "quiet", "--journal", journal) as mock, mock.session("c") as peer:
                with flooded(mock, 8, *FLOODS["binary messages of one byte"]):
                    before = handled(mock)
                    mock.process.terminate()
                    with self.assertRaises(Closed) as closed:
                        while True:
                            peer.message()
                    self.assertEqual(closed.exception.code, 1001)
                    peer.answer_close(1001)
                    self.assertEqual(mock.process.wait(WAIT_S), 0)
                with open(journal, "rb") as lines:
                    after = sum(b'"kind":"wire"' in line for line in lines)
            self.assertLess(after - before, STOPPED_MAX)


class Scripts(unittest.TestCase):
    @contextlib.contextmanager
    def scenario(self, mock, script):
        """A session at an endpoint with that script."""
        with urllib.request.urlopen(
            urllib.request.Request(
                f"http://127.0.0.1:{mock.port}/__mock/scenarios", json.dumps({"script": script}).encode(), method="POST"
            ),
            timeout=WAIT_S,
        ) as answer:
            made = json.load(answer)
        with mock.peer() as peer:
            peer.ask("c", path=urllib.parse.urlsplit(made["url"]).path)
            self.assertEqual(peer.response().status, 101)
            yield peer, made["id"]

    def test_one_that_sends_without_end_holds_up_nobody(self):
        with Mock("--log", "quiet") as mock, self.scenario(mock, FRAGMENTED) as (peer, name):
            reader = threading.Thread(target=Flood.read, args=(peer,))
            reader.start()
            self.assertLess(between_answers(mock, path=f"/__mock/scenarios/{name}/metrics"), HANDLED_MAX)
            with mock.session("c") as other:
                self.assertEqual(other.json()["type"], "sessionReady")
            mock.process.terminate()
            self.assertEqual(mock.process.wait(WAIT_S), 0)
            reader.join(WAIT_S)

    def test_a_message_that_takes_many_rounds_is_whole(self):
        with Mock("--log", "quiet") as mock, self.scenario(mock, FRAGMENTED) as (peer, _):
            pings = []
            for _ in range(3):
                pings.clear()
                message = peer.message(pings)
                self.assertEqual(len(message.frames), FRAGMENTS)
                self.assertEqual({len(part.payload) for part in message.frames[:-1]}, {1})
                self.assertEqual([ping.payload for ping in pings], [b"between"] * (FRAGMENTS - 1))
                self.assertEqual(decode(message.payload).rest, b"")

    def test_one_that_closes_within_such_a_message_is_let_go(self):
        with Mock("--log", "quiet") as mock, self.scenario(mock, FRAGMENTED) as (peer, _):
            for _ in range(100):
                peer.frame()
            peer.answer_close(1000)
            while peer.frame().opcode != CLOSE:
                pass
            self.assertEqual(peer.end(), "fin")


if __name__ == "__main__":
    unittest.main()
