#!/usr/bin/python3
"""The page of a run in a real browser: a client with one fault, a few cases, and a look at the page by browser/open_report.mjs.

Left out where node, its packages or Debian's chromium are missing; ci/test installs them.
"""

import pathlib
import shutil
import subprocess
import sys
import unittest

from runner_case import PYTHON, RUN_TIMEOUT_S, SOURCE, RunnerCase

BROWSER = pathlib.Path("/usr/bin/chromium")
FOLDER = SOURCE / "conformance/tests/browser"
READY = BROWSER.exists() and shutil.which("node") and (FOLDER / "node_modules/playwright-core").is_dir()
SAYS_KEY = "import os, sys; print('the key is', os.environ['OJIN_API_KEY'], file=sys.stderr)"
PAGE_BYTES_MAX = 4 * 1024 * 1024


class HtmlReport(RunnerCase):
    def faulty_client(self):
        """The Python client, but its third message says that it has params, and it prints its key."""
        right = "return struct.pack(HEADER_FORMAT, AUDIO, now_ms(), len(params_json)) + params_json + audio"
        wrong = "SENT.append(1)\n    return struct.pack(HEADER_FORMAT, AUDIO, now_ms(), 7 * (len(SENT) == 3)) + audio"
        return self.changed_client((right, wrong), ("HEADER_FORMAT =", f"{SAYS_KEY}\nSENT = []\nHEADER_FORMAT ="))

    def page_of_a_run(self, *patterns):
        page = self.folder / "report.html"
        wanted = [word for pattern in patterns for word in ("--run", pattern)]
        done = self.conform("run", "--html", page, "--tier", "observe", *wanted, "--", PYTHON, self.faulty_client())
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return page

    def test_a_page_is_bounded_and_has_no_key(self):
        page = self.page_of_a_run("ojin/cancel/*", "ojin/connect/*")
        text = page.read_text(encoding="utf-8")
        self.assertLess(len(text), PAGE_BYTES_MAX)
        self.assertNotIn("conform-key", text)
        self.assertIn("Authorization: {key}", text)
        self.assertIn("the key is {key}", text)
        self.assertNotIn("http://", text.replace("http://www.w3.org/2000/svg", ""))
        self.assertNotIn("https://", text)

    @unittest.skipUnless(READY, "no chromium, node or playwright-core")
    def test_a_reader_finds_the_failure_in_a_browser(self):
        page = self.page_of_a_run("ojin/cancel/speak-again", "ojin/connect/handshake", "ojin/error/members-*")
        words = ["node", FOLDER / "open_report.mjs", page, "OJ-IN-03", "ojin/cancel/speak-again"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=RUN_TIMEOUT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("ok: "), 8, done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
