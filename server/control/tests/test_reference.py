#!/usr/bin/python3
"""Every example of server/CONTROL.md, run as it is printed, but for the port and the folder.

BIN_DIR names the folder of ojin-mock, SOURCE_DIR that of the tree.
"""
import asyncio
import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci/tests"))
import printed
from patient import connect

MOCK = os.path.join(os.environ["BIN_DIR"], "ojin-mock")
PAGE = os.path.join(os.environ["SOURCE_DIR"], "server", "CONTROL.md")
WAIT_S = 60


class Examples(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen(
            [MOCK, "--port", "0", "--size", "320x240", "--log", "quiet"], stdout=subprocess.PIPE
        )
        self.addCleanup(self.end)
        self.ready = json.loads(self.process.stdout.readline())

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(WAIT_S)
        self.process.stdout.close()

    def shell(self, line, folder):
        """What the line prints; it has to succeed."""
        line = line.replace("localhost:7700", f"localhost:{self.ready['port']}")
        done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, timeout=WAIT_S)
        self.assertEqual((done.returncode, done.stderr), (0, ""), line)
        return done.stdout

    async def run_all(self, folder):
        loop = asyncio.get_running_loop()
        count = 0
        serving, lines = "ojin-mock", printed.of("test_reference")
        self.assertIn(serving, lines)  # the one of setUp, at a port of its own
        for line in lines:
            if line == serving:
                continue
            url = self.ready["url"] + "?config_id=c"
            # Each has a session open; the first is number 1 after a reset too.
            async with connect(url, extra_headers={"Authorization": "k"}) as ws:
                await ws.recv()
                now = line
                if "/sessions/1" in line and "/scenarios/" not in line:
                    listed = await loop.run_in_executor(
                        None, self.shell, "curl -s http://localhost:7700/__mock/sessions", folder
                    )
                    newest = max(s["session"] for s in json.loads(listed)["sessions"])
                    now = line.replace("/sessions/1", f"/sessions/{newest}")
                said = await loop.run_in_executor(None, self.shell, now, folder)
                if "-o " not in line and not line.endswith("metrics"):
                    self.assertNotIn("error", json.loads(said), line)
                count += 1
        return count

    def test_all_work_as_printed(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertGreater(asyncio.run(self.run_all(folder)), 25)
            with open(os.path.join(folder, "received.wav"), "rb") as file:
                self.assertEqual(file.read(4), b"RIFF")

    def test_every_route_is_on_the_page(self):
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
        with tempfile.TemporaryDirectory() as folder:
            routes = json.loads(self.shell("curl -s http://localhost:7700/__mock/", folder))["routes"]
        for route in routes:
            path = route["path"].replace("{n}", "1").replace("{id}", "1")
            self.assertIn("http://localhost:7700" + path, page, route)


class Statuses(unittest.TestCase):
    def test_each_status_of_an_error_stands_on_the_page(self):
        used = set()
        for path in glob.glob(os.path.join(os.path.dirname(PAGE), "control", "*.c")):
            with open(path, encoding="utf-8") as source:
                used |= set(re.findall(r"exchange_error\(\s*exchange,\s*(\d{3})", source.read()))
        self.assertGreater(len(used), 4)
        with open(PAGE, encoding="utf-8") as page:
            said = re.search(r"errors `.+?` with status ([^.]+)\.", page.read(), re.S).group(1)
        self.assertEqual(sorted(used - set(re.findall(r"\d{3}", said))), [])


if __name__ == "__main__":
    unittest.main()
