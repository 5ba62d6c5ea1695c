#!/usr/bin/python3
"""`ojin-conform splits`: right clients pass, one that takes a read for a message fails, and what fails is told."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

from runner_case import BIN, CONFORM, PYTHON, SOURCE, RunnerCase, needs

CLIENTS = SOURCE / "conformance/clients"
FAMILIES = ("ojin", "duplex", "interview")
# A client on a bare socket. FAULT: it takes each read for one message, whole.
RAW_CLIENT = r"""
import base64, json, os, socket, struct, sys, time, zlib
FAULT = %(fault)s
def say(**members): print(json.dumps({"conform": 1} | members), flush=True)
plan = json.load(open(os.environ["CONFORM_PLAN"]))["steps"]
if any(step["do"] not in ("wait", "close", "connect") for step in plan): sys.exit(77)
host, port = os.environ["OJIN_URL"].split("/")[2].split(":")
ws = socket.create_connection((host, int(port)))
ws.sendall(("GET /realtime?config_id=%%s HTTP/1.1\r\nHost: %%s:%%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: %%s\r\nSec-WebSocket-Version: 13\r\nAuthorization: %%s\r\n\r\n" %% (os.environ["OJIN_CONFIG_ID"],
            host, port, base64.b64encode(os.urandom(16)).decode(), os.environ["OJIN_API_KEY"])).encode())
def send(opcode, payload):
    mask = os.urandom(4)
    ws.sendall(bytes([0x80 | opcode, 0x80 | len(payload)]) + mask + bytes(byte ^ mask[i %% 4] for i, byte in enumerate(payload)))
def take(opcode, payload):
    if opcode == 2:
        final, uuid, stamp, _, index, count = struct.unpack_from(">B16sQIII", payload)
        parts, at = {}, 37
        for _ in range(count):
            size, kind = struct.unpack_from(">IB", payload, at)
            parts[kind] = zlib.crc32(payload[at + 5 : at + 5 + size])
            at += 5 + size
        digits = uuid.hex()
        name = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
        say(seen="frame", index=index, final=final == 1, interaction=name, timestamp=str(stamp), audio=parts.get(1), image=parts.get(2))
        return
    text = payload.decode()
    message = json.loads(text) if text.startswith("{") else {}
    if message.get("type") == "sessionReady": say(seen="ready", load=message["payload"]["load"])
    elif message: say(seen="error", code=message["payload"]["code"], text=message["payload"]["message"])
    else: say(seen="error", code="", text=text)
buffer, open_, message, began = b"", True, (0, b""), time.time()
while b"\r\n\r\n" not in buffer: buffer += ws.recv(4096)
buffer = buffer.partition(b"\r\n\r\n")[2]
asked = any(step["do"] == "close" for step in plan)
while open_:
    if asked and time.time() - began > 0.2: send(8, struct.pack(">H", 1000)); asked = False
    ws.settimeout(0.1)
    try: read = ws.recv(65536)
    except TimeoutError: continue
    if not read: break
    buffer = read if FAULT else buffer + read
    while len(buffer) >= 2:
        size, head = buffer[1] & 127, 2
        if size == 126 and len(buffer) >= 4: size, head = struct.unpack_from(">H", buffer, 2)[0], 4
        if len(buffer) < head + size and not FAULT: break
        opcode, payload, last, buffer = buffer[0] & 15, buffer[head : head + size], buffer[0] & 128, b"" if FAULT else buffer[head + size :]
        try:
            if opcode == 8:
                say(seen="closed", code=struct.unpack(">H", payload[:2])[0]); send(8, payload[:2]); open_ = False
            elif opcode == 9: send(10, payload)
            elif opcode < 3:
                message = (opcode or message[0], (b"" if opcode else message[1]) + payload)
                if last: take(*message)
        except (ValueError, KeyError, struct.error): pass
