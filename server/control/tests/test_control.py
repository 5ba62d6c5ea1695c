#!/usr/bin/python3
"""The control interface of ojin-mock, over HTTP as a test would use it.

Everything is judged by content and counts, never by time. BIN_DIR names the folder of ojin-mock.
"""
import asyncio
import http.client
import io
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import wave

import websockets

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci/tests"))
import patient

MOCK = os.path.join(os.environ["BIN_DIR"], "ojin-mock")
KEY = "key-that-nobody-may-see"
UPGRADE_LINES = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
WAIT_S = 60  # only a mock that hangs comes near it
INPUT_HEADER = struct.Struct("!BQI")  # 000 InteractionInput


def unread(port, path):
    """A request whose answer nobody reads."""
    peer = socket.socket()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    peer.connect(("127.0.0.1", port))
    peer.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return peer


class Mock:
    """A running ojin-mock; leaves with a clean exit or fails the test."""

    def __init__(self, *options, key=KEY):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [MOCK, "--port", "0", "--size", "320x240", *options],
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=os.environ if key is None else dict(os.environ, OJIN_MOCK_KEY=key),
        )
        self.ready = json.loads(self.process.stdout.readline())
        self.url = self.ready["url"]
        self.port = urllib.parse.urlsplit(self.url).port

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(WAIT_S)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.errors.seek(0)
        said = self.errors.read().decode()
        self.errors.close()
        if kind is None:
            assert status == 0, f"exit {status}: {said}"
            assert KEY not in said, said
        return False

    def errors_said(self):
        """What stands on its standard error by now."""
        return os.pread(self.errors.fileno(), 1 << 20, 0).decode()

    def raw(self, method, path, body=None, headers=None):
        """(status, headers, bytes); no answer may hold the key."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        assert KEY.encode() not in data
        return answer.status, answer.headers, data

    def ask(self, method, path, body=None, status=200, headers=None):
        """The answer as JSON; its status has to be the one given."""
        data = None if body is None else json.dumps(body)
        got, answer, text = self.raw(method, "/__mock/" + path, data, headers)
        assert got == status, (method, path, got, text)
        assert answer["Content-Type"] == "application/json"
        value = json.loads(text)
        assert ("error" in value) == (status >= 400), value
        return value

    def count(self, query, under=""):
        return self.ask("GET", f"{under}journal/count?{query}")["found"]

    def wait(self, query, under=""):
        """Until that many match; fails when they do not come."""
        value = self.ask("GET", f"{under}journal/wait?timeout=30s&{query}")
        assert value["met"], (query, value)
        return value


# A case about a server: there is nothing in it for a mock to play.
CLIENT_CASE = 'case ojin/x/y\ntitle "X"\nexpect "Y"\nclause OJ-SRV-18 MUST\nclient {\nbegin\n}\n'


def connect(url, config="c", key=KEY):
    return patient.connect(f"{url}?config_id={config}", extra_headers={"Authorization": key})


def audio(samples=b"\0\0" * 640, params=b""):
    return INPUT_HEADER.pack(1, 1700000000000, len(params)) + params + samples


async def first(url, config="c", key=KEY):
    async with connect(url, config, key) as ws:
        return await asyncio.wait_for(ws.recv(), WAIT_S)


async def read_until(ws, wanted):
    while True:
        message = await asyncio.wait_for(ws.recv(), WAIT_S)
        if isinstance(message, str) and wanted in message:
            return message


async def closed(ws):
    try:
        while True:
            await asyncio.wait_for(ws.recv(), WAIT_S)
    except websockets.ConnectionClosed as over:
        return over.rcvd.code if over.rcvd is not None else None


async def in_thread(function, *arguments, **named):
    return await asyncio.get_running_loop().run_in_executor(None, lambda: function(*arguments, **named))


class Budgets(unittest.TestCase):
    def test_large_answers_that_nobody_reads_have_a_bound_together(self):
        async def fill(mock):
            for _ in range(4):
                async with connect(mock.url) as ws:
                    await asyncio.wait_for(ws.recv(), WAIT_S)
                    for _ in range(12):
                        await ws.send(json.dumps({"type": "x", "text": "y" * 200_000}))

        with Mock() as mock:
            asyncio.run(fill(mock))
            peers = [unread(mock.port, "/__mock/journal") for _ in range(40)]
            for peer in peers:
                peer.settimeout(WAIT_S)
            statuses = [peer.recv(12)[-3:] for peer in peers]
            self.assertEqual(set(statuses), {b"200", b"503"})
            self.assertGreater(statuses.count(b"200"), 4)
            self.assertEqual(mock.ask("GET", "health")["status"], "ok")  # what is small is answered all the same
            for peer in peers:
                peer.close()
            deadline = time.monotonic() + WAIT_S
            while time.monotonic() < deadline:
                with unread(mock.port, "/__mock/journal") as peer:
                    peer.settimeout(WAIT_S)
                    if peer.recv(12).endswith(b"200"):
                        return
                time.sleep(0.1)
            self.fail("the room of answers that were given up never came back")


class Refusals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.mock = Mock()

    @classmethod
    def tearDownClass(cls):
        cls.mock.__exit__(None, None, None)

    def test_hosts(self):
        port = self.mock.port
        for host, status in [
            ("localhost", 200),
            (f"LOCALHOST:{port}", 200),
            ("127.0.0.1", 200),
            ("127.1.2.3:1", 200),
            (f"[::1]:{port}", 200),
            ("evil.example", 403),
            ("localhost.evil.example", 403),
            ("127.0.0.1.evil.example", 403),
            ("127.evil", 403),
            ("localhost:80x", 403),
            ("[::1", 403),
            ("", 403),
        ]:
            with self.subTest(host):
                self.mock.ask("GET", "health", status=status, headers={"Host": host})

    def test_origins(self):
        own = f"127.0.0.1:{self.mock.port}"
        for headers, status in [
            ({"Origin": f"http://{own}"}, 200),
            ({"Origin": "http://127.0.0.1:1"}, 403),
            ({"Origin": "null"}, 403),
            ({"Origin": f"http://{own}.evil"}, 403),
            ({"Sec-Fetch-Site": "cross-site"}, 403),
            ({"Sec-Fetch-Site": "same-origin"}, 200),
        ]:
            with self.subTest(headers):
                self.mock.ask("GET", "health", status=status, headers=headers)

    def test_a_page_cannot_post(self):
        headers = {"Origin": "http://evil.example", "Content-Type": "text/plain"}
        self.mock.ask("POST", "quirks", {"quirks": "fade"}, status=403, headers=headers)
        self.assertEqual(self.mock.ask("GET", "quirks")["quirks"], {})

    def test_methods_and_paths(self):
        for method, path, status, allow in [
            ("POST", "health", 405, "GET"),
            ("PUT", "journal", 405, "GET, DELETE"),
            ("PUT", "quirks", 405, "GET, POST, DELETE"),
            ("PUT", "nothing", 404, None),
            ("POST", "nothing", 404, None),
            ("GET", "reset", 405, "POST"),
            ("GET", "nothing", 404, None),
            ("GET", "health/", 404, None),
            ("GET", "sessions/x", 404, None),
            ("GET", "sessions/99", 404, None),
            ("GET", "sessions/99999999999", 404, None),
            ("GET", "sessions/99/audio.wav", 404, None),
            ("POST", "sessions/99/close", 404, None),
            ("GET", "scenarios/99", 404, None),
            ("GET", "scenarios/99/journal", 404, None),
            ("DELETE", "scenarios/99", 404, None),
        ]:
            with self.subTest(f"{method} {path}"):
                for body in ("{}", None) if method in ("POST", "PUT") else (None,):
                    got, headers, text = self.mock.raw(method, "/__mock/" + path, body)
                    self.assertEqual((got, headers["Allow"]), (status, allow))
                    self.assertIn("error", json.loads(text))

    def test_head_has_no_body(self):
        status, headers, data = self.mock.raw("HEAD", "/__mock/health")
        self.assertEqual((status, data), (200, b""))
        self.assertGreater(int(headers["Content-Length"]), 2)

    def test_bodies(self):
        limit = 1024 * 1024
        for name, body, headers, status in [
            ("no JSON", "{quirks", {}, 400),
            ("repeated member", '{"quirks":"fade","quirks":"group"}', {}, 400),
            ("no object", "[]", {}, 400),
            ("unknown member", '{"quirk":"fade"}', {}, 400),
            ("another type", '{"quirks":7}', {}, 400),
            ("nothing asked for", "{}", {}, 400),
            ("unknown quirk", '{"quirks":"fadde"}', {}, 400),
            ("at the limit", " " * (limit - 18) + '{"quirks":"fadde"}', {}, 400),
            ("past the limit", " " * (limit + 1), {}, 413),
            ("length that is none", None, {"Content-Length": "x"}, 400),
            ("negative length", None, {"Content-Length": "-1"}, 400),
        ]:
            with self.subTest(name):
                got, _, text = self.mock.raw("POST", "/__mock/quirks", body, headers)
                self.assertEqual(got, status, text)
                self.assertIn("error", json.loads(text))
        self.assertEqual(self.mock.ask("GET", "quirks")["quirks"], {})

    def test_a_post_without_a_body_asks_for_nothing(self):
        head = b"Host: localhost\r\n"
        for path, status in [
            (b"reset", b"200"),
            (b"quirks", b"400"),
            (b"faults", b"400"),
            (b"sessions/99/close", b"404"),
            (b"scenarios/99/reset", b"404"),
            (b"scenarios", b"201"),
            (b"journal", b"405"),
        ]:
            with self.subTest(path):
                self.assertEqual(self.answer(b"POST /__mock/" + path + b" HTTP/1.1\r\n" + head + b"\r\n"), status)
        for method, path, status in [(b"PUT", b"quirks", b"405"), (b"PATCH", b"reset", b"405"), (b"PUT", b"nothing", b"404")]:
            for body in b"", b"Transfer-Encoding: chunked\r\n", b"Content-Length: 2000000\r\n", b"Content-Length: x\r\n":
                with self.subTest(method=method, path=path, body=body):
                    self.assertEqual(self.answer(method + b" /__mock/" + path + b" HTTP/1.1\r\n" + head + body + b"\r\n"), status)

    def answer(self, *pieces):
        with socket.create_connection(("127.0.0.1", self.mock.port), WAIT_S) as raw:
            for piece in pieces:
                raw.sendall(piece)
            answer = b""
            while data := raw.recv(65536):
                answer += data
        return answer.split()[1]

    def test_framing_of_bodies(self):
        begin = b"POST /__mock/reset HTTP/1.1\r\nHost: localhost\r\n"
        for lines, status in [
            (b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", b"400"),
            (b"\r\n", b"200"),
            (b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"411"),
            (b"Content-Length: 2\r\n\r\n{}", b"200"),
        ]:
            with self.subTest(lines):
                self.assertEqual(self.answer(begin + lines), status)
        self.assertEqual(self.answer(begin[:40], begin[40:] + b"Content-Length: 2\r\n\r\n", b"{", b"}"), b"200")

    def test_two_hosts_and_none(self):
        for lines in (b"", b"Host: localhost\r\nHost: localhost\r\n"):
            self.assertEqual(self.answer(b"GET /__mock/health HTTP/1.1\r\n" + lines + b"\r\n"), b"403")

    def test_parameters(self):
        for query in (
            "sesion=1",
            "session=x",
            "session=-1",
            "family=ojn",
            "family=" + "x" * 40,
            "direction=up",
            "kind=none",
            "event=none",
            "requirement=XX-1",
            "limit=20001",
            "text=%zz",
            "label=" + "x" * 40,
        ):
            with self.subTest(query):
                self.mock.ask("GET", "journal?" + query, status=400)
        for query, most in (("limit=20001", "20000"), ("limit=x", "20000"), ("session=x", "4294967295")):
            with self.subTest(query):
                error = self.mock.ask("GET", "journal?" + query, status=400)["error"]
                name = query.split("=")[0]
                self.assertEqual(error, f"parameter {name}: expected a whole number, at most {most}")
        error = self.mock.ask("GET", "journal?family=ojn", status=400)["error"]
        self.assertEqual(error, 'parameter family: no family "ojn" is served')
        for query in ("count=x", "count=0", "count=", "count=20001", "timeout=5", "timeout=61s", "timeout=2m", "timeout=s"):
            with self.subTest(query):
                self.mock.ask("GET", "journal/wait?" + query, status=400)


class Sessions(unittest.TestCase):
    def test_the_index_names_every_route(self):
        with Mock() as mock:
            routes = mock.ask("GET", "")["routes"]
            self.assertIn(("POST", "/__mock/sessions/{n}/send"), [(r["method"], r["path"]) for r in routes])
            self.assertEqual(mock.raw("GET", "/__mock")[0], 200)
            self.assertEqual(mock.ready["control"], f"http://127.0.0.1:{mock.port}/__mock/")
            self.assertEqual(mock.ask("GET", "health")["status"], "ok")
            self.assertEqual(mock.ask("GET", "ready")["status"], "ready")

    def test_without_control_there_is_nothing(self):
        with Mock("--no-control") as mock:
            self.assertEqual(mock.raw("GET", "/__mock/health")[0], 404)

    def test_a_session_is_seen_while_it_is_open_and_after(self):
        samples = struct.pack("<1280h", *range(1280))

        async def talk(mock):
            async with connect(mock.url, "one%2Ftwo") as ws:
                await read_until(ws, "sessionReady")
                await ws.send(audio(samples, b'{"client_frame_index":7,"speech_filter_amount":12.5}'))
                await in_thread(mock.wait, "label=audio&count=1")
                session = await in_thread(mock.ask, "GET", "sessions/1")
                self.assertEqual((session["state"], session["config_id"]), ("open", "one/two"))
                self.assertEqual(session["params"]["client_frame_index"], 7)
                self.assertEqual(session["params"]["speech_filter_amount"], 12.5)
                self.assertEqual(session["received"]["audio"]["messages"], 1)
                self.assertTrue(session["peer"].startswith("127.0.0.1:"))

        with Mock() as mock:
            asyncio.run(talk(mock))
            mock.wait("label=end")
            self.assertEqual([s["close_from_client"] for s in mock.ask("GET", "sessions")["sessions"]], [1000])
            status, headers, data = mock.raw("GET", "/__mock/sessions/1/audio.wav")
            self.assertEqual((status, headers["Content-Type"], headers["Mock-Audio-Cut"]), (200, "audio/wav", "false"))
            with wave.open(io.BytesIO(data), "rb") as sound:
                self.assertEqual(sound.getparams()[:4], (1, 2, 16000, 1280))
                self.assertEqual(sound.readframes(2000), samples)

    def test_audio_past_the_bound_is_cut_and_said(self):
        async def talk(mock):
            async with connect(mock.url) as ws:
                for _ in range(5):
                    await ws.send(audio(b"\1\0" * 250000))
                await in_thread(mock.wait, "label=audio&count=5")

        with Mock("--quirk", "rate-limit=100") as mock:
            asyncio.run(talk(mock))
            _, headers, data = mock.raw("GET", "/__mock/sessions/1/audio.wav")
            self.assertEqual((headers["Mock-Audio-Cut"], headers["Mock-Audio-Bytes-Received"]), ("true", "2500000"))
            self.assertEqual(len(data), 44 + 2 * 1024 * 1024)

    def test_messages_can_be_sent_into_a_session(self):
        async def talk(mock):
            async with connect(mock.url) as ws:
                await read_until(ws, "sessionReady")
                await ws.send(audio())
                for body, wanted in [
                    ({"kind": "error", "options": {"code": "INTERNAL_ERROR", "message": 'a "b" \\ c'}}, 'a \\"b\\" \\\\ c'),
                    ({"steps": 'send text text="hello"\nsend text text="again"'}, "again"),
                ]:
                    await in_thread(mock.ask, "POST", "sessions/1/send", body)
                    await read_until(ws, wanted)
                for body in (
                    {"kind": "no-such-kind"},
                    {"kind": "error", "options": {"bogus": 1}},
                    {"kind": "error", "options": {"code": []}},
                    {"kind": "text\nreset", "options": {}},
                    {"kind": "error", "steps": "reset"},
                    {"steps": "accept"},
                    {},
                ):
                    await in_thread(mock.ask, "POST", "sessions/1/send", body, status=400)
                wrong = await in_thread(mock.ask, "POST", "sessions/1/send", {"steps": "send speech\n  foo"}, status=400)
                self.assertEqual((wrong["line"], wrong["column"]), (2, 3))
                await in_thread(mock.ask, "POST", "sessions/1/send", {"steps": "wait 60s"})
                await in_thread(mock.ask, "POST", "sessions/1/send", {"steps": "send silence"}, status=409)

        with Mock() as mock:
            asyncio.run(talk(mock))

    def test_a_session_can_be_closed(self):
        async def talk(mock):
            async with connect(mock.url) as ws:
                await read_until(ws, "sessionReady")
                for body in ({"code": 999}, {"code": 1004}, {"code": 1005}, {"code": 1006}, {"code": 1015}, {"code": 2999}, {"code": 5000}, {"code": "x"}, {"reason": "x" * 124}, {"codes": 1}):
                    await in_thread(mock.ask, "POST", "sessions/1/close", body, status=400)
                await in_thread(mock.ask, "POST", "sessions/1/close", {"code": 4001, "reason": "enough"})
                return await closed(ws), ws.close_reason

        with Mock() as mock:
            self.assertEqual(asyncio.run(talk(mock)), (4001, "enough"))
            mock.wait("label=end")
            mock.ask("POST", "sessions/1/close", {}, status=409)

    def test_quirks_and_faults_of_a_running_session(self):
        async def talk(mock):
            async with connect(mock.url) as ws:
                await read_until(ws, "sessionReady")
                got = await in_thread(mock.ask, "POST", "sessions/1/quirks", {"quirks": "cancel-late=2s fade"})
                self.assertEqual(got["quirks"], {"cancel-late": 2000000, "fade": 8})
                session = await in_thread(mock.ask, "GET", "sessions/1")
                self.assertEqual(session["quirks"], {"cancel-late": 2000000, "fade": 8})
                await in_thread(mock.ask, "POST", "sessions/1/quirks", {"quirks": "nonsense"}, status=400)
                for fault in ("refuse", "fade", "nonsense", "drop=3 stall"):
                    await in_thread(mock.ask, "POST", "sessions/1/faults", {"fault": fault}, status=400)
                await in_thread(mock.ask, "POST", "sessions/1/faults", {"fault": "error=TIMEOUT"})
                await read_until(ws, "TIMEOUT")

        with Mock() as mock:
            asyncio.run(talk(mock))

    def test_quirks_and_faults_of_the_next_sessions(self):
        with Mock("--quirk", "fade=3") as mock:
            self.assertEqual(mock.ask("GET", "quirks")["quirks"], {"fade": 3})
            mock.ask("POST", "quirks", {"quirks": "camel-case-ready fade=off"})
            self.assertIn("traceId", asyncio.run(first(mock.url)))
            mock.ask("POST", "faults", {"fault": "plain-text=gone"})
            self.assertEqual(asyncio.run(first(mock.url)), "gone")
            self.assertEqual(asyncio.run(first(mock.url, "mock.plain-text=card")), "card")
            self.assertEqual(mock.ask("GET", "faults")["fault"], "plain-text=gone")
            mock.ask("DELETE", "faults")
            self.assertEqual(mock.ask("DELETE", "quirks")["quirks"], {"fade": 3})
            self.assertNotIn("traceId", asyncio.run(first(mock.url)))
            mock.ask("POST", "faults", {"fault": "nonsense"}, status=400)
            mock.ask("POST", "faults", {"fault": "fade"}, status=400)

    def test_any_path(self):
        with Mock() as mock:
            base = mock.url.rsplit("/", 1)[0]
            for path in ("/ws", "/"):
                with self.assertRaises(websockets.InvalidStatusCode):
                    asyncio.run(first(base + path))
            mock.ask("POST", "quirks", {"quirks": "any-path"})
            for path in ("/ws", "/", "/realtime"):
                self.assertIn("sessionReady", asyncio.run(first(base + path)))


class Findings(unittest.TestCase):
    """What GET findings tells, of the mock and of scenarios."""

    def findings(self, mock, under="", query=""):
        answer = mock.ask("GET", f"{under}findings{query}")
        self.assertEqual(answer["found"] + answer["notes"], len(answer["findings"]))
        self.assertEqual(answer["lost"], 0)
        return answer["findings"]

    def test_each_scenario_has_its_own(self):
        with Mock() as mock:
            made = [mock.ask("POST", "scenarios", {"quirks": "bearer-keys"}, status=201) for _ in range(2)]
            under = [f"scenarios/{one['id']}/" for one in made]
            asyncio.run(first(made[0]["url"], key="Bearer " + KEY))
            asyncio.run(first(made[1]["url"]))
            for one in under:
                mock.wait("event=end", one)
            self.assertEqual((self.findings(mock, under[1]), self.findings(mock)), ([], []))
            found = self.findings(mock, under[0], "?requirement=OJ-CON-02")
            self.assertEqual(len(found), 1)
            self.assertEqual((found[0]["session"], found[0]["family"], found[0]["note"]), (1, "ojin", False))
            self.assertEqual((found[0]["level"], found[0]["party"]), ("MUST", "client"))
            self.assertTrue(found[0]["text"].startswith("OJ-CON-02 MUST: expected " + found[0]["expected"]), found)
            self.assertTrue(found[0]["statement"].endswith(f"({found[0]['source']})"), found)
            self.assertEqual(self.findings(mock, under[0], "?session=2"), [])
            self.assertEqual(self.findings(mock, under[0], f"?since={found[0]['n'] + 1}&requirement=OJ-CON-02"), [])
            self.assertEqual(self.findings(mock, under[0], "?family=ojin")[0], found[0])
            mock.ask("GET", "findings?family=none", status=400)
            mock.ask("GET", "findings?label=audio", status=400)
            mock.ask("POST", under[0] + "reset", {})
            self.assertEqual(self.findings(mock, under[0]), [])

    def test_the_path_of_a_scenario_is_none_in_any_family(self):
        token = subprocess.run([MOCK, "token"], capture_output=True, text=True, check=True, timeout=WAIT_S).stdout
        queries = {"duplex": "mode=video", "interview": f"token={token.strip()}"}

        async def talk(url):
            async with patient.connect(url) as ws:
                await asyncio.wait_for(ws.recv(), WAIT_S)

        with Mock() as mock:
            for family, query in queries.items():
                made = mock.ask("POST", "scenarios", {"family": family, "key": "of-no-use-here"}, status=201)
                path = made["url"].replace("{config}", "6f1c1d0e-4b7a-4c58-9d4e-0123456789ab")
                under = f"scenarios/{made['id']}/"
                asyncio.run(talk(f"{path}?{query}"))
                mock.wait("event=end", under)
                asked = {one["requirement"] for one in self.findings(mock, under)}
                self.assertEqual(asked & {"DX-CON-01", "IV-CON-01"}, set(), family)
                with self.assertRaises((websockets.InvalidStatusCode, websockets.ConnectionClosed)):
                    asyncio.run(talk(path.replace(family, "other").replace("/v1/", "/v2/") + "?" + query))

    def test_what_is_answered_with_an_error_is_one_as_the_mock_prints_it(self):
        async def talk(mock):
            async with connect(mock.url) as ws:
                await read_until(ws, "sessionReady")
                await ws.send("no message")
                await read_until(ws, "errorResponse")

        with Mock() as mock:
            asyncio.run(talk(mock))
            mock.wait("event=end")
            found = self.findings(mock)
            self.assertGreater(len(found), 0)
            printed = mock.errors_said()
            for one in found:
                self.assertIn(("note: " if one["note"] else "finding: ") + one["text"], printed)
            self.assertEqual(printed.count("finding: ") + printed.count("note: "), len(found), printed)

    def test_the_first_are_kept_and_the_others_counted(self):
        with Mock() as mock:
            for _ in range(203):
                mock.raw("GET", "/realtime?config_id=c")
            answer = mock.ask("GET", "findings")
            self.assertEqual((len(answer["findings"]), answer["findings"][0]["session"]), (200, 1))
            self.assertGreaterEqual(answer["lost"], 3)


class Journal(unittest.TestCase):
    def test_find_count_wait_and_clear(self):
        async def talk(mock):
            async with connect(mock.url) as ws:
                await read_until(ws, "sessionReady")
                for _ in range(3):
                    await ws.send(audio())
                await ws.send('{"type":"cancelInteraction","payload":{"timestamp":1}}')
                await in_thread(mock.wait, "type=cancelInteraction")

        with Mock() as mock:
            asyncio.run(talk(mock))
            mock.wait("label=end")
            self.assertEqual(mock.count("label=audio"), 3)
            frame = mock.ask("GET", "journal?label=silence&limit=1")["entries"][0]["frame"]
            self.assertEqual((frame["decodes"], frame["audio_bytes"]), (True, 1280))
            self.assertGreater(frame["image_bytes"], 0)
            self.assertEqual([name for name in frame if "crc" in name], [], "no checksum was made of it")
            self.assertEqual(mock.count("direction=client&event=binary"), 3)
            self.assertEqual(mock.count("type=sessionReady&direction=server"), 1)
            self.assertEqual(mock.count("session=1&kind=wire&event=request"), 1)
            self.assertEqual(mock.count("session=2"), 0)
            for what, alone in (("audio", "label"), ("close", "event"), ("sessionReady", "type"), ("finding", "kind")):
                self.assertEqual(mock.count(f"what={what}"), mock.count(f"{alone}={what}"), what)
            self.assertGreater(mock.count("what=sessionReady"), 0)
            self.assertEqual(mock.count("text=%22type%22:%22cancelInteraction%22"), 1)
            page = mock.ask("GET", "journal?label=audio&limit=2")
            self.assertEqual((len(page["entries"]), page["found"], page["lost"]), (2, 3, 0))
            rest = mock.ask("GET", f"journal?label=audio&since={page['next']}")
            self.assertEqual(len(rest["entries"]), 1)
            self.assertGreater(rest["entries"][0]["n"], page["entries"][1]["n"])
            self.assertEqual(mock.ask("GET", "journal/wait?count=4&label=audio&timeout=20ms"), {"found": 3, "met": False})
            self.assertGreater(mock.ask("DELETE", "journal")["removed"], 0)
            self.assertEqual(mock.count(""), 0)

    def test_steps_without_end_leave_the_others_their_time(self):
        async def talk(mock):
            async with connect(mock.url) as endless, connect(mock.url) as other:
                await read_until(endless, "sessionReady")
                await read_until(other, "sessionReady")
                steps = "repeat 100000 {\nrepeat 100000 {\nmark a\n}\n}"
                begun = time.monotonic()  # before the first of them, so that what a late mock makes up for has its time
                first = (await in_thread(mock.ask, "GET", "journal/count"))["next"]
                await in_thread(mock.ask, "POST", "sessions/1/send", {"steps": steps})
                await other.send(audio())
                for _ in range(26):
                    self.assertIsInstance(await asyncio.wait_for(other.recv(), WAIT_S), bytes)
                last = (await in_thread(mock.ask, "GET", "journal/count"))["next"]
                # 1,024 entries each 10 ms; a core that is left to them makes six times as many.
                self.assertGreater(last - first, 1024)
                self.assertLess(last - first, 150000 * (time.monotonic() - begun) + 10000)

        with Mock() as mock:
            asyncio.run(talk(mock))

    def test_a_wait_ends_when_the_entry_comes_or_the_client_goes(self):
        with Mock() as mock:
            got = []
            waiter = threading.Thread(target=lambda: got.append(mock.wait("label=upgrade&count=2")))
            waiter.start()
            gone = socket.create_connection(("127.0.0.1", mock.port), WAIT_S)
            gone.sendall(b"GET /__mock/journal/wait?label=upgrade HTTP/1.1\r\nHost: localhost\r\n\r\n")
            gone.close()
            asyncio.run(first(mock.url))
            asyncio.run(first(mock.url))
            waiter.join(WAIT_S)
            self.assertEqual(got, [{"found": 2, "met": True}])

    def test_the_key_as_a_path_or_a_config_is_nowhere(self):
        header = f"Authorization: {KEY}\r\n"
        # (target, header lines): what sessions show of path and config
        requests = {
            (f"/{KEY}/x?config_id=x", header): ("/{key}/x", "x"),
            (f"/%6b{KEY[1:]}", header): ("/{key}", ""),
            (f"/realtime?config_id={KEY}", header): ("/realtime", "{key}"),
            (f"/realtime?config_id=a{KEY}b", header): ("/realtime", "a{key}b"),
            (f"/{KEY}?config_id=x", ""): ("/{key}", "x"),
        }
        for key in (KEY, None):
            # Without a key of its own the mock learns the client's from its header.
            sent = {request: shown for request, shown in requests.items() if key or request[1]}
            with Mock(key=key) as mock:
                for target, line in sent:
                    with socket.create_connection(("127.0.0.1", mock.port), WAIT_S) as peer:
                        peer.sendall(f"GET {target} HTTP/1.1\r\nHost: mock\r\n{line}{UPGRADE_LINES}\r\n".encode())
                        peer.recv(1)
                mock.wait(f"label=end&count={len(sent)}")
                sessions = [mock.ask("GET", f"sessions/{n + 1}") for n in range(len(sent))]
                self.assertEqual([(s["path"], s["config_id"]) for s in sessions], list(sent.values()))
                for route in mock.ask("GET", "")["routes"]:
                    if route["method"] == "GET" and "{" not in route["path"]:
                        # raw() looks for the key
                        self.assertEqual(mock.raw("GET", route["path"])[0], 200, route)

    def test_the_key_is_nowhere(self):
        async def talk(mock):
            async with connect(mock.url, config="c&api_key=" + KEY) as ws:
                await read_until(ws, "sessionReady")
                await ws.send(json.dumps({"type": KEY}))
                await in_thread(mock.wait, "event=text&direction=client")

        with Mock() as mock:
            asyncio.run(talk(mock))
            mock.wait("label=end")
            mock.ask("POST", "scenarios", {"key": KEY, "config": "c"}, status=201)
            for path in ("journal", "sessions", "sessions/1", "scenarios", "metrics", "journal?kind=finding"):
                self.assertEqual(mock.raw("GET", "/__mock/" + path)[0], 200)  # raw() looks for the key
            self.assertGreater(mock.count("text=%7Bkey%7D"), 0)
            self.assertEqual(mock.count("text=" + KEY), 0)

    def test_metrics(self):
        async def talk(mock):
            async with connect(mock.url) as ws:
                await read_until(ws, "sessionReady")
                await ws.send("{}")
                await read_until(ws, "INVALID_MESSAGE")

        with Mock() as mock:
            asyncio.run(talk(mock))
            mock.wait("label=end")
            status, headers, text = mock.raw("GET", "/__mock/metrics")
            self.assertEqual((status, headers["Content-Type"]), (200, "text/plain; version=0.0.4; charset=utf-8"))
            lines = text.decode().splitlines()
            for line in (
                "ojin_mock_sessions_total 1",
                "ojin_mock_requests_total 1",
                'ojin_mock_errors_sent_total{code="INVALID_MESSAGE"} 1',
                'ojin_mock_sent_total{kind="ready"} 1',
            ):
                self.assertIn(line, lines)
            resident = [line.split()[1] for line in lines if line.startswith("ojin_mock_resident_memory_bytes ")]
            self.assertGreater(int(resident[0]), 1 << 20)
            for line in lines:
                self.assertRegex(line, r'^(# (HELP|TYPE) .+|[a-z_]+(\{[a-z]+="[^"]*"\})? [0-9.]+)$')


class Scenarios(unittest.TestCase):
    def test_scenarios_do_not_meet(self):
        async def all_at_once(urls):
            return await asyncio.gather(*[first(url) for url in urls])

        with Mock() as mock:
            made = [
                mock.ask("POST", "scenarios", body, status=201)
                for body in (
                    {"quirks": "camel-case-ready"},
                    {"script": 'accept\nsend text text="mine"\nclose code=4002'},
                    {"fault": "plain-text=broken"},
                    {"card": "mock.plain-text=card"},
                    {"profile": "oris-1.0-earlier", "seed": 9},
                )
            ]
            texts = asyncio.run(all_at_once([one["url"] for one in made]))
            self.assertIn("traceId", texts[0])
            self.assertEqual(texts[1:4], ["mine", "broken", "card"])
            self.assertIn("trace_id", texts[4])
            self.assertEqual(mock.count("label=upgrade"), 0)
            for one in made:
                under = f"scenarios/{one['id']}/"
                mock.wait("label=end", under)
                self.assertEqual(mock.count("label=upgrade", under), 1)
                self.assertEqual(mock.ask("GET", under + "sessions")["requests"], 1)
                self.assertEqual(mock.ask("GET", under + "sessions/1")["session"], 1)
                self.assertEqual(mock.raw("GET", urllib.parse.urlsplit(one["journal"]).path)[0], 200)
            self.assertEqual(len(mock.ask("GET", "scenarios")["scenarios"]), 5)
            self.assertEqual(asyncio.run(first(made[1]["url"])), "mine")
            mock.ask("POST", f"scenarios/{made[1]['id']}/faults", {"fault": "drop=3"}, status=409)

    def test_a_scenario_has_its_own_quirks_and_key(self):
        with Mock() as mock:
            made = mock.ask("POST", "scenarios", {"key": "another-key", "config": "only"}, status=201)
            under = f"scenarios/{made['id']}/"
            self.assertIn("sessionReady", asyncio.run(first(made["url"], "only", "another-key")))
            with self.assertRaises(websockets.InvalidStatusCode):
                asyncio.run(first(made["url"], "only", KEY))
            self.assertIn("MODEL_NOT_FOUND", asyncio.run(first(made["url"], "other", "another-key")))
            mock.ask("POST", under + "quirks", {"quirks": "camel-case-ready"})
            self.assertIn("traceId", asyncio.run(first(made["url"], "only", "another-key")))
            self.assertEqual(mock.ask("GET", "quirks")["quirks"], {})
            self.assertNotIn("another-key", mock.raw("GET", f"/__mock/{under}journal")[2].decode())
            mock.ask("POST", under + "reset", {})
            self.assertEqual(mock.ask("GET", under + "quirks")["quirks"], {})
            self.assertEqual(mock.count("", under), 0)

    def test_a_client_of_a_scenario_asks_for_cards_too(self):
        async def talk(mock, url, own):
            ready = json.loads(await first(url, "mock.camel-case-ready"))
            self.assertIn("traceId", ready["payload"])
            refused = json.loads(await first(url, "mock.camel-case-redy"))
            self.assertEqual(refused["payload"]["code"], "MODEL_NOT_FOUND")
            self.assertIn('did you mean "mock.camel-case-ready"?', refused["payload"]["message"])
            # On top of what the scenario is, and off again by it.
            ready = json.loads(await first(own, "mock.camel-case-ready=off"))
            self.assertIn("trace_id", ready["payload"])
            self.assertIn("num_clients", ready["payload"])
            async with connect(own, "mock.close-early=4002") as ws:
                self.assertEqual(await closed(ws), 4002)

        with Mock("--fault", "close-early=4001") as mock:
            plain = mock.ask("POST", "scenarios", {}, status=201)
            own = mock.ask(
                "POST", "scenarios", {"quirks": "camel-case-ready extra-ready", "config": "only-this"}, status=201
            )
            asyncio.run(talk(mock, plain["url"], own["url"]))

    def test_what_is_wrong_with_a_scenario_is_said(self):
        with Mock() as mock:
            for body in (
                {"script": "accept\nfoo"},
                {"script": 'case "x"\nserver {\n'},
                {"quirks": "nonsense"},
                {"fault": "nonsense"},
                {"card": "nonsense"},
                {"fault": "drop=x"},
                {"profile": "none"},
                {"key": ""},
                {"key": "two\nlines"},
                {"key": "a\u007fb"},
                {"key": " at the ends"},
                {"key": "tab\t"},
                {"config": "two\r\nlines"},
                {"script": CLIENT_CASE},
                {"config": 7},
                {"seed": -1},
                {"seed": 0.5},
                {"script": "accept", "fault": "drop=3"},
                {"script": "accept", "card": "mock.drop=3"},
                {"fault": "drop=3", "card": "mock.drop=3"},
                {"fault": "drop=3", "card": "persona-1"},
                {"unknown": 1},
            ):
                with self.subTest(body):
                    mock.ask("POST", "scenarios", body, status=400)
            wrong = mock.ask("POST", "scenarios", {"script": "accept\nfoo"}, status=400)
            self.assertEqual((wrong["line"], wrong["column"]), (2, 1))
            wrong = mock.ask("POST", "scenarios", {"script": CLIENT_CASE}, status=400)
            self.assertEqual((wrong["line"], wrong["column"]), (5, 1), wrong)
            self.assertIn('found "client {"', wrong["error"])
            for fault in ("drop=3+fade", "fade"):
                mock.ask("POST", "faults", {"fault": fault}, status=400)
            self.assertEqual(mock.ask("GET", "scenarios")["scenarios"], [])

    def test_a_deleted_scenario_ends_its_sessions(self):
        async def talk(mock):
            made = await in_thread(mock.ask, "POST", "scenarios", {}, status=201)
            async with connect(made["url"]) as ws, connect(mock.url) as other:
                await read_until(ws, "sessionReady")
                await in_thread(mock.ask, "DELETE", f"scenarios/{made['id']}")
                self.assertEqual(await closed(ws), 1001)
                await read_until(other, "sessionReady")
                self.assertTrue(other.open)
            with self.assertRaises(websockets.InvalidStatusCode):
                await first(made["url"])
            await in_thread(mock.ask, "GET", f"scenarios/{made['id']}/journal", status=404)

        with Mock() as mock:
            asyncio.run(talk(mock))

    def test_there_is_a_bound_and_reset_removes_all(self):
        with Mock() as mock:
            for _ in range(200):
                mock.ask("POST", "scenarios", {}, status=201)
            mock.ask("POST", "scenarios", {}, status=409)
            self.assertEqual(mock.ask("POST", "reset", {}), {"scenarios_removed": 200})
            self.assertEqual(mock.ask("POST", "scenarios", {}, status=201)["id"], "201")


class Drain(unittest.TestCase):
    def test_sessions_end_with_1001_and_ready_says_503(self):
        async def talk(mock):
            ws = await connect(mock.url)
            await read_until(ws, "sessionReady")
            # One that never answers the close, so that the mock has to wait for it as long as it does.
            deaf = socket.create_connection(("127.0.0.1", mock.port), WAIT_S)
            deaf.sendall(
                b"GET /realtime?config_id=c HTTP/1.1\r\nHost: mock\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                b"Authorization: " + KEY.encode() + b"\r\n\r\n"
            )
            await in_thread(mock.wait, "type=sessionReady&count=2")
            mock.process.send_signal(signal.SIGTERM)
            code = await closed(ws)
            status = (await in_thread(mock.raw, "GET", "/__mock/ready"))[0]
            ended = await in_thread(mock.process.wait, WAIT_S)
            deaf.close()
            return code, status, ended

        with Mock() as mock:
            self.assertEqual(asyncio.run(talk(mock)), (1001, 503, 0))


if __name__ == "__main__":
    unittest.main()
