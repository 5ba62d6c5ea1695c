#!/usr/bin/python3
"""What cannot be had with --no-tap is refused with a sentence: at the start, or when a client asks for it."""
import json
import os
import subprocess
import tempfile
import unittest

from wire import MOCK, WAIT_S, Mock


def start(*options, script=None):
    """Exit status and what it said of a mock that is not to start."""
    with tempfile.TemporaryDirectory() as folder:
        if script is not None:
            path = os.path.join(folder, "a.case")
            with open(path, "w") as file:
                file.write(f"{HEAD}server {{\n{script}\n}}\n")
            options += ("--script", path)
        done = subprocess.run(
            [MOCK, "--port", "0", "--no-tap", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=WAIT_S
        )
        return done.returncode, done.stderr.decode(), done.stdout


HEAD = 'case by-hand\ntitle "By hand"\nexpect "It works"\nclause OJ-RDY-01\n'


class Start(unittest.TestCase):
    def test_what_the_options_say_together(self):
        for options, words in (
            (("--quirk", "no-pong"), "quirk no-pong cannot be had with --no-tap"),
            (("--quirk", "permessage-deflate"), "quirk permessage-deflate cannot be had with --no-tap"),
            (("--fault", "slices"), 'fault slices cannot be had with --no-tap, as it needs "slice"'),
            (("--fault", "stop-reading"), 'fault stop-reading cannot be had with --no-tap, as it needs "stop-reading"'),
            (("--fault", "wrong-accept"), 'it needs "accept header="'),
        ):
            with self.subTest(options):
                status, said, out = start(*options)
                self.assertEqual((status, out), (2, b""), said)
                self.assertIn(words, said)

    def test_what_a_script_asks_for(self):
        for steps, line, what in (
            ("accept\nstop-reading for=1s", 7, "stop-reading"),
            ("accept\nrepeat 2 {\nrepeat 2 {\nsend ready | slice every=1\n}\n}", 9, "slice"),
            ("accept\nquirk no-pong", 7, "no-pong"),
            ("quirk permessage-deflate=taken\naccept", 6, "permessage-deflate"),
        ):
            with self.subTest(steps):
                status, said, _ = start(script=steps)
                self.assertEqual(status, 2, said)
                self.assertIn(f'a.case:{line}: "{what}" cannot be had with --no-tap', said)

    def test_over_tls_all_of_it_can_be_had(self):
        with Mock("--no-tap", "--tls", "--quirk", "no-pong") as mock:
            self.assertTrue(mock.ready["url"].startswith("wss:"))


class Later(unittest.TestCase):
    def test_a_card_is_answered_by_the_log_and_the_journal(self):
        for card, label, words in (
            ("stop-reading", "stop-reading", "a stop of reading"),
            ("slices", "slice", "TCP slices"),
            ("wrong-accept", "accept", "header lines of its own in the response"),
            ("no-pong", "quirk", "no-pong"),
            ("permessage-deflate", "quirk", "permessage-deflate"),
        ):
            with self.subTest(card), tempfile.NamedTemporaryFile() as journal:
                offer = ["Sec-WebSocket-Extensions: permessage-deflate"]
                with Mock("--no-tap", "--journal", journal.name) as mock:
                    with mock.session(f"mock.{card}", headers=offer) as peer:
                        self.assertEqual(peer.json()["type"], "sessionReady")
                        peer.silence()
                        peer.until_frame()
                    mock.process.terminate()
                    mock.process.wait(WAIT_S)
                    sentence = f"{words} cannot be had without the tap"
                    self.assertEqual(mock.said().count(sentence), 1, mock.said())
                entries = [json.loads(line) for line in journal]
                failed = [one for one in entries if sentence in json.dumps(one)]
                self.assertEqual(len(failed), 1, entries)
                self.assertIn(label, json.dumps(failed))


if __name__ == "__main__":
    unittest.main()
