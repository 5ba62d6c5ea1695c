#!/usr/bin/python3
"""The mock as a program, from outside: what it prints, how it ends, and what a client gets over a real socket.

Everything is judged by order and content, never by time. BIN_DIR names the folder of ojin-mock.
"""
import asyncio
import collections
import fcntl
import json
import math
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import urllib.request

import websockets

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci/tests"))
import patient

MOCK = os.path.join(os.environ["BIN_DIR"], "ojin-mock")
KEY = "key-that-nobody-may-see"
WAIT_S = 60  # only a mock that hangs comes near it
SMALL = ["--size", "320x240"]
UPGRADE = (
    b"GET /realtime?config_id=c HTTP/1.1\r\nHost: mock\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Authorization: " + KEY.encode() + b"\r\n\r\n"
)

FRAME_HEADER = struct.Struct("!B16sQIII")  # 000 InteractionResponse
ENTRY_HEADER = struct.Struct("!IB")
INPUT_HEADER = struct.Struct("!BQI")  # 000 InteractionInput
AUDIO, IMAGE = 1, 2
SILENCE, SPEECH = 0, 1
FRAME_BYTES = 1280


class Mock:
    """A running ojin-mock; leaves with a clean exit or fails the test."""

    def __init__(self, *options, key=KEY):
        environment = dict(os.environ, OJIN_MOCK_KEY=key)
        self.signalled = False
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [MOCK, "--port", "0", *SMALL, *options], stdout=subprocess.PIPE, stderr=self.errors, env=environment
        )
        self.line = self.process.stdout.readline()
        self.ready = json.loads(self.line)
        self.url = self.ready["url"]

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        try:
            self.stop()
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
            self.errors.close()
        return False

    def signal(self, number=signal.SIGTERM):
        """Once: a second one ends it at once."""
        if not self.signalled:
            self.signalled = True
            self.process.send_signal(number)

    def said(self):
        """What stands on its standard error by now."""
        return os.pread(self.errors.fileno(), 1 << 20, 0).decode()

    def stop(self):
        """What it said; it must end with exit 0 and never have shown the key."""
        self.signal()
        status = self.process.wait(WAIT_S)
        self.errors.seek(0)
        said = self.errors.read().decode()
        assert status == 0, f"exit {status}: {said}"
        assert KEY not in said, said
        assert KEY.encode() not in self.line
        return said


def speak(samples):
    return INPUT_HEADER.pack(1, 1700000000000, 0) + samples


def binary(message):
    """One client frame; the mask is all zeros."""
    return b"\x82" + struct.pack("!BQ", 0x80 | 127, len(message)) + bytes(4) + message


def tone(samples):
    return b"".join(struct.pack("<h", int(9000 * math.sin(i / 6))) for i in range(samples))


def decode(message):
    final, interaction, _, _, index, count = FRAME_HEADER.unpack_from(message)
    offset, payloads = FRAME_HEADER.size, {}
    for _ in range(count):
        size, kind = ENTRY_HEADER.unpack_from(message, offset)
        offset += ENTRY_HEADER.size
        payloads[kind] = message[offset : offset + size]
        assert len(payloads[kind]) == size
        offset += size
    assert offset == len(message)
    return {"final": final, "interaction": interaction, "index": index, **payloads}


def connect(url, key=KEY, **options):
    return patient.connect(url + "?config_id=c", extra_headers={"Authorization": key}, **options)


async def frame(ws):
    message = await asyncio.wait_for(ws.recv(), WAIT_S)
    assert isinstance(message, bytes), message
    return decode(message)


async def closed(ws):
    """The close code, after whatever still comes."""
    try:
        while True:
            await asyncio.wait_for(ws.recv(), WAIT_S)
    except websockets.ConnectionClosed as end:
        return end.code


