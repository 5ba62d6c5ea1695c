#!/usr/bin/python3
"""ojin-conform replay and judge, from outside: what ojin-mock recorded of real clients comes out the same once more.

No test depends on how fast the machine is: a replay is exact however late anything came.
"""

import asyncio
import base64
import contextlib
import json
import os
import re
import signal
import struct
import subprocess
import sys
import time
import unittest
import urllib.parse
import urllib.request

import websockets

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci/tests"))
from patient import connect

from runner_case import BIN, CONFORM, PYTHON, PYTHON_CLIENT, RUN_TIMEOUT_S, SOURCE, RunnerCase

KEY = "key-that-is-nowhere"
INPUT_HEADER = struct.Struct("!BQI")  # 000 InteractionInput
FRAME_HEADER = struct.Struct("!B16sQIII")  # 000 InteractionResponse
SPEECH = SOURCE / "fixtures/speech/hello-3s.wav"
SCRIPT = """case ojin/test/by-hand
title "T"
expect "E"
clause OJ-OUT-01 MUST
plan {
  speak "hello-3s.wav"
  end
}
server {
  accept
  serve until=speech:5 as first
  send speech count=70 interaction=$first.interaction
  wait 50ms
  send text text="in between"
  serve until=close
}
check heard INFO some seen:frame
"""


def audio(samples):
    return INPUT_HEADER.pack(1, 1700000000000, 0) + b"".join(struct.pack("<h", i * 91 % 9001) for i in range(samples))


