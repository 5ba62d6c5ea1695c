#!/usr/bin/python3
"""Two connections at a time of a script, as raw sockets see them: `aside`."""
import json
import os
import tempfile
import unittest

from wire import CLOSE, TEXT, Mock

SCRIPT = """case ojin/test/aside
server {
  accept any
  send text text=first
  aside {
    stop-reading for=1s
    wait 400ms
    send text text="of the old one"
    recv close within=5s
  }
  accept any
  send text text=second
  recv endInteraction within=10s
  mark ended
  close code=1001
}
"""


class Aside(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "aside.session")
        self.journal = os.path.join(folder.name, "journal.jsonl")
        with open(self.path, "w", encoding="utf-8") as out:
            out.write(SCRIPT)

    def entries(self):
        with open(self.journal, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines][1:]

    def test_each_connection_has_its_own_steps(self):
        with Mock("--script", self.path, "--journal", self.journal) as mock:
            with mock.peer() as old, mock.peer() as new:
                self.assertEqual(old.upgrade().status, 101)
                self.assertEqual(old.message().payload, b"first")
                old.send_frame(CLOSE, b"\x03\xe8")  # it is not read yet
                self.assertEqual(new.upgrade().status, 101)
                self.assertEqual(new.message().payload, b"second")
                late = old.message()
                self.assertEqual((late.opcode, late.payload), (TEXT, b"of the old one"))
                self.assertEqual(old.close_frame().payload[:2], b"\x03\xe8")
                new.finish()
                self.assertEqual(new.close_frame().payload[:2], b"\x03\xe9")
                new.answer_close(1001)
        entries = self.entries()
        texts = [(entry["connection"], entry["bytes"]) for entry in entries if entry.get("event") == "text"]
        texts = [text for text in texts if text[1] < 20]  # what the client says is longer
        self.assertEqual(texts, [(1, len("first")), (2, len("second")), (1, len("of the old one"))])
        self.assertEqual([entry["connection"] for entry in entries if entry["kind"] == "mark"], [2])
        self.assertEqual([entry["label"] for entry in entries if entry["kind"] == "failed"], [])


unittest.main()
