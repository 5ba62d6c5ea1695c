#!/usr/bin/python3
"""Interviews over real sockets: tokens, one connection an interview, a turn, cards, control, exec, and no token in clear."""

import asyncio
import base64
import hashlib
import hmac
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import urllib.request
import wave

from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatusCode

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci/tests"))
from patient import connect

MOCK = os.path.join(os.environ["BIN_DIR"], "ojin-mock")
CLIENT = os.path.join(os.environ["BIN_DIR"], "ojin-client")
SPEECH = os.path.join(os.environ["SOURCE_DIR"], "fixtures", "speech")
SECRET = "a-secret-that-only-this-test-knows"
PATIENCE_S = 60
SILENCE_S = 8
COMMIT = json.dumps({"type": "commit_audio"})


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(header=None, key=SECRET, digest=hashlib.sha256, signature=None, **claims):
    """A good token, but for what is said otherwise; a claim of None is left out."""
    whole = {"sub": "candidate-1", "role": "candidate", "exp": int(time.time()) + 600, **claims}
    body = {name: value for name, value in whole.items() if value is not None}
    signed = ".".join(encode(json.dumps(part).encode()) for part in (header or {"alg": "HS256", "typ": "JWT"}, body))
    mac = hmac.new(key.encode(), signed.encode(), digest).digest()
    return f"{signed}.{encode(mac) if signature is None else signature}"


class Mock:
    def __init__(self, *options, secret=SECRET):
        self.folder = tempfile.TemporaryDirectory()
        self.journal = os.path.join(self.folder.name, "journal.jsonl")
        self.options = ["--family", "interview", "--journal", self.journal, "--log", "debug", *options]
        self.environment = {**os.environ, "OJIN_MOCK_JWT_SECRET": secret}

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(
            MOCK, "--port", "0", *self.options, env=self.environment, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE)
        self.line = (await self.process.stdout.readline()).decode()
        self.ready = json.loads(self.line)
        self.url = self.ready["url"]
        return self

    async def __aexit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.log = (await self.process.communicate())[1].decode()
        with open(self.journal, encoding="utf-8") as source:
            self.written = source.read()
        self.folder.cleanup()
        assert self.process.returncode == 0 and "mistake of the mock" not in self.log, self.log

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.ready["control"] + path, data=data),
                                    timeout=PATIENCE_S) as answer:
            return answer.read().decode()


async def receive(connection):
    return json.loads(await asyncio.wait_for(connection.recv(), PATIENCE_S))


async def refusal(url):
    """The code that a client is closed with, or the HTTP status; 0: it is let in."""
    try:
        async with connect(url) as connection:
            try:
                await receive(connection)
                return 0
            except ConnectionClosed as end:
                return end.code
    except InvalidStatusCode as status:
        return status.status_code


async def speak(connection, name="answer-1.wav"):
    with wave.open(os.path.join(SPEECH, name), "rb") as source:
        pcm = source.readframes(source.getnframes())
    for at in range(0, len(pcm), 9600):
        await connection.send(json.dumps({"type": "audio_chunk", "timestamp": int(time.time()),
                                          "audio": base64.b64encode(pcm[at:at + 9600]).decode()}))


async def until(connection, kind):
    messages = []
    while not messages or messages[-1]["type"] != kind:
        messages.append(await receive(connection))
    return messages


BAD = {
    "missing": "",
    "empty": "?token=",
    "garbage": "?token=garbage",
    "expired by a second": "?token=" + token(exp=int(time.time()) - 1),
    "not valid yet": "?token=" + token(nbf=int(time.time()) + 600),
    "without exp": "?token=" + token(exp=None),
    "wrong key": "?token=" + token(key="another-secret-than-that-of-the-mock"),
    "alg none": "?token=" + token({"alg": "none"}, signature=""),
    "alg none, signed": "?token=" + token({"alg": "none"}),
    "HS512 for HS256": "?token=" + token({"alg": "HS512"}, digest=hashlib.sha512),
    "RS256 with the secret as key": "?token=" + token({"alg": "RS256"}),
    "wrong role": "?token=" + token(role="interviewer"),
    "wrong owner": "?token=" + token(sub="candidate-2"),
    "without sub": "?token=" + token(sub=None),
    "other interview": "?token=" + token(interview_id="00000000-0000-4000-8000-000000000001"),
    "twice in the query": f"?token={token()}&token={token()}",
    "16 KB long": "?token=" + token(pad="x" * 12000),
    "in another parameter": "?access_token=" + token(),
}