class ReplayCase(RunnerCase):
    def start_mock(self, *options):
        """Its URL; end_mock ends it and gives the journal."""
        self.journal = self.folder / "session.jsonl"
        self.stopped = False
        self.mock = subprocess.Popen(
            [str(BIN / "ojin-mock"), "--port", "0", "--size", "320x240", "--journal", str(self.journal), *map(str, options)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(os.environ, OJIN_MOCK_KEY=KEY),
        )
        self.addCleanup(self.mock.stdout.close)
        self.addCleanup(lambda: self.mock.poll() is None and (self.mock.kill(), self.mock.wait()))
        self.said = self.mock.stdout.readline()
        return json.loads(self.said)["url"]

    def stop_mock(self):
        """Once: a second signal ends it at once."""
        if not self.stopped:
            self.stopped = True
            self.mock.send_signal(signal.SIGTERM)

    def end_mock(self):
        self.stop_mock()
        self.assertEqual(self.mock.wait(RUN_TIMEOUT_S), 0)
        text = self.journal.read_text()
        self.assertNotIn(KEY, text)
        return [json.loads(line) for line in text.splitlines()]

    def speak(self, url, key=KEY):
        """The ready-made Python client: speaks, ends, closes."""
        environment = dict(os.environ, OJIN_URL=url, OJIN_API_KEY=key, OJIN_CONFIG_ID="c", OJIN_AUDIO=str(SPEECH))
        return subprocess.run([PYTHON, "-B", str(PYTHON_CLIENT)], env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=RUN_TIMEOUT_S, check=False).returncode

    def connect(self, url, config="c", **options):
        return connect(url + "?config_id=" + config, extra_headers={"Authorization": KEY}, compression=None, **options)

    async def receive(self, ws, speech):
        """Until `speech` speech frames have come."""
        while speech > 0:
            data = await ws.recv()
            if isinstance(data, bytes) and FRAME_HEADER.unpack_from(data)[1] != bytes(16):
                speech -= 1

    def replay(self, *words, code=0):
        done = self.conform("replay", *words, self.journal)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def assert_identical(self, lines, *words):
        """Every message that the mock's sessions sent is compared."""
        sent = sum(line.get("from") == "server" and "host" not in line for line in lines)
        self.assertGreater(sent, 0)
        done = self.replay(*words)
        self.assertEqual(done.stdout.splitlines()[-1], f"replayed {sent} messages, identical")
        return done.stdout

    def write_lines(self, lines):
        self.journal.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


class Identical(ReplayCase):
    def test_a_client_that_speaks_and_ends(self):
        self.assertEqual(self.speak(self.start_mock("--seed", 7)), 0)
        lines = self.end_mock()
        taken = [line["label"] for line in lines if line.get("kind") == "taken"]
        self.assertEqual(taken[:2], ["request", "opened"])
        self.assertIn("binary", taken)
        self.assertIn("close", taken)
        self.assertEqual(taken[-1], "gone")
        self.assert_identical(lines)

    def test_sessions_one_after_another_have_seeds_of_their_own(self):
        url = self.start_mock("--seed", 2**64 - 1)
        self.assertEqual(self.speak(url), 0)
        self.assertNotEqual(self.speak(url, key="a-wrong-one"), 0)
        self.assertEqual(self.speak(url), 0)
        lines = self.end_mock()
        self.assertEqual([line["seed"] for line in lines if line.get("begins")], [str(2**64 - 1), 0, 1])
        self.assert_identical(lines)

    def test_a_cancel_a_burst_and_a_text_with_the_key(self):
        async def session(url):
            async with self.connect(url) as ws:
                await ws.recv()
                await ws.send(audio(32000))
                await self.receive(ws, speech=5)
                await ws.send('{"type":"cancelInteraction","payload":{}}')
                await ws.send(f"my key is {KEY}, ünder us")
                await ws.send([b"\1", b"\2"])
                await (await ws.ping())
                for _ in range(9):  # more than six in a second: the mock answers some with an error
                    await ws.send(audio(6400))
                for _ in range(150):  # more than a second: it has room for another
                    await ws.recv()
                await ws.send('{"type":"endInteraction","payload":{}}')
                for _ in range(20):
                    await ws.recv()

        asyncio.run(session(self.start_mock("--profile", "oris-1.0-earlier")))
        self.assert_identical(self.end_mock())

    def test_sessions_at_the_same_time_that_the_mock_ends(self):
        async def session(url, speech):
            try:
                async with self.connect(url) as ws:
                    await ws.send(audio(32000))
                    await self.receive(ws, speech)
                    self.stop_mock()
                    await self.receive(ws, 10**6)
            except websockets.ConnectionClosed:
                pass

        async def sessions(url):
            await asyncio.gather(*(session(url, 20 + n) for n in range(5)))

        asyncio.run(sessions(self.start_mock("--speed", 3)))
        lines = self.end_mock()
        self.assertEqual(sum("begins" in line for line in lines), 5)
        self.assertIn("of the answers: no session makes them again", self.assert_identical(lines))

    def test_a_client_that_does_not_read(self):
        async def session(url):
            ws = await self.connect(url, max_queue=1, read_limit=1024)
            await ws.recv()
            ws.transport.pause_reading()
            # Far more than sockets hold: the mock drops what it makes, and ends the session, whichever we see first.
            with contextlib.suppress(websockets.ConnectionClosed):
                while '"kind":"dropped"' not in self.journal.read_text():
                    await ws.send(speech)
                    await asyncio.sleep(0.5)
            ws.transport.abort()

        speech = audio(160000)

        asyncio.run(asyncio.wait_for(session(self.start_mock("--size", "1280x720")), RUN_TIMEOUT_S))
        lines = self.end_mock()
        self.assertTrue(any(line.get("kind") == "dropped" for line in lines))
        self.assertRegex(self.assert_identical(lines), r"note: \d+ messages were never sent")

    def test_a_scripted_run(self):
        script = self.write("by-hand.session", SCRIPT)
        self.speak(self.start_mock("--script", script))  # to this client the text in between is an error
        lines = self.end_mock()
        self.assertEqual(lines[0]["script"], "ojin/test/by-hand")
        self.assert_identical(lines, "--script", script)

    def test_a_fault_of_every_session_and_the_end_of_a_message_that_is_cut_short(self):
        for fault, last, size in (("drop-in-frame=500", "drop", 500), ("reset-in-frame=77", "reset", 77), ("jitter=5ms", None, 0)):
            with self.subTest(fault):
                self.speak(self.start_mock("--fault", fault, "--quirk", "frame-type-byte"))
                lines = self.end_mock()
                self.assertEqual([line["label"] for line in lines if line.get("begins")], ["script"])
                ends = [(line["label"], line["bytes"]) for line in lines
                        if line.get("event") == "end" and line["from"] == "server"]
                self.assertEqual(ends, [(last, size)] if last else [])
                self.assert_identical(lines)

    def test_cards_right_and_wrong(self):
        async def sessions(url):
            for card in ("mock.fade%2Bcancel-late", "mock.close%3D4001", "mock.no-such-card", "only-this", "another"):
                try:
                    async with self.connect(url, config=card) as ws:
                        await ws.send(audio(32000))
                        await self.receive(ws, speech=5)
                        await ws.send('{"type":"cancelInteraction","payload":{}}')
                        for _ in range(20):
                            await ws.recv()
                except websockets.ConnectionClosed:
                    pass

        asyncio.run(sessions(self.start_mock("--config", "only-this", "--quirk", "starve=3")))
        lines = self.end_mock()
        begun = [line["label"] for line in lines if line.get("begins")]
        self.assertEqual(begun, ["quirks", "script", "config-fault", "request", "request"])
        self.assert_identical(lines)

    def test_what_was_done_to_sessions_from_outside(self):
        async def ask(url, path, **body):
            head, _, _ = url.removeprefix("ws://").partition("/")
            call = urllib.request.Request(f"http://{head}/__mock/{path}", json.dumps(body).encode())
            await asyncio.get_running_loop().run_in_executor(None, lambda: urllib.request.urlopen(call).close())

        async def session(url):
            async with self.connect(url) as ws:
                await ws.send(audio(32000))
                await self.receive(ws, speech=3)
                await ask(url, "sessions/1/quirks", quirks="cancel-late=200ms fade=4 silence-id=last size-limit=1000")
                await self.receive(ws, speech=3)
                await ask(url, "sessions/1/send", steps='send text text="hello"\nwait 30ms\nsend silence count=2')
                await ws.send('{"type":"cancelInteraction","payload":{}}')
                for _ in range(40):
                    await ws.recv()
                await ask(url, "sessions/1/faults", fault="error=TIMEOUT")
                await ask(url, "sessions/1/quirks", quirks="fade=off")
                await ws.send(audio(3200))
                for _ in range(20):
                    await ws.recv()
            await ask(url, "quirks", quirks="starve=2")
            await ask(url, "faults", fault="drop=7")
            async with self.connect(url) as ws:
                await ws.send(audio(32000))
                await self.receive(ws, speech=7)

        asyncio.run(session(self.start_mock()))
        lines = self.end_mock()
        changes = [line["label"] for line in lines if line.get("kind") == "taken" and "text" in line]
        self.assertEqual(changes, ["quirks", "steps", "steps", "quirks", "quirks", "script"])
        self.assert_identical(lines)

    def test_every_case_of_a_run_with_its_folder_kept(self):
        done = self.conform("run", "--keep", "--out", "kept", "--run", "ojin/cancel/*", "--run", "ojin/close/*", "--",
                            PYTHON, PYTHON_CLIENT)
        self.assertEqual(done.returncode, 0, done.stdout)
        folders = list((self.folder / "kept").iterdir())
        self.assertGreater(len(folders), 3)
        for folder in folders:
            again = self.conform("replay", "--script", folder / "case.session", folder / "wire.jsonl")
            self.assertEqual(again.returncode, 0, folder.name + again.stdout + again.stderr)

    def test_the_folder_of_a_failing_case_is_all_that_is_named(self):
        for words in (("bearer-prefix",), ("plays-on", "--quirk", "any-config")):
            options = ["--out", "left", "--run", "ojin/connect/handshake", "--run", "ojin/cancel/late-speech"]
            self.conform("run", *options, *words[1:], "--", CONFORM, "defect", words[0])
        folders = list((self.folder / "left").iterdir())
        self.assertGreater(len(folders), 0)
        for folder in folders:
            for path in (folder, f"{folder}/", folder / "wire.jsonl"):
                again = self.conform("replay", path)
                self.assertEqual(again.returncode, 0, f"{path} {again.stdout}{again.stderr}")
                self.assertRegex(again.stdout, r"replayed \d+ messages, identical\n$")
            judged = self.conform("judge", folder)
            self.assertIn(judged.returncode, (0, 1), judged.stdout + judged.stderr)
        done = subprocess.run([str(CONFORM), "replay", "wire.jsonl"], cwd=folders[0], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, "from within it: " + done.stdout + done.stderr)

    def test_a_script_that_is_not_beside_the_journal_is_asked_for(self):
        script = self.write("by-hand.session", SCRIPT)
        self.speak(self.start_mock("--script", script))
        self.end_mock()
        self.assertIn("the script 'ojin/test/by-hand' ran, and no case.session lies beside the journal: expected --script FILE", self.replay(code=2).stderr)


class RefusedInterviews(ReplayCase):
    """Neither its token nor what other connections held stands in the journal of a session."""

    def token(self, *words):
        return self.run_program(BIN / "ojin-mock", "token", *words).stdout.strip()

    def start_interview(self, *options):
        self.start_mock(*options)
        return json.loads(self.said)["urls"]["interview"]

    async def refused(self, url, **parameters):
        """What it was refused with: a status, or the code of a close."""
        query = urllib.parse.urlencode(parameters, doseq=True)
        try:
            async with connect(f"{url}?{query}") as ws:
                while True:
                    await asyncio.wait_for(ws.recv(), RUN_TIMEOUT_S)
        except websockets.InvalidStatusCode as error:
            return error.status_code
        except websockets.ConnectionClosed as error:
            return error.code

    def test_by_their_tokens(self):
        kinds = ("expired", "wrong-key", "wrong-role", "wrong-owner", "alg-none")
        tokens = ["", "no-token", *(self.token(kind) for kind in kinds), [self.token()] * 2, "a" * 9000]

        async def sessions(url):
            return [await self.refused(url, token=token) for token in tokens] + [await self.refused(url)]

        for expected, options in ((1008, ()), (403, ("--profile", "interview-deployed")),
                                  (1008, ("--quirk", "refusals-say-why"))):
            with self.subTest(options):
                got = asyncio.run(sessions(self.start_interview(*options)))
                self.assertEqual(set(got), {expected})
                lines = self.end_mock()
                self.assert_identical(lines)
                self.assertFalse([token for token in tokens if isinstance(token, str) and len(token) > 8 and token in self.journal.read_text()])
                told = {line["text"] for line in lines if line.get("kind") == "taken" and line["label"] == "request"}
                self.assertIn("the token has expired", told)
                self.write_lines([dict(line, text="the token is malformed") if line.get("text") == "the token has expired" else line
                                  for line in lines])
                self.assertIn(" of connection 3: ", self.replay(code=1).stdout)

    def test_by_another_connection_to_the_interview(self):
        async def sessions(url):
            async with connect(f"{url}?token={self.token()}") as ws:
                await ws.recv()
                return await self.refused(url, token=self.token("valid"))

        self.assertEqual(asyncio.run(sessions(self.start_interview())), 1008)
        lines = self.end_mock()
        self.assertIn("there is a connection to the interview already", [line.get("text") for line in lines])
        self.assert_identical(lines)

    def test_by_a_newer_connection_that_took_its_place(self):
        async def sessions(url):
            async with connect(f"{url}?token={self.token()}") as older:
                await older.recv()
                await older.send(json.dumps({"type": "audio_chunk", "audio": "AAAA" * 1600, "timestamp": int(time.time())}))
                await older.send(json.dumps({"type": "commit_audio"}))
                while "ai_audio_chunk" not in await asyncio.wait_for(older.recv(), RUN_TIMEOUT_S):
                    pass
                async with connect(f"{url}?token={self.token()}") as newer:
                    with self.assertRaises(websockets.ConnectionClosed) as end:
                        while True:
                            await asyncio.wait_for(older.recv(), RUN_TIMEOUT_S)
                    await newer.recv()
                return end.exception.code, end.exception.reason

        self.assertEqual(asyncio.run(sessions(self.start_interview("--quirk", "newest-wins"))), (1000, "There is a newer connection"))
        lines = self.end_mock()
        self.assertIn(("tick", "There is a newer connection"),
                      {(line["label"], line.get("text")) for line in lines if line.get("kind") == "taken"})
        self.assert_identical(lines)


class Different(ReplayCase):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.speak(self.start_mock()), 0)
        self.lines = self.end_mock()

    def number(self, **wanted):
        """Line number of the first entry with those members."""
        return next(n for n, line in enumerate(self.lines, 1) if all(line.get(k) == v for k, v in wanted.items()))

    def test_a_byte_of_the_clients_audio(self):
        first = self.number(label="speech", **{"from": "server"})
        spoken = max((line for line in self.lines if line.get("label") == "audio"), key=lambda line: line["bytes"])
        data = bytearray(base64.b64decode(spoken["base64"]))
        data[INPUT_HEADER.size + 1000] ^= 1  # sample 500: the first speech frame has it
        spoken["base64"] = base64.b64encode(data).decode()
        self.write_lines(self.lines)
        done = self.replay(code=1)
        self.assertEqual(len(done.stdout.splitlines()), 1)
        self.assertRegex(done.stdout, rf"^{re.escape(str(self.journal))}:{first}: speech frame .* the CRC-32 of its sound is "
                                      r"\d+ in the journal and \d+ in the replay$")

    def test_a_frame_of_the_server_that_is_missing(self):
        gone = self.number(label="speech", **{"from": "server"})
        del self.lines[gone - 1]
        self.write_lines(self.lines)
        # The next that the server sent stands in its place; what the client sent may have come in between.
        differs = next(n for n, line in enumerate(self.lines, 1) if n >= gone and line.get("from") == "server")
        said = self.replay(code=1).stdout
        self.assertTrue(said.startswith(f"{self.journal}:{differs}: speech frame "), said)

    def test_a_seed(self):
        ready = self.number(label="ready")
        self.lines[self.number(begins=True) - 1]["seed"] = 99
        self.write_lines(self.lines)
        self.assertTrue(self.replay(code=1).stdout.startswith(f"{self.journal}:{ready}: ready of connection 1: its text is "))

    def test_a_journal_cut_short_is_compared_as_far_as_it_goes(self):
        self.write_lines(self.lines[: len(self.lines) // 2])
        self.assertRegex(self.replay().stdout, r"^replayed \d+ messages, identical$")

    def test_a_message_of_the_client_that_is_missing_makes_it_impossible(self):
        del self.lines[self.number(label="audio") - 1]
        self.write_lines(self.lines)
        done = self.replay(code=2)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, rf"^ojin-conform replay: {re.escape(str(self.journal))}:\d+: cannot be replayed: ")

    def test_a_change_from_outside_that_cannot_be_made(self):
        self.speak(self.start_mock("--fault", "drop=9"))
        lines = self.end_mock()
        for label, text, words in (
            ("script", "accept\nno-such-step", "its steps cannot be read"),
            ("quirks", "no-such-quirk=on", "its quirks cannot be read"),
            ("steps", "send silence", "its steps cannot be played: no connection is open"),
        ):
            with self.subTest(label):
                self.write_lines([dict(line, label=label, text=text) if line.get("begins") else line for line in lines])
                said = self.replay(code=2).stderr
                self.assertIn("the session was changed from outside here, and " + words, said)

    def test_a_journal_that_does_not_say_what_was_taken(self):
        self.lines = [line for line in self.lines if line.get("kind") != "taken"]
        self.write_lines(self.lines)
        accept = self.number(label="accept")
        self.assertIn(f"{self.journal}:{accept}: cannot be replayed: ", self.replay(code=2).stderr)


class Judge(ReplayCase):
    def test_speech_is_read_at_the_rate_of_the_families_that_have_connections(self):
        """A mock serves every family: what counts is who came."""
        url = self.start_mock()
        self.assertEqual(self.speak(url), 0)
        report = self.folder / "report.json"
        # What it has written already is judged while it still serves.
        words = ("judge", "--verbose", "--json", report, "--audio", SPEECH)
        done = self.conform(*words, self.journal)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"OJ-IN-06 +PASS")
        self.assertEqual(json.loads(report.read_text())["profiles"], ["oris-1.0"])

        # Full-duplex speech has the same rate, and an interview has not; who is turned away has been there too.
        for path, code in (("/v1/realtime?mode=video", 0), ("/api/v1/interviews/any/realtime/connect", 2)):
            asyncio.run(self.ask(urllib.parse.urljoin(url, path)))
            done = self.conform(*words, self.journal)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.end_mock()
        self.assertIn("--audio needs --profile or --connection: ", done.stderr)
        for choice in (("--connection", "1"), ("--profile", "oris-1.0")):
            done = self.conform(*words, *choice, self.journal)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"OJ-IN-06 +PASS")

    async def ask(self, url):
        with contextlib.suppress(websockets.InvalidStatusCode, websockets.ConnectionClosed):
            async with connect(url, compression=None) as ws:
                await ws.close()

    def test_connections_may_be_numbered_as_one_likes(self):
        head = "GET /realtime?config_id=c HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nAuthorization: Bearer x\r\n\r\n"
        lines = [{"journal": 1, "family": "ojin", "profile": "oris-1.0"}] + [
            {"n": n, "at_us": n, "connection": connection, "kind": "wire", "label": "upgrade", "from": "client",
             "event": "request", "text": head}
            for n, connection in enumerate((2**32 - 1, 1, 2**31))
        ]
        journal = self.write("numbers.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        path = self.folder / "report.json"
        done = self.conform("judge", "--json", path, journal)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual([(case["name"], case["verdict"]) for case in json.loads(path.read_text())["cases"]],
                         [(f"connection/{number}", "FAIL") for number in (1, 2**31, 2**32 - 1)])


class WrongUse(ReplayCase):
    HEADER = {"journal": 1, "family": "ojin", "profile": "oris-1.0", "picture_width": 320, "picture_height": 240}

    def complaint(self, *words):
        done = self.conform("replay", *words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        return done.stderr.splitlines()[0]

    def test_what_is_no_journal_is_told_in_a_line(self):
        cases = [
            ("no such file", None, "cannot read {path}: No such file or directory"),
            ("not JSON", "hello\n", "{path}: line 1: this is no JSON object"),
            ("an entry of no kind", json.dumps(self.HEADER) + "\n{}\n", "{path}: line 2: the kind is not known"),
            ("no size of a picture", json.dumps(dict(self.HEADER, picture_width=7)) + "\n", None),
            ("an unknown family", json.dumps(dict(self.HEADER, family="x")) + "\n", "{path}: the journal's family is not known"),
            ("a script is missing", json.dumps(dict(self.HEADER, script="a/b")) + "\n",
             "{path}: the script 'a/b' ran, and no case.session lies beside the journal: expected --script FILE with it"),
        ]
        for name, text, expected in cases:
            with self.subTest(name):
                path = str(self.folder / (name.replace(" ", "-") + ".jsonl"))
                if text is not None:
                    self.write(os.path.basename(path), text)
                said = self.complaint(path)
                self.assertTrue(said.startswith("ojin-conform replay: "), said)
                if expected is not None:
                    self.assertEqual(said, "ojin-conform replay: " + expected.format(path=path))

    def test_another_script_than_ran(self):
        script = self.write("other.session", SCRIPT)
        path = self.write("j.jsonl", json.dumps(dict(self.HEADER, script="a/b")) + "\n")
        self.assertIn("this is the script 'ojin/test/by-hand': expected 'a/b'", self.complaint("--script", script, path))
        path = self.write("k.jsonl", json.dumps(self.HEADER) + "\n")
        self.assertIn("no script ran", self.complaint("--script", script, path))
        bad = self.write("bad.session", SCRIPT.replace("accept", "accept everything"))
        path = self.write("l.jsonl", json.dumps(dict(self.HEADER, script="ojin/test/by-hand")) + "\n")
        self.assertTrue(self.complaint("--script", bad, path).startswith(bad + ":10:"))

    def test_wrong_words(self):
        self.assertEqual(self.complaint(), "ojin-conform replay: expected one journal, or the folder of a case")
        self.assertEqual(self.complaint("a", "b"), "ojin-conform replay: expected one journal, or the folder of a case")
        self.assertIn("--loud", self.complaint("--loud", "a"))

    def test_help(self):
        done = self.conform("help", "replay")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.startswith("Usage: ojin-conform replay"))


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
