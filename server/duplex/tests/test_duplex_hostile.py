#!/usr/bin/python3
"""What a full-duplex client may do to the mock over a real socket, and does not harm it by: large and deep messages, megabytes
of base64, pictures that are none, fragments of one byte, and never reading. After each of them the mock still serves, with
its memory bounded.

Nothing here depends on how fast the machine is: what is held is answers, close codes, and memory against a bound.
"""

import base64
import json
import os
import signal
import socket
import struct
import subprocess
import tempfile
import unittest
import urllib.request

MOCK = os.path.join(os.environ["BIN_DIR"], "ojin-mock")
FIXTURES = os.path.join(os.environ["SOURCE_DIR"], "fixtures")
WAIT_S = 30
SECOND_BYTES = 64000
MESSAGE_BYTES_MAX = 8 * 1024 * 1024
UNFINISHED_MAX = 256 * 1024 * 1024 // (MESSAGE_BYTES_MAX + 4096 - 256 * 1024)  # of the largest, by all clients
MEMORY_BYTES_MAX = 400 * 1024 * 1024  # of the whole process, whatever is done to it
UPDATE = {"type": "session.update", "session": {"instructions": "x"}}
TEXT, CONTINUATION, CLOSE, PING, PONG = 1, 0, 8, 9, 10


def frame(payload, opcode=TEXT, fin=True):
    """Masked with zeros: the bytes are as they are."""
    head = bytes([opcode | (0x80 if fin else 0)])
    length = len(payload)
    if length < 126:
        head += bytes([0x80 | length])
    elif length < 65536:
        head += b"\xfe" + struct.pack(">H", length)
    else:
        head += b"\xff" + struct.pack(">Q", length)
    return head + bytes(4) + payload