class Interviews(unittest.IsolatedAsyncioTestCase):
    def assert_hidden(self, text, where):
        """No part of any token is in it: all of ours begin alike."""
        self.assertNotIn("eyJ", text, where)
        self.assertNotIn(SECRET, text, where)

    async def assert_all_refused(self, code, *options):
        async with Mock(*options) as mock:
            for name, query in BAD.items():
                self.assertEqual(await refusal(mock.url + query), code, name)
            self.assertEqual(await refusal(mock.url + "?token=" + token()), 0)
            shown = mock.ask("sessions") + mock.ask("journal") + mock.ask("metrics") + mock.ask("health")
        for where, text in (("log", mock.log), ("journal", mock.written), ("control", shown), ("line", mock.line)):
            self.assert_hidden(text, where)
        return mock

    async def test_bad_tokens_close_with_1008_and_are_not_shown(self):
        mock = await self.assert_all_refused(1008)
        self.assertIn('"POLICY_VIOLATION: the token has expired"', mock.written)

    async def test_a_deployed_server_refuses_them_before_the_upgrade(self):
        await self.assert_all_refused(403, "--profile", "interview-deployed")

    async def test_the_client_reports_each_and_shows_none(self):
        async def run(url, code):
            process = await asyncio.create_subprocess_exec(
                CLIENT, "interview", "--audio", os.path.join(SPEECH, "hello-1s.wav"), "--url", url, "--reconnect=3",
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
            out = (await process.communicate())[0].decode()
            self.assertEqual(process.returncode, 1, out)
            self.assertIn(str(code), out)
            self.assert_hidden(out, "client")

        for profile, code in (("interview-1.0", 1008), ("interview-deployed", 403)):
            async with Mock("--profile", profile) as mock:
                await asyncio.gather(*(run(mock.url + query, code) for query in BAD.values()))
            self.assert_hidden(mock.log + mock.written, "mock")

    async def test_a_token_that_is_quoted_in_messages_is_not_shown(self):
        for options, query in (((), "?token=" + token()), (("--quirk", "any-token"), BAD["wrong key"]),
                               (("--quirk", "any-token"), BAD["twice in the query"]), (("--key", token()), "?token=" + token(n=1))):
            text = query.split("=")[1].split("&")[0]
            async with Mock(*options) as mock, connect(mock.url + query) as connection:
                for message in (f"token {text}", json.dumps({"type": text}), json.dumps({"type": "hello", "token": text})):
                    await connection.send(message)
                    await until(connection, "error")
                shown = mock.ask("sessions") + mock.ask("journal")
            for where, text in (("log", mock.log), ("journal", mock.written), ("control", shown)):
                self.assert_hidden(text, where)

    async def test_a_token_without_a_role_is_let_in_where_it_is_deployed(self):
        for options, code in (((), 1008), (("--profile", "interview-deployed"), 0), (("--quirk", "role-optional"), 0)):
            async with Mock(*options) as mock:
                self.assertEqual(await refusal(mock.url + "?token=" + token(role=None)), code)

    async def test_the_command_makes_tokens_for_the_mock(self):
        made = {}
        for kind in ("valid", "expired", "not-yet-valid", "wrong-role", "wrong-owner", "alg-none"):
            made[kind] = subprocess.run([MOCK, "token", kind], capture_output=True, text=True, check=True,
                                        env={**os.environ, "OJIN_MOCK_JWT_SECRET": ""}).stdout.strip()
        async with Mock(secret="") as mock:
            self.assertIn("jwt_secret", mock.ready)
            for kind, text in made.items():
                self.assertEqual(await refusal(f"{mock.url}?token={text}"), 0 if kind == "valid" else 1008, kind)
        async with Mock() as mock:
            self.assertNotIn("jwt_secret", mock.ready)
            self.assertEqual(await refusal(f"{mock.url}?token={made['valid']}"), 1008)

    async def test_candidate_and_interview_are_those_that_were_given(self):
        mine = "11111111-2222-4333-8444-555555555555"
        async with Mock("--candidate", "me", "--interview", mine) as mock:
            self.assertIn(mine, mock.url)
            self.assertEqual(await refusal(mock.url + "?token=" + token(sub="me")), 0)
            self.assertEqual(await refusal(mock.url + "?token=" + token()), 1008)
            other = mock.url.replace(mine, mine.replace("1", "2"))
            self.assertEqual(await refusal(other + "?token=" + token(sub="me")), 1008)

    async def test_a_turn_is_heard_and_answered(self):
        async with Mock() as mock, connect(mock.url + "?token=" + token()) as connection:
            self.assertEqual([(await receive(connection))["status"] for _ in range(2)], ["connecting", "connected"])
            await speak(connection)
            await connection.send(COMMIT)
            messages = await until(connection, "function_result")
            chunks = [message for message in messages if message["type"] == "ai_audio_chunk"]
            self.assertEqual([message["type"] for message in messages],
                             ["transcript"] + ["ai_audio_chunk"] * len(chunks) + ["transcript", "function_result"])
            self.assertEqual([chunk["is_final"] for chunk in chunks], [False] * (len(chunks) - 1) + [True])
            with wave.open(os.path.join(SPEECH, "question-1.wav"), "rb") as source:
                self.assertEqual(b"".join(base64.b64decode(chunk["audio"]) for chunk in chunks),
                                 source.readframes(source.getnframes()))
            session = json.loads(mock.ask("sessions"))["sessions"][0]
            self.assertEqual(session["config_id"], "6f1c1d0e-4b7a-4c58-9d4e-0123456789ab")

    async def test_an_interview_has_one_connection(self):
        for options, newest in (((), False), (("--quirk", "newest-wins"), True),
                                (("--profile", "interview-deployed"), True)):
            async with Mock(*options) as mock, connect(mock.url + "?token=" + token()) as first:
                await receive(first)
                other = mock.url.replace("6f1c1d0e", "7f1c1d0e")
                self.assertEqual(await refusal(other + "?token=" + token()), 0)
                if not newest:
                    self.assertEqual(await refusal(mock.url + "?token=" + token()), 1008)
                    await first.send("{}")
                    while (await receive(first))["type"] != "error":
                        pass
                    await first.close()
                    self.assertEqual(await refusal(mock.url + "?token=" + token()), 0)
                    continue
                async with connect(mock.url + "?token=" + token()) as second:
                    with self.assertRaises(ConnectionClosed) as end:
                        while True:
                            await receive(first)
                    self.assertEqual(end.exception.code, 1000)
                    await second.send("{}")
                    while (await receive(second))["type"] != "error":
                        pass

    async def test_cards_are_interviews(self):
        async with Mock() as mock:
            for card, code in (("mock.policy-violation", 1008), ("mock.forbidden", 403), ("mock.unauthorized", 401),
                               ("mock.close-early=1011", 1011), ("mock.refuse=503", 503), ("mock.no-such-card", 400),
                               ("mock.drop-early", 1006), ("mock.greets+burst", 0)):
                url = mock.url.replace("6f1c1d0e-4b7a-4c58-9d4e-0123456789ab", urllib.parse.quote(card, safe=""))
                self.assertEqual(await refusal(url + "?token=" + token()), code, card)

    async def ask_all(self, what):
        """A session with each card of that list, all at once; the messages that came and how it ended, by name."""
        listed = json.loads(subprocess.run([MOCK, "--family", "interview", "--list", what, "--json"], check=True,
                                           capture_output=True, text=True).stdout)
        names = [row["name"] for row in listed]

        async def ask(mock, name):
            url = mock.url.replace("6f1c1d0e-4b7a-4c58-9d4e-0123456789ab", "mock." + name) + "?token=" + token()
            messages = []
            try:
                async with connect(url, open_timeout=SILENCE_S, close_timeout=1) as connection:
                    await speak(connection)
                    await connection.send(COMMIT)
                    while True:
                        messages.append(await asyncio.wait_for(connection.recv(), SILENCE_S))
            except (ConnectionClosed, InvalidStatusCode, InvalidMessage, asyncio.TimeoutError, OSError) as end:
                return messages, end

        async with Mock() as mock:
            results = await asyncio.gather(*(ask(mock, name) for name in names))
        self.assertEqual([line for line in mock.log.splitlines() if "failed" in line or "in vain" in line], [])
        return dict(zip(names, results))

    async def test_every_fault_can_be_asked_for(self):
        results = await self.ask_all("faults")
        for name, kind in (("refuse", InvalidStatusCode), ("drop", ConnectionClosed), ("close-early", ConnectionClosed),
                           ("mute", asyncio.TimeoutError), ("bad-utf8", ConnectionClosed)):
            self.assertIsInstance(results[name][1], kind, name)
        self.assertEqual(results["close"][1].code, 1011)
        self.assertIn('"code":"OPENAI_API_ERROR"', "".join(map(str, results["error-in-speech"][0])))
        self.assertEqual(len([m for m in results["no-final"][0] if "ai_audio_chunk" in m]), 2)

    async def test_every_quirk_can_be_asked_for(self):
        results = await self.ask_all("quirks")
        for name, (messages, end) in results.items():
            refused = isinstance(end, InvalidStatusCode) or getattr(end, "code", 0) == 1008
            self.assertEqual(refused, name == "no-interview", name)
            self.assertEqual(not messages, refused, name)

    async def test_the_mock_closes_with_1012_as_it_goes(self):
        async with Mock() as mock:
            connection = await connect(mock.url + "?token=" + token())
            await receive(connection)
            await receive(connection)
            mock.process.send_signal(signal.SIGTERM)
            self.assertEqual((await receive(connection))["status"], "disconnected")
            with self.assertRaises(ConnectionClosed) as end:
                await receive(connection)
            self.assertEqual(end.exception.code, 1012)
            await mock.process.wait()
            mock.process.send_signal = lambda _: None

    async def test_a_scenario_is_an_endpoint_of_its_own(self):
        async with Mock() as mock, connect(mock.url + "?token=" + token()) as first:
            await receive(first)
            made = json.loads(mock.ask("scenarios", {"family": "interview", "quirks": "connected-type"}))
            url = made["url"].replace("{config}", "6f1c1d0e-4b7a-4c58-9d4e-0123456789ab")
            async with connect(url + "?token=" + token()) as second:
                self.assertEqual((await receive(second))["type"], "connected")

    async def test_exec_tells_a_command_where_and_who(self):
        command = ("import os, json; print(json.dumps([os.environ[name] for name in "
                   "('INTERVIEW_URL', 'INTERVIEW_ID', 'INTERVIEW_TOKEN', 'INTERVIEW_AUDIO')]))")
        process = await asyncio.create_subprocess_exec(
            MOCK, "exec", "--family", "interview", "--", "/usr/bin/python3", "-c", command, "{full_url}",
            env={**os.environ, "OJIN_MOCK_JWT_SECRET": SECRET}, stdout=asyncio.subprocess.PIPE)
        out = (await process.communicate())[0].decode()
        self.assertEqual(process.returncode, 0)
        url, interview, text, audio = json.loads(out)
        self.assertTrue(url.endswith(f"/api/v1/interviews/{interview}/realtime/connect"), url)
        self.assertTrue(os.path.exists(audio))
        async with Mock("--interview", interview) as mock:
            self.assertEqual(await refusal(f"{mock.url}?token={text}"), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=2)
