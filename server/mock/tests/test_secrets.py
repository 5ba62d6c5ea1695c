#!/usr/bin/env python3
"""Where secrets may not be seen: the command line of a running ojin-mock, its journal, its log."""
import base64
import json
import os
import pathlib
import random
import socket
import struct
import subprocess
import tempfile
import time
import unittest
import urllib.parse
import urllib.request

import wire

MOCK = os.path.join(os.environ["BIN_DIR"], "ojin-mock")
KEY = "key-that-nobody-may-see"
HEAD = (
    "GET /realtime?config_id=c HTTP/1.1\r\nHost: mock\r\nUpgrade: {upgrade}\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: {key}\r\n\r\n"
)


class Mock:
    def __init__(self, *options):
        self.process = subprocess.Popen(
            [MOCK, "--port", "0", "--size", "320x240", *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.ready = json.loads(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()

    def status_of(self, **fields):
        """What a request is answered with."""
        with socket.create_connection(("127.0.0.1", self.ready["port"]), timeout=60) as peer:
            peer.sendall(HEAD.format(**fields).encode())
            return peer.recv(12).decode()


class Secrets(unittest.TestCase):
    def test_the_key_is_wiped_from_the_command_line_and_still_the_right_one(self):
        for words in (["--key", KEY], ["--key=" + KEY]):
            with self.subTest(words), Mock(*words) as mock:
                line = pathlib.Path(f"/proc/{mock.process.pid}/cmdline").read_bytes()
                self.assertIn(b"--key", line)
                self.assertNotIn(KEY.encode(), line)
                self.assertEqual(mock.status_of(upgrade="websocket", key=KEY), "HTTP/1.1 101")
                self.assertEqual(mock.status_of(upgrade="websocket", key="x" * len(KEY)), "HTTP/1.1 401")

    def test_a_key_that_is_too_long_is_wrong_usage_and_not_shown(self):
        done = subprocess.run([MOCK, "--key", "k" * 4096], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("kkkk", done.stderr)


def spellings(key):
    """What the key may stand as: the text, and what of it must come out nowhere."""
    yield key, key
    yield "".join(f"%{byte:02x}" for byte in key.encode()), urllib.parse.quote(key)
    yield key.encode().hex(), key.encode().hex()
    for before in ("", "u", "u:"):
        coded = base64.b64encode((before + key + "---").encode()).decode()
        first, last = -(-len(before) * 8 // 6), (len(before) + len(key)) * 8 // 6
        yield urllib.parse.quote(coded), coded[first:last]


PLACES = (
    "GET /realtime?config_id=a&@=1 HTTP/1.1\r\n",
    "GET /realtime?config_id=@ HTTP/1.1\r\n",
    "GET /realtime?config_id=mock.@ HTTP/1.1\r\n",
    "GET /v1/realtime?mode=@ HTTP/1.1\r\n",
    "GET /api/v1/interviews/@/realtime/connect?token=@ HTTP/1.1\r\n",
    "GET /@ HTTP/1.1\r\n",
    "GET /realtime?config_id=a b@ HTTP/1.1\r\n",
    "@ /realtime HTTP/1.1\r\n",
    "GET /realtime?config_id=a HTTP/1.1\r\nCookie: a=@\r\n",
    "GET /realtime?config_id=a HTTP/1.1\r\nX-Api-Key: @\r\n",
    "GET /realtime?config_id=a HTTP/1.1\r\nSec-WebSocket-Protocol: realtime, key.@\r\n",
    "GET /realtime?config_id=a HTTP/1.1\r\nAuthorization: Basic @\r\n",
    "GET /realtime?config_id=a HTTP/1.1\r\n@: 1\r\n",
    "GET /__mock/@ HTTP/1.1\r\n",
    "GET /__mock/journal?@=1 HTTP/1.1\r\n",
)


class Nowhere(unittest.TestCase):
    """A random key in any spelling, in any place of a request or of a message, in no output of the mock."""

    def talk(self, port, request, key, spelled):
        """Sends the request, and on what it opens messages with the key in them."""
        if "Authorization" not in request:
            request += f"Authorization: {key}\r\n"
        request += HEAD.split("\r\n", 1)[1].format(upgrade="websocket", key=key).split("Authorization")[0] + "\r\n"
        with socket.create_connection(("127.0.0.1", port), timeout=60) as peer:
            peer.sendall(request.encode())
            try:
                heard = peer.recv(65536)
            except ConnectionResetError:  # more came than a refused request may have behind it
                heard = b""
            if heard.startswith(b"HTTP/1.1 101"):
                for message in (json.dumps({"type": spelled, "key": spelled}), "{" + spelled, json.dumps({"type": "endInteraction", spelled: key})):
                    peer.sendall(struct.pack("!BBH4x", 0x81, 0xFE, len(message)) + message.encode())
                peer.settimeout(0.05)
                try:
                    while peer.recv(65536):
                        pass
                except OSError:
                    pass
            return heard

    def test_a_random_key_comes_out_nowhere(self):
        rng = random.Random(16)
        key = "".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789") for _ in range(23))
        told = {}
        with tempfile.TemporaryDirectory() as folder:
            journal, log = os.path.join(folder, "journal"), os.path.join(folder, "log")
            with open(log, "wb") as errors:
                mock = subprocess.Popen([MOCK, "--port", "0", "--size", "320x240", "--log", "debug", "--journal", journal, "--key", key],
                                        stdout=subprocess.PIPE, stderr=errors)
            try:
                port = json.loads(mock.stdout.readline())["port"]
                for place in PLACES:
                    for text, _ in spellings(key):
                        self.talk(port, place.replace("@", text), key, text)  # which may hear its own words again
                for path in ("journal", "sessions", "sessions/1", "quirks", "metrics", "health", "scenarios"):
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/__mock/{path}", timeout=60) as answer:
                        told[path] = answer.read()
            finally:
                mock.terminate()
                mock.wait(60)
                mock.stdout.close()
            told["the journal"], told["the log"] = pathlib.Path(journal).read_bytes(), pathlib.Path(log).read_bytes()
        self.assertGreater(len(told["the journal"].splitlines()), 200)
        for where, text in told.items():
            for _, hidden in spellings(key):
                self.assertNotIn(hidden.encode().lower() if hidden == key.encode().hex() else hidden.encode(), text, where)


class Refusals(unittest.TestCase):
    """The log says why a client was not let in, or its session was ended, without the secrets of it."""

    def test_one_line_says_why(self):
        other, token = "wrong-key-that-is-secret", "token-that-is-no-token"
        rows = (
            (dict(key=other), [r"refused with HTTP 401: \{.*AUTH_FAILED.*\}"]),
            (dict(path="/nowhere", query="x=1"), [r"refused with HTTP 404: There is nothing here\. "]),
            (dict(path="/api/v1/interviews/6f1c1d0e-4b7a-4c58-9d4e-0123456789ab/realtime/connect", query=f"token={token}"),
             [r"closed with 1008: POLICY_VIOLATION: the token is malformed"]),
            (dict(config="mock.login-expired"), [r"closed with 4401"]),
            (dict(config="fine"), []),
        )
        for log, shown in (("info", True), ("quiet", False)):
            with wire.Mock("--log", log, "--key", KEY) as mock:
                for ask, _ in rows:
                    with mock.peer() as peer:
                        if peer.upgrade(**ask).status != 101:
                            continue
                        if ask.get("config") == "fine":  # leaves by itself: the mock refuses nothing
                            peer.answer_close(1001)
                        peer.end_of_session()
                lines = self.lines(mock, len(rows) - 1 if shown else 0)
                self.assertEqual(len(lines), len(rows) - 1 if shown else 0, mock.said())
                for line, (_, expected) in zip(lines, rows):
                    self.assertRegex(line, "^" + expected[0] + r".* \(connection \d+, [\d.]+ s\)$")
                for secret in (KEY, other, token):
                    self.assertNotIn(secret, mock.said())

    def test_a_reason_that_quotes_a_secret_is_told_without_it(self):
        other = "wrong-key-that-is-secret"
        with tempfile.NamedTemporaryFile("w", suffix=".session") as script:
            script.write(f'case ojin/test/refusals\ntitle "Two"\nserver {{\n  refuse status=403 body="not with {KEY} nor {other}"\n'
                         f'  accept\n  close code=4009 reason="nor with {KEY}"\n}}\n')
            script.flush()
            with wire.Mock("--log", "info", "--key", KEY, "--script", script.name) as mock:
                with mock.peer() as peer:
                    self.assertEqual(peer.upgrade(key=other).status, 403)
                with mock.session("any") as peer:
                    peer.end_of_session()
                lines = self.lines(mock, 2)
                self.assertRegex(lines[0], r"^refused with HTTP 403: not with \{key\} nor \S+ \(connection 1, ")
                self.assertRegex(lines[1], r"^closed with 4009: nor with \{key\} \(connection 2, ")
                for secret in (KEY, other):
                    self.assertNotIn(secret, mock.said())

    def lines(self, mock, count):
        """Those about refusals, once all of them are there."""
        for _ in range(600):
            lines = [line for line in mock.said().splitlines() if line.startswith(("refused with ", "closed with "))]
            if len(lines) >= count:
                break
            time.sleep(0.1)
        return lines


class Upgrades(unittest.TestCase):
    def test_an_upgrade_is_looked_for_in_the_list(self):
        cases = {"websocket": "101", "WebSocket": "101", "h2c, websocket": "101", "h2c": "426", "websockets": "426"}
        with Mock() as mock:
            for upgrade, status in cases.items():
                with self.subTest(upgrade):
                    self.assertEqual(mock.status_of(upgrade=upgrade, key="k"), "HTTP/1.1 " + status)


if __name__ == "__main__":
    unittest.main()
