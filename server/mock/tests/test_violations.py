#!/usr/bin/python3
"""What a client does against RFC 6455 is answered with a close frame and the code that is meant for it, whether it
comes later or right behind the request."""
import json
import struct
import tempfile
import unittest

from wire import (
    BINARY,
    CLOSE,
    CONTINUATION,
    INPUT_HEADER,
    PING,
    PONG,
    TEXT,
    WAIT_S,
    Closed,
    Mock,
    audio_of,
    is_speech,
    tone,
)

FIN, MASKED = 0x80, 0x80
LETTER = b"x"


def frame(opcode, payload=b"", fin=True, rsv=0, masked=True, bits=0):
    """`bits`: how long the length is written, whatever it is."""
    first = (FIN if fin else 0) | rsv << 4 | opcode
    mask = MASKED if masked else 0
    size = len(payload)
    if bits == 64 or size > 65535:
        head = struct.pack("!BBQ", first, mask | 127, size)
    elif bits == 16 or size > 125:
        head = struct.pack("!BBH", first, mask | 126, size)
    else:
        head = bytes([first, mask | size])
    return head + (bytes(4) if masked else b"") + payload


def close(code, reason=b""):
    return frame(CLOSE, struct.pack("!H", code) + reason)


VIOLATIONS = (
    ("an unmasked binary message", frame(BINARY, LETTER, masked=False), 1002),
    ("an unmasked text", frame(TEXT, b"{}", masked=False), 1002),
    ("an unmasked ping", frame(PING, LETTER, masked=False), 1002),
    ("an unmasked close", frame(CLOSE, struct.pack("!H", 1000), masked=False), 1002),
    ("RSV1 without an extension", frame(BINARY, LETTER, rsv=4), 1002),
    ("RSV2", frame(BINARY, LETTER, rsv=2), 1002),
    ("RSV3 on a ping", frame(PING, LETTER, rsv=1), 1002),
    ("opcode 3", frame(3, LETTER), 1002),
    ("opcode 7", frame(7), 1002),
    ("opcode 11", frame(11, LETTER), 1002),
    ("opcode 15", frame(15), 1002),
    ("a ping of 126 bytes", frame(PING, LETTER * 126), 1002),
    ("a pong of 126 bytes", frame(PONG, LETTER * 126), 1002),
    ("a close of 126 bytes", close(1000, LETTER * 124), 1002),
    ("a ping whose length is written in 16 bits", frame(PING, LETTER, bits=16), 1002),
    ("a ping whose length is written in 64 bits", frame(PING, LETTER, bits=64), 1002),
    ("a fragmented ping", frame(PING, LETTER, fin=False), 1002),
    ("a fragmented close", frame(CLOSE, struct.pack("!H", 1000), fin=False), 1002),
    ("a continuation of nothing", frame(CONTINUATION, LETTER), 1002),
    ("a message inside another", frame(BINARY, LETTER, fin=False) + frame(BINARY, LETTER), 1002),
    ("a length with its highest bit", b"\x82\xff" + bytes([128]) + bytes(11), 1002),
    ("HTTP in place of frames", b"GET / HTTP/1.1\r\n\r\n", 1002),
    ("a text that is no UTF-8", frame(TEXT, b"{\xff}"), 1007),
    ("a text that ends inside a character", frame(TEXT, b"{\xc3"), 1007),
    ("a character that fragments break off", frame(TEXT, b"\xc3", fin=False) + frame(CONTINUATION, b"{}"), 1007),
    ("a close of one byte", frame(CLOSE, b"\x03"), 1002),
    ("close 0", close(0), 1002),
    ("close 999", close(999), 1002),
    ("close 1005", close(1005), 1002),
    ("close 1006", close(1006), 1002),
    ("close 1015", close(1015), 1002),
    ("close 1016", close(1016), 1002),
    ("close 2999", close(2999), 1002),
    ("close 5000", close(5000), 1002),
    ("a close whose reason is no UTF-8", close(1000, b"\xff\xfe"), 1007),
)

# What is odd, and no reason to end: the answers that come.
HARMLESS = (
    ("a length written longer than it need be", frame(PING, b"") + frame(BINARY, LETTER, bits=64), [PONG, TEXT]),
    ("a ping of 125 bytes", frame(PING, LETTER * 125), [PONG]),
    ("a pong that nobody asked for", frame(PONG, LETTER) + frame(PING), [PONG]),
)


