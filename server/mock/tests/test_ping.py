#!/usr/bin/python3
"""The mock's own pings, its pongs, and how it ends a connection whose framing cannot be gone on with."""
import struct
import unittest

from wire import CLOSE, PING, PONG, WAIT_S, Closed, Mock


def next_ping(peer):
    while True:
        frame = peer.frame()
        if frame.opcode == PING:
            return frame.payload


class Pings(unittest.TestCase):
    def test_a_client_that_answers_stays_and_one_that_does_not_is_dropped(self):
        with Mock("--ping", "4", "--ping-timeout", "8", "--speed", "20") as mock:
            with mock.session("c") as good, mock.session("c") as bad:
                for _ in range(6):
                    good.send_frame(PONG, next_ping(good))
                self.assertEqual(bad.end(), "fin")
                good.pong()
            mock.process.terminate()
            mock.process.wait(WAIT_S)
            self.assertIn("its pong stays away", mock.said())

    def test_a_pong_to_something_else_is_no_answer(self):
        with Mock("--ping", "4", "--ping-timeout", "8", "--speed", "20") as mock, mock.session("c") as peer:
            next_ping(peer)
            peer.send_frame(PONG, b"something else")
            self.assertEqual(peer.end(), "fin")

    def test_pings_of_a_client_are_answered_with_their_data(self):
        with Mock() as mock, mock.session("c") as peer:
            for size in 0, 1, 125:
                peer.pong(b"x" * size)


class BadFrames(unittest.TestCase):
    def test_what_cannot_be_gone_on_with_is_closed_with_1002(self):
        for name, frame in (
            ("a ping of 126 bytes", b"\x89\xfe\x00\x7e" + bytes(4 + 126)),
            ("a ping in fragments", b"\x09\x80" + bytes(4)),
            ("reserved bits", b"\xc2\x81" + bytes(4 + 1)),
            ("a reserved opcode", b"\x83\x81" + bytes(4 + 1)),
            ("a continuation of nothing", b"\x80\x81" + bytes(4 + 1)),
        ):
            with self.subTest(name), Mock() as mock, mock.session("c") as peer:
                self.assertEqual(peer.json()["type"], "sessionReady")
                peer.send(frame)
                with self.assertRaises(Closed) as caught:
                    peer.message()
                self.assertEqual(caught.exception.code, 1002)
                peer.send_frame(CLOSE, struct.pack("!H", 1002))
                self.assertEqual(peer.end(), "fin")


if __name__ == "__main__":
    unittest.main()