class Peer:
    """A session on a bare socket."""

    def __init__(self, port, mode="audio", path="/v1/realtime"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
        self.rest = b""
        self.send((f"GET {path}?mode={mode} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                   "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        assert head.startswith(b"HTTP/1.1 101"), head

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def more(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise EOFError("the mock ended the connection")
        self.rest += data

    def take(self, length):
        while len(self.rest) < length:
            self.more()
        data, self.rest = self.rest[:length], self.rest[length:]
        return data

    def send(self, data):
        self.socket.sendall(data)

    def say(self, message):
        self.send(frame(json.dumps(message).encode()))

    def hear(self):
        """(opcode, payload) of the next frame; none of the mock's is in pieces."""
        first, second = self.take(2)
        length = second & 0x7f
        if length >= 126:
            length = int.from_bytes(self.take(2 if length == 126 else 8), "big")
        return first & 15, self.take(length)

    def message(self):
        opcode, payload = self.hear()
        assert opcode == TEXT, (opcode, payload)
        return json.loads(payload)

    def expect(self, kind):
        message = self.message()
        assert message["type"] == kind, message
        return message

    def begin(self):
        self.expect("session.queue_done")
        self.say(UPDATE)
        self.expect("session.created")
        return self

    def closed(self):
        """The code that the mock closes with; what it still says before that is passed over."""
        while True:
            opcode, payload = self.hear()
            if opcode == CLOSE:
                return int.from_bytes(payload[:2], "big")


def long_append(samples):
    """Of so many samples of silence, as bytes; more than a minute of them is refused."""
    return frame(b'{"type":"input_audio_buffer.append","audio":"' + base64.b64encode(bytes(4 * samples)) + b'"}')


def used_by_threads(process):
    """How long the first thread of a process was on a core, and all others together; in ns."""
    folder, spent = f"/proc/{process}/task", {True: 0, False: 0}
    for thread in os.listdir(folder):
        with open(f"{folder}/{thread}/schedstat", encoding="ascii") as file:
            spent[thread == str(process)] += int(file.read().split()[0])
    return spent[True], spent[False]


def pcm(count):
    return base64.b64encode(bytes(4 * count)).decode()


def append(**members):
    return {"type": "input_audio_buffer.append", "audio": pcm(16000), **members}


def jpeg():
    with open(os.path.join(FIXTURES, "pictures", "persona.jpg"), "rb") as source:
        return source.read()


def encoded(data):
    return base64.b64encode(data).decode()


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.errors = tempfile.TemporaryFile("w+")
        words = [MOCK, "--port", "0", "--size", "160x384", "--log", "quiet"]
        # What AddressSanitizer keeps back of freed memory is none that the mock holds.
        environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=8:" + os.environ.get("ASAN_OPTIONS", "")}
        cls.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=cls.errors, text=True, env=environment)
        cls.ready = json.loads(cls.process.stdout.readline())

    @classmethod
    def tearDownClass(cls):
        cls.process.send_signal(signal.SIGTERM)
        status = cls.process.wait(WAIT_S)
        cls.process.stdout.close()
        cls.errors.seek(0)
        said = cls.errors.read()
        cls.errors.close()
        assert status == 0, f"exit {status}: {said}"
        assert "mistake of the mock" not in said, said

    def peer(self, mode="audio"):
        return Peer(self.ready["port"], mode)

    def tearDown(self):
        """Others are served, and the mock has not grown beyond all bounds."""
        with self.peer() as other:
            other.begin().say(append())
            other.expect("response.listen")
        with urllib.request.urlopen(self.ready["control"] + "metrics", timeout=WAIT_S) as answer:
            lines = answer.read().decode().splitlines()
        resident = next(int(line.split()[1]) for line in lines if line.startswith("ojin_mock_resident_memory_bytes "))
        self.assertLess(resident, MEMORY_BYTES_MAX)

    def refused(self, peer, code):
        error = peer.expect("error")["error"]
        self.assertEqual((error["code"], error["type"]), (code, "client_error"))
        self.assertTrue(error["message"])
        return error["message"]

    def test_a_message_that_is_too_large_closes_with_1009(self):
        with self.peer() as peer:
            peer.begin()
            head = b'{"type":"input_audio_buffer.append","audio":"'
            peer.send(frame(head + b"A" * (MESSAGE_BYTES_MAX + 1 - len(head))))
            self.assertEqual(peer.closed(), 1009)

    def test_one_of_the_largest_size_is_answered(self):
        with self.peer() as peer:
            peer.begin()
            head, tail = b'{"type":"input_audio_buffer.append","audio":"', b'"}'
            room = MESSAGE_BYTES_MAX - len(head) - len(tail)
            peer.send(frame(head + b"A" * (room // 16 * 16) + tail))
            self.refused(peer, "invalid_payload")  # more than a minute of sound
            peer.say(append())
            peer.expect("response.listen")

    def test_what_is_nested_too_deep_to_be_read_is_refused_and_the_session_goes_on(self):
        deep = b"[" * 100 + b"]" * 100
        rows = (b"[" * 1000000, b'{"a":' * 200000, b'{"type":' + deep * 1000 + b"}", b'{"type":"session.close","x":' + deep + b"}")
        with self.peer() as peer:
            peer.begin()
            for text in rows:
                with self.subTest(text[:12]):
                    peer.send(frame(text))
                    self.refused(peer, "invalid_payload")
            peer.say(append())
            peer.expect("response.listen")

    def test_what_is_no_json_closes_with_1003(self):
        for text in (b"", b"hello", b'{"type":"session.close"', b"{'type':1}", b'{"type":"x"}{', b"\x00", b'{"a":01}'):
            with self.subTest(text), self.peer() as peer:
                peer.begin().send(frame(text))
                self.assertEqual(peer.closed(), 1003)

    def test_what_is_wrong_with_an_append_is_told_and_the_session_goes_on(self):
        nan = encoded(struct.pack("<f", float("nan")) * 16000)
        whole = jpeg()
        rows = (
            ({"audio": "A" * 3000001}, "invalid_payload", "audio"),
            ({"audio": "*" * 64}, "invalid_payload", "base64"),
            ({"audio": pcm(16000)[:-4] + "AB=="}, "invalid_payload", "audio"),
            ({"audio": encoded(bytes(SECOND_BYTES + 1))}, "invalid_payload", "audio"),
            ({"audio": nan}, "invalid_payload", "audio"),
            ({"audio": pcm(3999)}, "invalid_payload", "4000"),
            ({"audio": 7}, "invalid_payload", "audio"),
            ({"audio": None}, "invalid_payload", "audio"),
            ({"video_frames": "x"}, "invalid_payload", "video_frames"),
            ({"video_frames": [encoded(whole)] * 5}, "invalid_payload", "video_frames"),
            ({"video_frames": [encoded(whole[:len(whole) // 2])]}, "invalid_payload", "video_frames"),
            ({"video_frames": [encoded(b"\x89PNG" + bytes(500))]}, "invalid_payload", "video_frames"),
            ({"video_frames": ["data:image/jpeg;base64," + encoded(whole)]}, "invalid_payload", "video_frames"),
            ({"video_frames": [encoded(bomb(whole))]}, "invalid_payload", "video_frames"),
            ({"force_listen": 1}, "invalid_payload", "force_listen"),
            ({"max_slice_nums": 0}, "invalid_payload", "max_slice_nums"),
            ({"max_slice_nums": 10}, "invalid_payload", "max_slice_nums"),
            ({"max_slice_nums": 1.5}, "invalid_payload", "max_slice_nums"),
        )
        with self.peer("video") as peer:
            peer.begin()
            for members, code, named in rows:
                with self.subTest(named, members=str(members)[:60]):
                    peer.say(append(**members))
                    self.assertIn(named, self.refused(peer, code))
            peer.say({"type": "input_audio_buffer.append"})
            self.refused(peer, "missing_field")
            peer.say({"type": "input_audio_buffer.commit"})
            self.refused(peer, "unknown_event")
            peer.say(append(video_frames=[encoded(whole)]))
            peer.expect("response.listen")

    def test_fragments_of_one_byte_are_one_message(self):
        with self.peer() as peer:
            peer.begin()
            text = json.dumps(append()).encode()
            pieces = [frame(text[:1], TEXT, False)]
            pieces += [frame(text[n:n + 1], CONTINUATION, False) for n in range(1, len(text) - 1)]
            pieces.append(frame(text[-1:], CONTINUATION, True))
            peer.send(b"".join(pieces))
            peer.expect("response.listen")

    def test_fragments_that_never_end_are_bounded(self):
        with self.peer() as peer:
            peer.begin()
            peer.send(frame(b'{"type":"', TEXT, False))
            piece = frame(b"x" * 65536, CONTINUATION, False)
            for _ in range(3 * MESSAGE_BYTES_MAX // 65536):
                peer.send(piece)
            peer.send(frame(b"", CONTINUATION, True))
            self.assertEqual(peer.closed(), 1009)

    def test_messages_that_are_not_finished_share_one_room(self):
        text = frame(b'{"type":"' + b"x" * (MESSAGE_BYTES_MAX - 11) + b'"}')
        peers = [self.peer() for _ in range(UNFINISHED_MAX + 8)]
        try:
            for peer in peers:
                peer.send(text[:-1])
            refused = 0
            for peer in peers:
                peer.socket.settimeout(2 if refused == 0 else 0.2)
                try:
                    self.assertEqual(peer.closed(), 1013)
                    refused += 1
                except TimeoutError:
                    pass
            self.assertIn(refused, (8, 9))  # two that grow at once may both find no room
            self.tearDown()
        finally:
            for peer in peers:
                peer.socket.close()
        with self.peer() as peer:  # and it is given back
            peer.begin().send(text)
            self.refused(peer, "unknown_event")

    def test_what_follows_a_long_message_waits_for_it(self):
        with self.peer() as peer:
            peer.begin()
            for _ in range(3):
                peer.send(long_append(1_000_000) + frame(b'{"type":"no.such.event"}') + frame(b"p", PING))
                self.assertIn("minute", self.refused(peer, "invalid_payload"))
                self.refused(peer, "unknown_event")
                self.assertEqual(peer.hear(), (PONG, b"p"))

    def test_a_long_message_is_read_beside_the_loop(self):
        """Judged by which thread had the work, not by time."""
        text = frame(b'{"a":"' + b"\\u0041" * 1_300_000 + b'"}')
        with subprocess.Popen([MOCK, "--port", "0", "--family", "duplex", "--log", "quiet"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as mock:
            with Peer(json.loads(mock.stdout.readline())["port"]) as peer:
                peer.begin().send(text)  # the first brings the thread
                self.refused(peer, "missing_field")
                loop, beside = used_by_threads(mock.pid)
                for _ in range(4):
                    peer.send(text)
                    self.refused(peer, "missing_field")
                now_loop, now_beside = used_by_threads(mock.pid)
            mock.send_signal(signal.SIGTERM)
            self.assertGreater(now_beside - beside, now_loop - loop)

    def test_who_leaves_while_a_long_message_is_read_leaves_nothing(self):
        text = long_append(960_000)
        for _ in range(3):
            peers = [self.peer().begin() for _ in range(12)]
            for peer in peers:
                peer.send(text)
            for peer in peers:
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                peer.socket.close()

    def test_a_mock_that_stops_while_a_long_message_is_read_ends(self):
        with subprocess.Popen([MOCK, "--port", "0", "--log", "quiet"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as mock:
            port = json.loads(mock.stdout.readline())["port"]
            peers = [Peer(port).begin() for _ in range(4)]
            for peer in peers:
                peer.send(long_append(960_000))
            mock.send_signal(signal.SIGTERM)
            self.assertEqual(mock.wait(WAIT_S), 0)
            for peer in peers:
                peer.socket.close()

    def test_one_that_never_reads_is_bounded(self):
        peers = [self.peer().begin() for _ in range(4)]
        text = frame(json.dumps({"type": "no.such.event", "padding": "x" * 1000}).encode())
        for peer in peers:
            peer.socket.setblocking(False)
            sent = 0
            try:  # until the mock takes no more, or 64 MB: each is answered with an error that nobody reads
                while sent < 64 * 1024 * 1024:
                    sent += peer.socket.send(text * 64)
            except OSError:
                pass
        self.tearDown()
        for peer in peers:
            peer.socket.close()

    def test_whatever_comes_too_fast_is_dropped_without_a_word(self):
        with self.peer() as peer:
            peer.begin()
            text = frame(json.dumps(append()).encode())
            for _ in range(100):
                peer.send(text)
            peer.say({"type": "session.close"})
            kinds = []
            while not kinds or kinds[-1] != "session.closed":
                kinds.append(peer.message()["type"])
            self.assertLessEqual(set(kinds), {"response.listen", "session.closed"})
            self.assertLess(len(kinds), 20)


def bomb(whole):
    """The picture with a head that says it is 65,000 times 65,000 large."""
    at = next(n for n in range(len(whole)) if whole[n] == 0xff and whole[n + 1] in (0xc0, 0xc2))
    return whole[:at + 5] + struct.pack(">HH", 65000, 65000) + whole[at + 9:]


if __name__ == "__main__":
    unittest.main(verbosity=2)
