#!/usr/bin/env python3
"""Where the key may not be seen: the command line of a running ojin-mock."""
import json
import os
import pathlib
import socket
import subprocess
import unittest

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


class Upgrades(unittest.TestCase):
    def test_an_upgrade_is_looked_for_in_the_list(self):
        cases = {"websocket": "101", "WebSocket": "101", "h2c, websocket": "101", "h2c": "426", "websockets": "426"}
        with Mock() as mock:
            for upgrade, status in cases.items():
                with self.subTest(upgrade):
                    self.assertEqual(mock.status_of(upgrade=upgrade, key="k"), "HTTP/1.1 " + status)


if __name__ == "__main__":
    unittest.main()
