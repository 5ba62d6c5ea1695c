#!/usr/bin/python3
"""Programs that get less and less memory (RLIMIT_AS): they work, or say that memory ran out with the status of an error of their
own. None is used wrongly, is ended by a signal, or calls anybody else's work wrong."""

import itertools
import os
import pathlib
import resource
import subprocess
import unittest

BIN = pathlib.Path(os.environ["BIN_DIR"])
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
MEGABYTE = 1 << 20
WAIT_S = 60
LOADER = 127  # the dynamic loader itself has no memory: the program never began
FEW = (16, 24, 32, 40, 48, 64, 80, 96, 128, 192, 256)


def run(words, megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE, megabytes * MEGABYTE))

    return subprocess.run(words, preexec_fn=limit, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=WAIT_S, check=False)


class OutOfMemory(unittest.TestCase):
    def codes(self, words, own_error):
        """Goes through all of them; the statuses that came up."""
        seen = set()
        for megabytes in FEW:
            with self.subTest(megabytes=megabytes):
                done = run(words, megabytes)
                self.assertIn(done.returncode, (0, own_error, LOADER), done.stdout[-2000:] + done.stderr[-2000:])
                if done.returncode == own_error:
                    self.assertRegex(done.stderr, "(?i)memory")
                    self.assertLess(len(done.stderr.splitlines()), 5)
                seen.add(done.returncode)
        return seen

    def test_the_list_of_cases(self):
        words = [BIN / "ojin-conform", "list"]
        self.assertLessEqual({0, 3}, self.codes(words, 3))

    def test_the_vectors(self):
        words = [BIN / "ojin-conform", "vectors", "--family", "ojin", "--out", os.devnull]
        self.assertIn(0, self.codes(words, 3))

    def test_the_client(self):
        """It needs no thread to connect to an address, and one to look up a name, for whose stack there may be no room."""
        os.environ.update(OJIN_API_KEY="key", OJIN_CONFIG_ID="config")
        for host, megabytes in itertools.product(("127.0.0.1", "localhost"), FEW):
            words = [BIN / "ojin-client", "speak", SOURCE / "fixtures/speech/hello-1s.wav", "--url", f"ws://{host}:1/realtime"]
            with self.subTest(host=host, megabytes=megabytes):
                done = run(words, megabytes)
                self.assertIn(done.returncode, (1, LOADER), done.stderr)
                self.assertRegex(done.stderr, "(?i)memory|refused")

    def test_the_mock(self):
        words = [BIN / "ojin-mock", "exec", "--size", "1280x720", "--", "true"]
        self.assertLessEqual({0, 1}, self.codes(words, 1))


if __name__ == "__main__":
    unittest.main()