async def session(url):
    """One whole session; returns the speech frames' audio."""
    async with connect(url) as ws:
        ready = json.loads(await asyncio.wait_for(ws.recv(), WAIT_S))
        assert ready["type"] == "sessionReady", ready
        await ws.send(speak(bytes(FRAME_BYTES)))
        for _ in range(3):
            first = await frame(ws)
            assert first["index"] == SILENCE
            assert len(first[AUDIO]) == FRAME_BYTES and first[IMAGE][:2] == b"\xff\xd8"
        await ws.send(speak(tone(16000)))
        heard, quiet = [], 0
        while quiet < 3:
            got = await frame(ws)
            if got["index"] == SPEECH:
                heard.append(got[AUDIO])
            elif heard:
                quiet += 1
        await ws.send(json.dumps({"type": "endInteraction", "payload": {"timestamp": 1700000000000}}))
        while not (await frame(ws))["final"]:
            pass
        return heard


def exchange(url, request):
    """What comes back for raw bytes, until the mock closes."""
    port = int(re.search(r":(\d+)/", url).group(1))
    with socket.create_connection(("127.0.0.1", port), WAIT_S) as raw:
        raw.settimeout(WAIT_S)
        try:
            raw.sendall(request)
        except OSError:
            pass  # it had seen enough
        answer = b""
        try:
            while part := raw.recv(65536):
                answer += part
        except ConnectionError:
            pass
        return answer


def run(*arguments, **environment):
    return subprocess.run(
        [MOCK, *arguments], capture_output=True, text=True, timeout=WAIT_S, env=dict(os.environ, **environment)
    )


class Script:
    def __init__(self, text):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".session", delete=False)
        self.file.write(text)
        self.file.close()
        self.path = self.file.name

    def __enter__(self):
        return self.path

    def __exit__(self, kind, value, trace):
        os.unlink(self.path)


def script_of(*steps):
    return Script(
        'case by-hand\ntitle "By hand"\nexpect "It works"\nclause OJ-RDY-01\nserver {\n'
        + "".join(f"  {step}\n" for step in steps)
        + "}\n"
    )


class Listening(unittest.TestCase):
    def test_ready_line_says_where_it_listens(self):
        with Mock() as mock:
            self.assertEqual(mock.url, f"ws://127.0.0.1:{mock.ready['port']}/realtime")
            duplex = f"ws://127.0.0.1:{mock.ready['port']}/v1/realtime"
            interview = (f"ws://127.0.0.1:{mock.ready['port']}/api/v1/interviews/"
                         "6f1c1d0e-4b7a-4c58-9d4e-0123456789ab/realtime/connect")
            self.assertEqual(mock.ready["urls"], {"ojin": mock.url, "duplex": duplex, "interview": interview})
            self.assertEqual(mock.ready["profiles"],
                             {"ojin": "oris-1.0", "duplex": "video", "interview": "interview-1.0"})
            self.assertEqual(mock.ready["pid"], mock.process.pid)
            self.assertEqual(mock.ready["profile"], "oris-1.0")

    def test_port_in_use_is_one_line_and_exit_1(self):
        with Mock() as mock:
            port = str(mock.ready["port"])
            second = run("--port", port)
            self.assertEqual((second.returncode, second.stdout), (1, ""))
            self.assertEqual(second.stderr.count("\n"), 1)
            self.assertIn(f"127.0.0.1:{port}", second.stderr)
            self.assertIn("address already in use", second.stderr)

    def test_signals_stop_it_with_exit_0_and_close_code_1001(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), Mock() as mock:

                async def stopped():
                    async with connect(mock.url) as ws:
                        await ws.recv()
                        mock.signal(number)
                        return await closed(ws)

                self.assertEqual(asyncio.run(stopped()), 1001)
                mock.stop()

    def test_it_ends_with_the_parent_that_holds_its_standard_input(self):
        parent = (
            "import subprocess, sys, time\n"
            "mock = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)\n"
            "time.sleep(600)\n"
        )
        command = [MOCK, "--port", "0", *SMALL, "--until-stdin-closes"]
        with subprocess.Popen(["/usr/bin/python3", "-c", parent, *command], stdout=subprocess.PIPE) as process:
            ready = json.loads(process.stdout.readline())
            with socket.create_connection(("127.0.0.1", ready["port"])):
                process.kill()
                readable, _, _ = select.select([process.stdout], [], [], WAIT_S)
            self.assertTrue(readable, "the mock outlived its parent")
            self.assertEqual(process.stdout.read(), b"")

    def test_what_stands_in_its_standard_input_does_not_end_it(self):
        command = [MOCK, "--port", "0", *SMALL, "--until-stdin-closes"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            ready = json.loads(process.stdout.readline())
            process.stdin.write(b"x" * 100000)
            process.stdin.flush()
            with urllib.request.urlopen(ready["control"] + "health", timeout=WAIT_S) as answer:
                self.assertEqual(answer.status, 200)
            process.stdin.close()
            self.assertEqual(process.wait(WAIT_S), 0)

    def test_a_standard_input_that_nobody_can_close_is_exit_2(self):
        done = subprocess.run(
            [MOCK, "--port", "0", "--until-stdin-closes"], stdin=subprocess.DEVNULL, capture_output=True, timeout=WAIT_S
        )
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"standard input is no pipe", done.stderr)

    def test_a_stop_does_not_wait_for_a_client_that_is_silent(self):
        with Mock() as mock, socket.create_connection(("127.0.0.1", mock.ready["port"])) as raw:
            raw.sendall(UPGRADE)
            self.assertIn(b"101", raw.recv(100))
            mock.stop()