"""


class Splits(RunnerCase):
    def splits(self, *words, family="ojin", client=(), status=0):
        done = subprocess.run(
            [CONFORM, "splits", "--family", family, "--out", self.folder / "out", *words, "--", *client],
            capture_output=True, text=True, timeout=600, check=False, cwd=self.folder,
        )  # fmt: skip
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def raw_client(self, fault):
        return (PYTHON, "-B", self.write(f"raw_{fault}.py", RAW_CLIENT % {"fault": fault}))

    def asked(self, family, *kinds):
        return [word for kind in kinds for word in ("--run", f"{family}/splits/{kind}")]

    def test_the_reference_client_reports_the_same_in_every_way(self):
        done = self.splits(family="duplex", client=(BIN / "ojin-client", "conform"))
        points = re.search(r"^duplex: ([0-9]+) split points in [0-9]+ sessions, .*: PASS$", done.stdout, re.MULTILINE)
        self.assertGreater(int(points[1]), 500)
        self.assertEqual(done.stdout.splitlines()[-1], "1 passed, 0 failed")
        self.assertFalse((self.folder / "out").exists())
        for family in ("ojin", "interview"):
            asked = self.asked(family, "cut-*", "segments-*", "fragments-*", "pings-*", "together", "joined", "head-1?")
            self.splits(*asked, family=family, client=(BIN / "ojin-client", "conform"))

    def tries_client(self, *words):
        for family in FAMILIES:
            asked = self.asked(family, "cut-1", "fragments-33", "pings-1", "joined", "head-1")
            self.splits("--persistent", "-j", "2", *asked, family=family, client=(*words[:-1], str(words[-1]) % family))

    def test_the_python_clients(self):
        self.tries_client(PYTHON, "-B", f"{CLIENTS}/python/%s_client.py")

    @needs("node", packages="conformance/clients/node")
    def test_the_node_clients(self):
        self.tries_client("node", f"{CLIENTS}/node/%s-client.mjs")

    def test_one_that_takes_a_read_for_a_message_fails(self):
        asked = ("--run", "ojin/splits/cut-33", "--run", "ojin/splits/together", "--run", "ojin/splits/segments-64")
        self.splits(*asked, client=self.raw_client(fault=False))
        done = self.splits(*asked, client=self.raw_client(fault=True), status=1)
        told = re.findall(r"^(ojin/splits/\S+): ", done.stdout, re.MULTILINE)
        self.assertEqual(told, ["ojin/splits/cut-33", "ojin/splits/segments-64", "ojin/splits/together"])
        self.assertRegex(done.stdout, r"(?m)^  expected \{.*\}$")
        self.assertRegex(done.stdout, r"(?m)^  found    ")
        self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 1 failed")
        kept = pathlib.Path(re.search(r"(?m)^  kept in  (.*)$", done.stdout)[1])
        for name in ("case.session", "wire.jsonl", "stdout.txt", "expected.txt", "found.txt"):
            self.assertTrue((kept / name).exists(), name)
        self.assertNotEqual((kept / "expected.txt").read_text(), (kept / "found.txt").read_text())
        self.assertEqual(len(os.listdir(self.folder / "out")), 3)
        rerun = re.search(r"(?m)^  rerun: \S+/ojin-conform (.*)$", done.stdout)[1]
        # Where two messages happen to come in one read it misreads the whole ones, too: then there is nothing to compare.
        again = self.until_it_ends_with(1, lambda: subprocess.run(
            f"{CONFORM} {rerun}", shell=True, capture_output=True, text=True, timeout=300, check=False, cwd=self.folder))
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_a_client_that_reports_nothing_is_not_judged(self):
        done = self.splits(client=(BIN / "minimal-client",), status=3)
        self.assertIn("nothing to compare", done.stderr.replace("\n", " "))
        self.assertIn("cannot start", self.splits(client=("/no/such/client",), status=3).stderr)

    def test_a_client_that_fails_on_whole_messages_is_told_to_mend_that(self):
        folder = pathlib.Path(shutil.copytree(CLIENTS / "python", self.folder / "python"))
        right = (folder / "wire.py").read_text()
        self.assertIn("    payloads = {}\n", right)
        (folder / "wire.py").write_text(right.replace("    payloads = {}\n", '    raise RuntimeError("planted")\n'))
        for words in ((), ("--persistent",)):
            asked = ("--run", "ojin/splits/cut-33", *words)
            done = self.splits(*asked, client=(PYTHON, "-B", str(folder / "ojin_client.py")), status=3)
            self.assertIn("fails on whole messages already", done.stderr)
            self.assertRegex(done.stdout, rf"(?m)^  rerun: {BIN}/ojin-conform splits .* {' '.join((*words, '--'))} ")

    def test_what_is_wrong_with_the_words_is_said(self):
        self.assertIn("expected '-- CMD ARG…'", self.splits(status=2).stderr)
        self.assertIn("expected ojin, duplex or interview", self.splits(family="none", client=("true",), status=2).stderr)


if __name__ == "__main__":
    unittest.main()
