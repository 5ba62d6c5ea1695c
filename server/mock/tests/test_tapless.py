#!/usr/bin/python3
"""What cannot be had with --no-tap is refused with a sentence: at the start, or when a client asks for it."""
import os
import re
import subprocess
import tempfile
import unittest

from test_violations import VIOLATIONS
from wire import CLOSE, MOCK, PING, PONG, WAIT_S, Closed, Ended, Mock, listed


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


NEEDS_TAP = {
    "slices",
    "stop-reading",
    "half-close",
    "no-closing-handshake",
    "wrong-accept",
    "missing-accept",
    "unasked-extension",
    "unasked-protocol",
    "no-pong",
    "permessage-deflate",
}
HEAD = 'case by-hand\ntitle "By hand"\nexpect "It works"\nclause OJ-RDY-01\n'


def options_of(text, begins):
    """Each option that comes after that, and what is said of it up to the next."""
    parts = re.split(begins + "(--[a-z-]+)", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


class Pages(unittest.TestCase):
    """Help and man page, which say the same."""

    def setUp(self):
        said = subprocess.run([MOCK, "--help"], capture_output=True, text=True, timeout=WAIT_S, check=True)
        self.help_text = said.stdout
        self.help = options_of(said.stdout, "^ +")
        page = os.path.join(os.environ["SOURCE_DIR"], "server", "mock", "ojin-mock.1")
        with open(page, encoding="utf-8") as file:
            text = file.read().replace("\\-", "-").replace("\\fR", "")
        self.page_text = text
        self.page = options_of(text, r"^\.TP\n\.\w+ ")

    def test_each_option_stands_in_both(self):
        self.assertGreater(len(self.help), 20)
        for name in sorted(set(self.help) | set(self.page)):
            with self.subTest(name):
                self.assertIn(name, self.page_text)
                self.assertIn(name, self.help_text)

    def test_what_needs_the_tap_is_the_same_in_both(self):
        for word in ("slices", "stop-reading", "half-close", "101", "no-pong", "permessage-deflate"):
            for where, said in (("help", self.help), ("page", self.page)):
                with self.subTest(word, where=where):
                    self.assertIn(word, said["--no-tap"])

    def test_what_is_said_of_breaches_is_the_same_in_both(self):
        for said in PASS + ENDED_WITHOUT_A_WORD:
            for where, text in (("help", self.help), ("page", self.page)):
                with self.subTest(said, where=where):
                    self.assertIn(said, " ".join(text["--no-tap"].split()))

    def test_both_say_that_the_key_is_safe_in_the_environment_alone(self):
        for where, said in (("help", self.help), ("page", self.page)):
            with self.subTest(where):
                self.assertIn("OJIN_MOCK_KEY", said["--key"])
                self.assertNotIn("users of the machine can see it in the list", said["--key"])
        self.assertIn("wiped", self.page["--key"])


# What help and page say of breaches, and the names that those have in test_violations.py.
PASS = ("frames without a mask pass", "so do texts that are no UTF-8")
ENDED_WITHOUT_A_WORD = ("control frame over 125 bytes", "length with its highest bit", "ends the connection without a close frame")


def expected_without_tap(name, code):
    if name.startswith("an unmasked ") or "text that" in name or "character" in name:
        return 1000 if "close" in name else "goes on"
    if " of 126 bytes" in name or "length is written" in name or "highest bit" in name:
        return "fin"
    return code


class Breaches(unittest.TestCase):
    """A client's breaches of the framing come out as help and page say."""

    def outcome(self, peer, data):
        peer.send(data)
        try:
            peer.send_frame(PING, b"still there")
            while True:
                frame = peer.frame()
                if frame.opcode == CLOSE:
                    raise Closed(frame.payload)
                if frame.opcode == PONG and frame.payload == b"still there":
                    return "goes on"
                if frame.opcode == PONG:  # of two pings that come together the library answers one
                    peer.send_frame(PING, b"still there")
        except Closed as closed:
            return closed.code
        except Ended as ended:
            return ended.how
        except (BrokenPipeError, ConnectionResetError):
            return "fin"

    def test_each_comes_out_as_it_is_said(self):
        seen = set()
        with Mock("--no-tap", "--log", "quiet") as mock:
            for name, data, code in VIOLATIONS:
                with self.subTest(name), mock.session("any") as peer:
                    self.assertEqual(peer.json()["type"], "sessionReady")
                    expected = expected_without_tap(name, code)
                    self.assertEqual(self.outcome(peer, data), expected)
                    seen.add(expected)
        self.assertEqual(seen, {"goes on", "fin", 1000, 1002, 1007})


class Start(unittest.TestCase):
    def test_what_the_options_say_together(self):
        for options, words in (
            (("--quirk", "no-pong"), "quirk no-pong cannot be had with --no-tap"),
            (("--quirk", "permessage-deflate"), "quirk permessage-deflate cannot be had with --no-tap"),
            (("--fault", "slices"), 'fault slices cannot be had with --no-tap, as it needs "slice"'),
            (("--fault", "stop-reading"), 'fault stop-reading cannot be had with --no-tap, as it needs "stop-reading"'),
            (("--fault", "wrong-accept"), 'it needs "accept header="'),
            (("--fault", "half-close"), 'fault half-close cannot be had with --no-tap, as it needs "half-close"'),
            (("--config", "mock.fade+slices"), 'card mock.fade+slices cannot be had with --no-tap, as it needs "slice"'),
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
            ("accept\nserve for=1s\nhalf-close", 8, "half-close"),
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
    def test_a_card_is_refused_and_the_client_is_told_why(self):
        with Mock("--no-tap", "--log", "quiet") as mock:
            for card, what in (
                ("stop-reading", "stop-reading"),
                ("half-close", "half-close"),
                ("slices", "slice"),
                ("one-byte-slices", "slice"),
                ("wrong-accept", "accept header="),
                ("no-pong", "no-pong"),
                ("permessage-deflate", "permessage-deflate"),
                ("fade+no-pong", "no-pong"),
            ):
                with self.subTest(card), mock.session(f"mock.{card}") as peer:
                    seen, closed, _ = peer.end_of_session()
                    sentence = f'the card cannot be had with --no-tap, as it needs "{what}" (see ojin-mock --list cards)'
                    self.assertEqual([one["payload"]["message"] for one in seen], [sentence])
                    self.assertEqual((seen[0]["payload"]["code"], closed.code), ("MODEL_NOT_FOUND", 1008))
            for card in ("permessage-deflate=declined", "no-pong=off", "drop"):
                with self.subTest(card), mock.session(f"mock.{card}") as peer:
                    self.assertEqual(peer.json()["type"], "sessionReady")

    def test_no_fault_and_no_quirk_is_left_out(self):
        """What starts with --no-tap shows all the same: tests of faults and quirks run with it where they can."""
        refused = set()
        for what in ("fault", "quirk"):
            for row in listed(what + "s"):
                done = subprocess.run([MOCK, "--no-tap", "--listen", "none", f"--{what}", row["name"]], capture_output=True)
                if b"cannot be had with --no-tap" in done.stderr:
                    refused.add(row["name"])
        self.assertEqual(refused, NEEDS_TAP)


if __name__ == "__main__":
    unittest.main()