class WrongUsage(unittest.TestCase):
    def test_each_is_one_line_and_exit_2(self):
        cases = {
            "unknown option": (["--prot", "1"], "--prot"),
            "missing value": (["--port"], "--port"),
            "port too high": (["--port", "65536"], "65536"),
            "port no number": (["--port", "1x"], "1x"),
            "unknown profile": (["--profile", "oris-9"], "oris-9"),
            "speed 0": (["--speed", "0"], "--speed"),
            "pace 0": (["--speech-pace", "0"], "--speech-pace"),
            "odd size": (["--size", "321x240"], "321x240"),
            "too low for its code": (["--size", "160x160"], "at least 384 at 160 wide"),
            "no size": (["--size", "x"], "--size"),
            "unknown level": (["--log", "loud"], "loud"),
            "empty key": (["--key", ""], "--key"),
            "stray word": (["here"], "here"),
            "list of nothing": (["--list", "things"], "things"),
            "missing script": (["--script", "/nowhere/x.session"], "/nowhere/x.session"),
        }
        for name, (arguments, named) in cases.items():
            with self.subTest(name):
                result = run(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
                self.assertIn(named, result.stderr)

    def test_script_error_names_line_and_column(self):
        with script_of("accept", "sned speech") as path:
            result = run("--port", "0", "--script", path)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertTrue(result.stderr.startswith(f"{path}:7:3: "), result.stderr)

    def test_journal_that_cannot_be_written_is_exit_1_before_it_listens(self):
        result = run("--port", "0", "--journal", "/nowhere/j.jsonl")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn("/nowhere/j.jsonl", result.stderr)

    def test_help_version_and_profiles_are_exit_0(self):
        for arguments, said in ((["--help"], "Usage"), (["--version"], "ojin-mock "), (["--list", "profiles"], "oris-1.0")):
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn(said, result.stdout)


class Sessions(unittest.TestCase):
    def test_speech_comes_back_whole_between_silence(self):
        with Mock() as mock:
            heard = asyncio.run(session(mock.url))
            self.assertEqual(len(heard), 25)
            self.assertEqual(b"".join(heard), tone(16000))

    def test_frames_begin_after_the_first_input_or_at_once_by_profile(self):
        async def first_frame(url, send):
            async with connect(url) as ws:
                await ws.recv()
                if send:
                    await ws.send(speak(bytes(FRAME_BYTES)))
                return (await frame(ws))["index"]

        for profile, send in (("oris-1.0", True), ("flashhead-lite-1.0", True), ("oris-1.0-earlier", False)):
            with self.subTest(profile), Mock("--profile", profile) as mock:
                self.assertEqual(asyncio.run(first_frame(mock.url, send)), SILENCE)

    def test_a_wrong_key_is_401_with_a_json_body(self):
        for key, code in (("Bearer " + KEY, "AUTH_FAILED"), ("wrong", "AUTH_FAILED"), (None, "INVALID_HEADERS")):
            with self.subTest(key), Mock() as mock:
                line = b"" if key is None else b"Authorization: " + key.encode() + b"\r\n"
                answer = exchange(mock.url, re.sub(rb"Authorization: .*?\r\n", line, UPGRADE))
                head, body = answer.split(b"\r\n\r\n", 1)
                self.assertTrue(head.startswith(b"HTTP/1.1 401 Unauthorized\r\n"), head)
                self.assertIn(b'\r\nWWW-Authenticate: ApiKey realm="ojin"\r\n', head)
                self.assertIn(b"Content-Length: %d" % len(body), head)
                error = json.loads(body)
                self.assertEqual((error["type"], error["payload"]["code"]), ("errorResponse", code))
                self.assertRegex(mock.stop(), "finding: OJ-CON-02 MUST: expected .*; got .* \\(connection 1, ")

    def test_a_key_of_one_letter_does_not_garble_the_findings(self):
        async def refused(url):
            with self.assertRaises(websockets.InvalidStatusCode):
                async with connect(url, key="wrong"):
                    pass

        with Mock(key="k") as mock:
            asyncio.run(refused(mock.url))
            self.assertIn('expected one header "Authorization: <key>", the raw key with no scheme', mock.stop())

    def test_the_largest_message_passes_and_one_byte_more_is_told(self):
        async def send(url, size):
            async with connect(url) as ws:
                await ws.recv()
                await ws.send(speak(bytes(size - INPUT_HEADER.size)))
                while isinstance(message := await asyncio.wait_for(ws.recv(), WAIT_S), bytes):
                    if size <= 524288:
                        return None
                return json.loads(message)["payload"]["code"]

        with Mock() as mock:
            self.assertIsNone(asyncio.run(send(mock.url, 524287)))
            self.assertEqual(asyncio.run(send(mock.url, 524289)), "FRAME_SIZE_EXCEEDED")
            self.assertEqual(asyncio.run(send(mock.url, 900001)), "FRAME_SIZE_EXCEEDED")

    def test_sessions_side_by_side_do_not_disturb_each_other(self):
        async def many(url):
            return await asyncio.gather(*(session(url) for _ in range(4)))

        with Mock() as mock:
            for heard in asyncio.run(many(mock.url)):
                self.assertEqual(b"".join(heard), tone(16000))

    def test_the_journal_grows_line_by_line_and_never_holds_the_key(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "j.jsonl")
            with Mock("--journal", path) as mock:
                asyncio.run(session(mock.url))
                mock.stop()
            with open(path, encoding="utf-8") as file:
                text = file.read()
        self.assertNotIn(KEY, text)
        lines = [json.loads(line) for line in text.splitlines()]
        self.assertEqual((lines[0]["journal"], lines[0]["profile"]), (1, "oris-1.0"))
        self.assertEqual([line["n"] for line in lines[1:]], list(range(len(lines) - 1)))
        labels = [line.get("label") for line in lines]
        self.assertEqual(labels.count("speech"), 25)
        self.assertLess(labels.index("upgrade"), labels.index("ready"))


def until(holds, what):
    """Waits for what has to come."""
    deadline = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def waiting_in(peer):
    """The bytes that have come and were not read."""
    return struct.unpack("i", fcntl.ioctl(peer, termios.FIONREAD, bytes(4)))[0]


def states_of(mock):
    """How many sessions are in which state."""
    with urllib.request.urlopen(mock.ready["control"] + "sessions", timeout=WAIT_S) as answer:
        return collections.Counter(session["state"] for session in json.load(answer)["sessions"])


class RudePeers(unittest.TestCase):
    def test_what_is_no_upgrade_gets_an_answer_that_says_why(self):
        get = b"GET /realtime HTTP/1.1\r\nHost: m\r\n"
        cases = {
            "plain HTTP": (get + b"\r\n", b"426", b"WebSocket client"),
            "wrong path": (UPGRADE.replace(b"/realtime", b"/real"), b"404", b"/realtime"),
            "wrong method": (b"POST" + UPGRADE[3:], b"405", b"GET"),
            "wrong version": (UPGRADE.replace(b"Version: 13", b"Version: 8"), b"426", b"13"),
            "HTTP/1.0": (UPGRADE.replace(b"HTTP/1.1", b"HTTP/1.0"), b"400", b"HTTP/1.1."),
            "no key": (UPGRADE.replace(b"Sec-WebSocket-Key", b"Sec-WebSocket-Lock"), b"400", b"Sec-WebSocket-Key"),
            "short key": (UPGRADE.replace(b"ZQ==", b"ZQ"), b"400", b"Sec-WebSocket-Key"),
            "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200), b"400", b"HTTP"),
            "garbage": (bytes(range(256)) * 8, b"400", b"HTTP"),
            "head of 100 KB": (get + b"X: " + b"a" * 100000 + b"\r\n\r\n", b"431", b"large"),
        }
        with Mock() as mock:
            for name, (request, status, word) in cases.items():
                with self.subTest(name):
                    answer = exchange(mock.url, request)
                    self.assertTrue(answer.startswith(b"HTTP/1.1 " + status), answer[:200])
                    self.assertIn(word, answer)
                    self.assertEqual(answer.lower().count(b"\nconnection:"), 1, answer)
            self.assertEqual(len(asyncio.run(session(mock.url))), 25)

    def test_a_head_that_comes_byte_by_byte_is_let_in(self):
        with Mock() as mock, socket.create_connection(("127.0.0.1", mock.ready["port"])) as raw:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in UPGRADE:
                raw.send(bytes([byte]))
            self.assertTrue(raw.recv(1000).startswith(b"HTTP/1.1 101 "))

    def test_frames_that_break_the_standard_end_the_connection_only(self):
        cases = {
            "reserved opcode": b"\x83\x80aaaa",
            "reserved bits": b"\xf1\x80aaaa",
            "control frame too long": b"\x89\xfe\x01\x00aaaa" + bytes(256),
            "absurd length": b"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xffaaaa",
            "continuation of nothing": b"\x80\x80aaaa",
            "text that is no UTF-8": b"\x81\x81\x00\x00\x00\x00\xff",
            "unmasked": b"\x82\x01a",
            "half a frame": b"\x82\xfe\x40",
            "bad close": b"\x88\x81aaaab",
        }
        with Mock() as mock:
            for name, frames in cases.items():
                with self.subTest(name), socket.create_connection(("127.0.0.1", mock.ready["port"])) as raw:
                    raw.sendall(UPGRADE + frames)
                    raw.shutdown(socket.SHUT_WR)
                    raw.settimeout(WAIT_S)
                    try:
                        while raw.recv(65536):
                            pass
                    except ConnectionError:
                        pass
            self.assertEqual(len(asyncio.run(session(mock.url))), 25)

    def test_an_illegal_close_frame_is_answered_with_1002_and_not_sent_back(self):
        with Mock() as mock:
            for payload, answer in (
                (b"a", b"\x88\x02\x03\xea"),
                (struct.pack("!H", 999), b"\x88\x02\x03\xea"),
                (struct.pack("!H", 1000) + b"ok", b"\x88\x04\x03\xe8ok"),
            ):
                with socket.create_connection(("127.0.0.1", mock.ready["port"])) as peer:
                    peer.settimeout(WAIT_S)
                    peer.sendall(UPGRADE)
                    got = b""
                    while b"sessionReady" not in got:
                        got += peer.recv(65536)
                    peer.sendall(bytes([0x88, 0x80 | len(payload)]) + bytes(4) + payload)
                    while chunk := peer.recv(65536):
                        got += chunk
                    self.assertTrue(got.endswith(b"}" + answer), (payload, got[-20:]))

    def test_clients_that_vanish_leave_nothing(self):
        with Mock() as mock:
            peers = [socket.create_connection(("127.0.0.1", mock.ready["port"])) for _ in range(50)]
            for n, peer in enumerate(peers):
                if n % 5 > 0:
                    peer.sendall(UPGRADE[: len(UPGRADE) if n % 5 > 1 else n])
                if n % 5 > 2:
                    peer.recv(1)
                if n % 2:
                    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                peer.close()
            self.assertEqual(len(asyncio.run(session(mock.url))), 25)

    def test_resets_in_the_middle_of_speech_do_not_hang_it(self):
        with Mock("--size", "1280x720") as mock:
            for n in range(100):
                peer = socket.create_connection(("127.0.0.1", mock.ready["port"]))
                peer.settimeout(WAIT_S)
                peer.sendall(UPGRADE + binary(speak(tone(32000))))
                peer.recv(1)
                # Frames come meanwhile and are not read, so that the reset meets one that is on its way.
                time.sleep(0.03 + 0.001 * (n % 30))
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                peer.close()
            self.assertEqual(len(asyncio.run(session(mock.url))), 25)

    def test_clients_that_do_not_read_and_then_vanish_do_not_hang_it(self):
        with Mock("--silence-pace", "1000", "--size", "1280x720") as mock:
            peers = []
            for _ in range(20):
                peer = socket.socket()
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                peer.connect(("127.0.0.1", mock.ready["port"]))
                peer.sendall(UPGRADE + binary(speak(bytes(FRAME_BYTES))))
                peers.append(peer)
            # Each has as much as it takes, and the mock the rest of a picture that is larger than that.
            for peer in peers:
                until(lambda: waiting_in(peer) >= 4096, f"{waiting_in(peer)} bytes came")
            self.assertEqual(states_of(mock), {"open": len(peers)})
            for peer in peers:
                peer.close()
            until(lambda: states_of(mock) == {"over": len(peers)}, "some do not end")
            self.assertEqual(len(asyncio.run(session(mock.url))), 25)

    def test_a_client_that_does_not_read_costs_no_more_than_a_bounded_queue(self):
        with script_of("accept", "send speech count=3000") as path:
            with Mock("--size", "1280x720", "--speed", "100", "--script", path) as mock:
                with socket.create_connection(("127.0.0.1", mock.ready["port"])) as raw:
                    raw.sendall(UPGRADE)
                    end = select.poll()
                    end.register(raw, 0)  # tells the end of the connection, not what could be read
                    self.assertNotEqual(end.poll(WAIT_S * 1000), [])
                self.assertIn("does not read", mock.stop())


class Scripts(unittest.TestCase):
    PIPES = {
        "every byte of the head": "| slice every=1 for=64",
        "slices with gaps": "| slice every=20 for=64 gap=1ms",
        "one cut": "| slice at=37",
        "slices throughout": "| slice every=1000",
        "two fragments": "| fragment at=10",
        "sliced fragments": "| slice every=7 for=64 | fragment at=40",
    }

    def test_sliced_and_fragmented_frames_arrive_whole(self):
        async def frames(url):
            async with connect(url) as ws:
                got = [await frame(ws), await frame(ws)]
                return got, await closed(ws)

        for name, pipes in self.PIPES.items():
            with self.subTest(name), script_of("accept", f"send speech {pipes}", "send silence") as path:
                with Mock("--script", path) as mock:
                    (speech, silence), code = asyncio.run(frames(mock.url))
                    self.assertEqual((speech["index"], silence["index"], code), (SPEECH, SILENCE, 1000))
                    self.assertEqual(len(speech[AUDIO]), FRAME_BYTES)
                    self.assertEqual(speech[IMAGE][-2:], b"\xff\xd9")

    def test_more_than_a_client_can_take_at_once_arrives_all_the_same(self):
        async def count(url):
            frames = 0
            async with connect(url) as ws:
                try:
                    while True:
                        frames += (await frame(ws))["index"] == SPEECH
                except websockets.ConnectionClosed:
                    return frames

        with script_of("accept", "send speech count=1500") as path:
            with Mock("--size", "1280x720", "--script", path) as mock:
                self.assertEqual(asyncio.run(count(mock.url)), 1500)

    def test_a_script_runs_afresh_for_the_next_connection(self):
        async def text(url):
            async with connect(url) as ws:
                message = await asyncio.wait_for(ws.recv(), WAIT_S)
                return message, await closed(ws)

        with script_of("accept", 'send text text="hello"', "close code=4001") as path:
            with Mock("--script", path) as mock:
                for _ in range(3):
                    self.assertEqual(asyncio.run(text(mock.url)), ("hello", 4001))
                self.assertIn("script done", mock.stop())

    def test_a_client_that_reconnects_at_once_is_let_in_when_its_old_connection_is_over(self):
        with script_of("accept", "close code=1012", "accept", 'send text text="again"') as path:
            with Mock("--script", path) as mock:
                first, second = (socket.create_connection(("127.0.0.1", mock.ready["port"]), WAIT_S) for _ in "12")
                first.sendall(UPGRADE)
                answer = b""
                while not answer.endswith(b"\x88\x02\x03\xf4"):
                    answer += first.recv(1000)
                second.sendall(UPGRADE)  # the close frame is not answered yet
                first.sendall(b"\x88\x82\x00\x00\x00\x00\x03\xf4")
                first.close()
                answer = b""
                while b"\x81\x05again" not in answer:
                    answer += second.recv(1000)
                self.assertTrue(answer.startswith(b"HTTP/1.1 101 "))
                second.close()

    def test_a_connection_the_script_does_not_wait_for_gets_503(self):
        async def second(url):
            async with connect(url) as first:
                await first.recv()
                try:
                    await connect(url)
                except websockets.InvalidStatusCode as refusal:
                    return refusal.status_code

        with script_of("accept", "serve") as path, Mock("--script", path) as mock:
            self.assertEqual(asyncio.run(second(mock.url)), 503)

    def test_who_comes_again_with_a_wrong_key_is_refused_as_before(self):
        async def statuses(url):
            found = []
            for _ in range(3):
                try:
                    async with connect(url, key="wrong"):
                        found.append(101)
                except websockets.InvalidStatusCode as refusal:
                    found.append(refusal.status_code)
            return found

        with script_of("accept", "serve until=close") as path:
            with Mock("--script", path) as mock:
                self.assertEqual(asyncio.run(statuses(mock.url)), [401, 401, 401])

    def test_a_refusal_and_a_reset_reach_the_client(self):
        async def outcome(url):
            try:
                async with connect(url) as ws:
                    return await closed(ws)
            except websockets.InvalidStatusCode as refusal:
                return refusal.status_code

        for steps, expected in ((["refuse status=429"], 429), (["accept", "send silence", "reset"], 1006)):
            with self.subTest(expected), script_of(*steps) as path, Mock("--script", path) as mock:
                self.assertEqual(asyncio.run(outcome(mock.url)), expected)


def options_of(text, begins):
    """Each option that comes after that, and what is said of it up to the next."""
    parts = re.split(begins + "(--[a-z-]+)", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


class Pages(unittest.TestCase):
    """Help and man page, which are made from one table."""

    def setUp(self):
        said = subprocess.run([MOCK, "--help"], capture_output=True, text=True, timeout=WAIT_S, check=True)
        self.text = said.stdout
        self.help = options_of(said.stdout, "^ +")
        said = subprocess.run([MOCK, "--man"], capture_output=True, text=True, timeout=WAIT_S, check=True)
        self.synopsis = re.search(r"\.SH SYNOPSIS\n\.nf\n(.*?)\.fi", said.stdout, re.S)[1].splitlines()
        page = said.stdout.replace("\\-", "-").partition("\n.SH TOKEN")[0]
        self.page = options_of(page, r"^\.TP\n\\fB")

    def test_each_option_stands_in_both(self):
        self.assertGreater(len(self.help), 20)
        self.assertEqual(list(self.help), list(self.page))

    def test_each_command_stands_in_a_row_with_what_it_does_and_once_in_the_synopsis(self):
        for command in ("exec", "token"):
            self.assertRegex(self.text, rf"(?m)^  {command} {{2,}}\S")
            self.assertEqual(len([line for line in self.synopsis if f" {command} " in line]), 1, self.synopsis)

    def test_both_say_that_the_key_is_safe_in_the_environment_alone(self):
        for where, said in (("help", self.help), ("page", self.page)):
            with self.subTest(where):
                self.assertIn("OJIN_MOCK_KEY", said["--key"])
                self.assertNotIn("users of the machine can see it in the list", said["--key"])


if __name__ == "__main__":
    unittest.main()
