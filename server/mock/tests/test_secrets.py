#!/usr/bin/env python3
"""Where the key may not be seen: the command line of a running ojin-mock."""
import base64
import json
import os
import pathlib
import random
import socket
import struct
import subprocess
import tempfile
import unittest
import urllib.parse
import urllib.request

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


class Upgrades(unittest.TestCase):
    def test_an_upgrade_is_looked_for_in_the_list(self):
        cases = {"websocket": "101", "WebSocket": "101", "h2c, websocket": "101", "h2c": "426", "websockets": "426"}
        with Mock() as mock:
            for upgrade, status in cases.items():
                with self.subTest(upgrade):
                    self.assertEqual(mock.status_of(upgrade=upgrade, key="k"), "HTTP/1.1 " + status)


if __name__ == "__main__":
    unittest.main()