def answered_with(peer):
    """The code of the close frame that comes, and nothing but sessionReady before it."""
    try:
        while True:
            message = peer.message()
            assert message.opcode == TEXT and b"sessionReady" in message.payload, message
    except Closed as closed:
        assert closed.reason == b"", closed
        return closed.code


class Violations(unittest.TestCase):
    def ends(self, peer, code):
        self.assertEqual(answered_with(peer), code)
        try:
            peer.answer_close(code)
            self.assertEqual(peer.end(), "fin")
        except (BrokenPipeError, ConnectionResetError):
            pass  # its own close frame was answered, and the connection is over

    def test_each_ends_with_a_close_frame(self):
        with Mock("--log", "quiet") as mock:
            for name, data, code in VIOLATIONS:
                with self.subTest(name), mock.session("any") as peer:
                    self.assertEqual(peer.json()["type"], "sessionReady")
                    peer.send(data)
                    self.ends(peer, code)

    def test_also_right_behind_the_request(self):
        with Mock("--log", "quiet") as mock:
            for name, data, code in VIOLATIONS:
                with self.subTest(name), mock.peer() as peer:
                    send, peer.send = peer.send, lambda request, data=data, peer=peer: peer.socket.sendall(request + data)
                    response = peer.upgrade("any")
                    peer.send = send
                    self.assertEqual(response.status, 101)
                    self.ends(peer, code)

    def test_a_close_right_behind_the_request_is_answered_behind_the_101(self):
        with tempfile.NamedTemporaryFile() as journal, Mock("--log", "quiet", "--journal", journal.name) as mock:
            with mock.peer() as peer:
                send, peer.send = peer.send, lambda request: peer.socket.sendall(request + close(1000))
                self.assertEqual(peer.upgrade("any").status, 101)
                peer.send = send
                with self.assertRaises(Closed) as closed:
                    peer.message()
                self.assertEqual((closed.exception.code, peer.end()), (1000, "fin"))
            mock.process.terminate()
            mock.process.wait(WAIT_S)
            with open(journal.name, encoding="utf-8") as lines:
                entries = [json.loads(line) for line in lines]
        told = [entry["label"] for entry in entries if entry.get("kind") == "taken"]
        self.assertEqual(told, ["request", "opened", "close", "gone"])
        said = [(entry["from"], entry["event"]) for entry in entries if entry.get("kind") == "wire"]
        self.assertEqual(
            said[:4], [("client", "request"), ("client", "close"), ("server", "response"), ("server", "close")]
        )

    def test_a_message_right_behind_the_request_is_taken_as_it_came(self):
        sound = tone(640 * 10)
        message = frame(BINARY, INPUT_HEADER.pack(1, 1700000000000, 0) + sound)
        with Mock("--log", "quiet") as mock, mock.peer() as peer:
            send, peer.send = peer.send, lambda request: peer.socket.sendall(request + message)
            self.assertEqual(peer.upgrade("any").status, 101)
            peer.send = send
            got = b"".join(audio_of(one) for one in peer.until_speech(10) if is_speech(one))
            self.assertEqual(got, sound[: len(got)])
            self.assertEqual(len(got), 12800)

    def test_a_text_that_is_no_utf8_counts_for_nothing_in_a_session_that_is_closing(self):
        with tempfile.NamedTemporaryFile() as journal, Mock("--fault", "close-early", "--journal", journal.name) as mock:
            with mock.session("any") as peer:
                with self.assertRaises(Closed):
                    peer.message()
                peer.send(frame(TEXT, b"\xff") + close(1000))
                self.assertEqual(peer.end(), "fin")
            mock.process.terminate()
            mock.process.wait(WAIT_S)
            taken = [one["label"] for one in map(json.loads, journal) if one.get("kind") == "taken"]
        self.assertNotIn("text", taken)

    def test_what_is_odd_only_ends_nothing(self):
        with Mock("--log", "quiet") as mock:
            for name, data, answers in HARMLESS:
                with self.subTest(name), mock.session("any") as peer:
                    self.assertEqual(peer.json()["type"], "sessionReady")
                    peer.send(data)
                    self.assertEqual([peer.frame().opcode for _ in answers], answers)
                    peer.send(close(1000))
                    with self.assertRaises(Closed) as closed:
                        peer.message()
                    self.assertEqual(closed.exception.code, 1000)


if __name__ == "__main__":
    unittest.main()
