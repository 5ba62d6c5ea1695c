#!/usr/bin/python3
"""What is still on its way when a connection ends: slices with long gaps between them, in the clear and inside TLS; and who
asks meanwhile."""
import json
import tempfile
import unittest

from wire import TEXT, WAIT_S, Closed, Ended, Mock, TlsMock

BOTH = Mock, TlsMock
DROPS = """case ojin/test/drops
server {
  accept any
  raw bytes=3000 | slice every=1000 gap=1500ms
  drop
}
"""
CLOSES = """case ojin/test/closes
server {
  accept any
  send text text=twelve-bytes | slice every=5 gap=1200ms
  close code=1000
}
"""
ENDS = """case ojin/test/ends
server {
  accept any
  close code=1000
  accept any
}
"""


class Script:
    def __init__(self, text):
        self.text = text

    def __enter__(self):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".session")
        self.file.write(self.text)
        self.file.flush()
        return self.file.name

    def __exit__(self, *_):
        self.file.close()
        return False


class SlowEnds(unittest.TestCase):
    def test_a_drop_waits_for_the_slices_before_it(self):
        for kind in BOTH:
            with self.subTest(kind.__name__), Script(DROPS) as script, kind("--script", script) as mock, mock.peer() as peer:
                self.assertEqual(peer.upgrade("any").status, 101)
                with self.assertRaises(Ended) as ended:
                    peer._need(3001)
                self.assertEqual((len(peer.data), ended.exception.how), (3000, "fin"))

    def test_a_close_frame_behind_slices_can_still_be_answered(self):
        for kind in BOTH:
            with self.subTest(kind.__name__), Script(CLOSES) as script, tempfile.NamedTemporaryFile() as journal:
                with kind("--script", script, "--journal", journal.name) as mock, mock.peer() as peer:
                    self.assertEqual(peer.upgrade("any").status, 101)
                    with self.assertRaises(Closed):
                        self.assertEqual(peer.message().opcode, TEXT)
                        peer.message()
                    peer.answer_close()
                    self.assertEqual(peer.end(), "fin")
                    mock.process.terminate()
                    mock.process.wait(WAIT_S)
                    self.assertNotIn("was not completed", mock.said())
                    said = [(one["from"], one["event"]) for one in map(json.loads, journal) if one.get("kind") == "wire"]
                self.assertIn(("client", "close"), said)

    def test_the_control_interface_waits_for_no_end(self):
        with Script(ENDS) as script, Mock("--script", script) as mock, mock.peer() as peer, mock.peer() as other:
            self.assertEqual(peer.upgrade("any").status, 101)
            with self.assertRaises(Closed):
                peer.message()  # which is not answered
            other.send(
                b"GET /__mock/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            )
            self.assertEqual(other.response().status, 200)


if __name__ == "__main__":
    unittest.main()
