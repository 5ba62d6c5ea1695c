#!/usr/bin/python3
"""The page of a run in a real browser: a client with one fault, a few cases, and a look at the page by browser/open_report.mjs.

Left out where node, its packages or Debian's chromium are missing; ci/test installs them.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from runner_case import CONFORM, PYTHON, RUN_TIMEOUT_S, SOURCE, RunnerCase, needs

FOLDER = SOURCE / "conformance/tests/browser"
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

    # A client that does in each case something else: a page with every verdict.
    CHOOSER = """
import os, pathlib, signal, sys, time
case = os.environ["CONFORM_CASE"]
conform, right, faulty = {words!r}
if case == "ojin/ready/minimal":
    sys.exit(0)
if case == "ojin/ready/load-one":
    sys.exit(77)
if case == "ojin/cancel/speak-again":
    os.execv(sys.executable, [sys.executable, faulty])
if case == "ojin/ready/twice":  # a message too many, while the worker, the parent of its parent, stands still
    import asyncio, websockets
    def parent(pid):
        return int(pathlib.Path(f"/proc/{{pid}}/stat").read_text().rpartition(")")[2].split()[1])
    async def rush():
        url = os.environ["OJIN_URL"] + "?config_id=" + os.environ["OJIN_CONFIG_ID"]
        async with websockets.connect(url, extra_headers={{"Authorization": os.environ["OJIN_API_KEY"]}}) as ws:
            await ws.recv()
            worker = parent(os.getppid())
            os.kill(worker, signal.SIGSTOP)
            time.sleep(0.4)
            os.kill(worker, signal.SIGCONT)
            for _ in range(7):
                await ws.send('{{"type":"cancelInteraction","payload":{{"timestamp":%d}}}}' % (time.time() * 1000))
                await asyncio.sleep(0.1)
            await asyncio.sleep(1)
    asyncio.run(rush())
    sys.exit(0)
defects = {{"ojin/error/unknown-code": "hides-unknown-code", "ojin/ready/extra-members": "strict-ready"}}
if case in defects:
    os.execv(conform, [conform, "defect", defects[case]])
os.execv(right, [right, "conform"])
"""
    LONG = """case     mine/an-area-with-a-long-name/that-goes-on
title    "A title with AWordThatIsLongAndComesFromSomeIdentifierOrOther0123456789012345678901234567890123456789 in it"
expect   "The client does what no client does"
clause   OJ-OUT-01 MUST
limit    8s

plan {{
  wait  300ms
  close
}}
server {{
  accept
  serve  until=close
}}
check    a-check-with-a-name-as-long-as-this  MUST  some seen:error code=SOMETHING_THAT_NO_SERVER_EVER_SENDS_TO_ANY_CLIENT_AT_ALL
"""

    def cases(self, *names):
        folder = self.folder / "cases"
        folder.mkdir()
        for name in names:
            shutil.copy(SOURCE / f"conformance/cases/{name}.session", folder / (name.replace("/", "_") + ".session"))
        (folder / "long.session").write_text(self.LONG.format())
        return folder

    @needs("chromium", "node", packages="conformance/tests/browser")
    def test_a_reader_finds_what_the_run_found_in_a_browser(self):
        verdicts = {"ojin/cancel/speak-again": "FAIL", "ojin/connect/handshake": "PASS", "ojin/error/unknown-code": "DISPUTED",
                    "ojin/ready/extra-members": "WARN", "ojin/ready/load-one": "UNSUPPORTED", "ojin/ready/minimal": "NOCONNECT",
                    "ojin/error/members-null": "PASS", "mine/an-area-with-a-long-name/that-goes-on": "FAIL"}
        kinds = {"Failed": 3, "Worth a look": 2, "Passed": 2, "Not judged": 1}
        folder = self.cases(*[name for name in verdicts if name.startswith("ojin/")], "ojin/ready/twice")
        failing = folder / "ojin_cancel_speak-again.session"  # made a case about what that client breaks
        failing.write_text(re.sub("(?m)^clause ", "clause   OJ-IN-03 MUST\nclause ", failing.read_text(), count=1))
        words = (str(CONFORM), str(CONFORM.parent / "ojin-client"), self.faulty_client())
        client = self.write("chooser.py", self.CHOOSER.format(words=words))
        page, report = self.folder / "report.html", self.folder / "report.json"
        done = self.conform("run", "--html", page, "--json", report, "--tier", "observe", "--cases", folder, "--", PYTHON, client,
                            "a-word-without-a-place-to-break-" * 8)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        (late,) = [case for case in json.loads(report.read_text())["cases"] if case["name"] == "ojin/ready/twice"]
        self.assertIn("INCONCLUSIVE", {check["verdict"] for check in late["checks"]}, done.stdout)
        kinds["Failed" if late["outcome"] == "failed" else "Not judged"] += 1
        expected = {"failing": {"name": "ojin/cancel/speak-again", "requirement": "OJ-IN-03"}, "verdicts": verdicts, "kinds": kinds,
                    "unconnected": "ojin/ready/minimal", "reason": "FAIL .*OJ-IN-03"}
        looked = subprocess.run(["node", FOLDER / "open_report.mjs", page, json.dumps(expected)], capture_output=True, text=True,
                                timeout=RUN_TIMEOUT_S, check=False)
        self.assertEqual(looked.returncode, 0, looked.stdout + looked.stderr)
        self.assertEqual(looked.stdout.count("ok: "), 14, looked.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
