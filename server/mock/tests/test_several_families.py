#!/usr/bin/python3
"""One mock, one listener, several families: each at its own path, in one journal, under one control interface."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from websockets.exceptions import ConnectionClosed, InvalidStatusCode

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci/tests"))
from patient import connect

BIN = os.environ["BIN_DIR"]
MOCK = os.path.join(BIN, "ojin-mock")
CONFORM = os.path.join(BIN, "ojin-conform")
WAIT_S = 60
KEY = "several-families-key"
SCRIPT = """case duplex/test/late
server {
  accept
  send queue_done
  recv session.update within=30s
  send created session_id=rt_1234
  serve until=close
}
"""


class Mock:
    """A running mock; on leaving it has ended well."""

    def __init__(self, *options, key=None):
        self.errors = tempfile.TemporaryFile("w+")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OJIN_")}
        if key is not None:
            environment["OJIN_MOCK_KEY"] = key
        words = [MOCK, "--port", "0", "--size", "320x240", "--log", "quiet", *options]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=self.errors, env=environment, text=True)
        line = self.process.stdout.readline()
        assert line, self.said()
        self.ready = json.loads(line)
        self.urls = self.ready["urls"]
        self.stopped = False

    def stop(self):
        self.stopped = True
        self.process.send_signal(signal.SIGTERM)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if not self.stopped:
            self.stop()
        try:
            status = self.process.wait(WAIT_S)
        finally:
            self.process.kill()
            self.process.stdout.close()
        said = self.said()
        self.errors.close()
        assert kind is not None or status == 0, f"exit {status}: {said}"
        assert "mistake of the mock" not in said, said

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.ready["control"] + path, data=data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return json.loads(error.read())


async def receive(session):
    return json.loads(await asyncio.wait_for(session.recv(), WAIT_S))


def ojin(url, key=KEY, config="c"):
    return connect(f"{url}?config_id={config}", extra_headers={"Authorization": key})


def duplex(url, mode="audio"):
    return connect(f"{url}?mode={mode}")


async def first_of(make, *arguments):
    async with make(*arguments) as session:
        return (await receive(session))["type"]


def greeting(make, *arguments):
    """The type of the first message of a session that is made in this way."""
    return asyncio.run(first_of(make, *arguments))


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=WAIT_S, check=False, **more)


class Served(unittest.TestCase):
    def test_each_family_has_its_path_on_one_port(self):
        with Mock() as mock:
            self.assertEqual(mock.ready["url"], mock.urls["ojin"])
            self.assertEqual(len({url.split("/")[2] for url in mock.urls.values()}), 1)
            self.assertEqual(greeting(ojin, mock.urls["ojin"]), "sessionReady")
            self.assertEqual(greeting(duplex, mock.urls["duplex"]), "session.queue_done")
            self.assertEqual(greeting(duplex, mock.urls["duplex"], "video"), "session.queue_done")

    def test_a_path_of_no_family_is_told_the_paths_there_are(self):
        with Mock() as mock:
            base = mock.ready["url"].replace("ws:", "http:").rsplit("/", 1)[0]
            for path in ("/realtime2", "/v1/realtime/", "/v1", "/v2/realtime"):
                with self.subTest(path), self.assertRaises(urllib.error.HTTPError) as refused:
                    urllib.request.urlopen(base + path, timeout=WAIT_S)
                with refused.exception as answer:
                    self.assertEqual(answer.code, 404)
                    self.assertEqual(answer.read().decode().strip(),
                                     "There is nothing here. The endpoints are /realtime, /v1/realtime and "
                                     "/api/v1/interviews/{config}/realtime/connect.")

    def test_a_mode_that_there_is_not_is_refused_as_the_family_refuses(self):
        with Mock() as mock, self.assertRaises(InvalidStatusCode) as refused:
            greeting(duplex, mock.urls["duplex"], "smell")
        self.assertEqual(refused.exception.status_code, 400)

    def test_only_those_that_were_named_are_served(self):
        for words in (("--family", "duplex"), ("--family", "duplex", "--profile", "audio")):
            with self.subTest(words), Mock(*words) as mock:
                self.assertEqual(list(mock.urls), ["duplex"])
                self.assertEqual(mock.ready["url"], mock.urls["duplex"])
                with self.assertRaises(InvalidStatusCode) as refused:
                    greeting(ojin, mock.ready["url"].replace("/v1/", "/"))
                self.assertEqual(refused.exception.status_code, 404)
        for words in (("--family", "duplex,ojin"), ("--family", "duplex", "--family", "ojin")):
            with self.subTest(words), Mock(*words) as mock:
                self.assertEqual(list(mock.urls), ["ojin", "duplex"])

    def test_a_profile_is_its_familys(self):
        with Mock("--profile", "audio", "--profile", "oris-1.0-earlier") as mock:
            self.assertEqual(mock.ready["profiles"],
                             {"ojin": "oris-1.0-earlier", "duplex": "audio", "interview": "interview-1.0"})
            self.assertEqual(mock.ready["profile"], "oris-1.0-earlier")

    def test_the_key_guards_those_families_whose_protocol_has_one(self):
        with Mock(key=KEY) as mock:
            with self.assertRaises(InvalidStatusCode) as refused:
                greeting(ojin, mock.urls["ojin"], "another-key-of-sixteen")
            self.assertEqual(refused.exception.status_code, 401)
            self.assertEqual(greeting(ojin, mock.urls["ojin"]), "sessionReady")
            for headers in ({}, {"Authorization": KEY}, {"Authorization": "Bearer another-key-of-sixteen"}):
                first = greeting(lambda given: connect(f"{mock.urls['duplex']}?mode=audio", extra_headers=given), headers)
                self.assertEqual(first, "session.queue_done")
            journal = json.dumps(mock.ask("GET", "journal"))
            self.assertNotIn(KEY, journal)
            self.assertNotIn("another-key-of-sixteen", journal)

    def test_errors_are_counted_by_code_whichever_family_has_it(self):
        async def err(mock):
            async with duplex(mock.urls["duplex"]) as one, ojin(mock.urls["ojin"]) as two:
                await receive(one)
                await one.send('{"type":"session.close"}')
                self.assertEqual((await receive(one))["error"]["code"], "not_ready")
                await receive(two)
                await two.send('{"type":"no-such"}')
                self.assertEqual((await receive(two))["payload"]["code"], "INVALID_MESSAGE")

        with Mock() as mock:
            asyncio.run(err(mock))
            with urllib.request.urlopen(mock.ready["control"] + "metrics", timeout=WAIT_S) as answer:
                lines = answer.read().decode().splitlines()
            for code in ("not_ready", "INVALID_MESSAGE"):
                self.assertIn(f'ojin_mock_errors_sent_total{{code="{code}"}} 1', lines)

    def test_sessions_of_all_families_end_when_it_is_stopped(self):
        async def both(mock):
            async with duplex(mock.urls["duplex"]) as one, duplex(mock.urls["duplex"], "video") as two, \
                    ojin(mock.urls["ojin"]) as three:
                for session in (one, two):
                    self.assertEqual((await receive(session))["type"], "session.queue_done")
                self.assertEqual((await receive(three))["type"], "sessionReady")
                mock.stop()
                for session in (one, two):
                    self.assertEqual(await receive(session), {"type": "session.closed", "reason": "server_shutdown"})
                for session in (one, two, three):
                    with self.assertRaises(ConnectionClosed):
                        while True:
                            await asyncio.wait_for(session.recv(), WAIT_S)
                    self.assertEqual(session.close_code, 1001)

        with Mock() as mock:
            asyncio.run(both(mock))


class Asked(unittest.TestCase):
    """What is asked for by name, over the control interface and by options."""

    def test_a_name_is_set_in_each_family_that_knows_it(self):
        with Mock("--quirk", "duplex:lenient", "--quirk", "wait=2s", "--quirk", "fade=3") as mock:
            begun = mock.ask("GET", "quirks")
            self.assertEqual(begun["families"],
                             {"ojin": {"fade": 3}, "duplex": {"lenient": 1, "wait": 2000000}, "interview": {}})
            self.assertEqual(begun["quirks"], {"fade": 3, "lenient": 1, "wait": 2000000})
            told = mock.ask("POST", "quirks", {"quirks": "lenient ojin:stall=1s duplex:lenient=off"})
            self.assertEqual(told["families"]["ojin"], {"fade": 3, "lenient": 1, "stall": 1000000})
            self.assertEqual(told["families"]["duplex"], {"wait": 2000000})
            self.assertEqual(told["families"]["interview"], {"lenient": 1})
            wrong = mock.ask("POST", "quirks", {"quirks": "ojin:lenient=off ojin:wait"})
            self.assertEqual(wrong, {"error": 'there is no quirk "wait"'})
            self.assertEqual(mock.ask("GET", "quirks"), told)
            self.assertEqual(mock.ask("DELETE", "quirks"), begun)

    def test_a_fault_breaks_the_sessions_of_its_families(self):
        with Mock() as mock:
            for asked, of_duplex in (("drop-early", "drop-early"), ("no-created", "no-created"),
                                     ("duplex:close-early=1013", "duplex:close-early=1013")):
                told = mock.ask("POST", "faults", {"fault": asked})
                self.assertEqual(told["families"],
                                 {"ojin": "drop-early", "duplex": of_duplex, "interview": "drop-early"})
            with self.assertRaises(ConnectionClosed) as closed:
                greeting(duplex, mock.urls["duplex"])
            self.assertEqual(closed.exception.code, 1013)
            with self.assertRaises(ConnectionClosed) as closed:
                greeting(ojin, mock.urls["ojin"])
            self.assertEqual(closed.exception.code, 1006)
            mock.ask("POST", "reset")
            self.assertEqual(mock.ask("GET", "faults"), {"fault": None, "families": {"ojin": None, "duplex": None, "interview": None}})
            self.assertEqual(greeting(duplex, mock.urls["duplex"]), "session.queue_done")

    def test_sessions_are_numbered_over_all_and_say_their_family(self):
        async def talk(mock):
            async with duplex(mock.urls["duplex"]) as one:
                await receive(one)
                async with ojin(mock.urls["ojin"]) as two:
                    await receive(two)
                    told = mock.ask("GET", "sessions")
                    mock.ask("POST", "sessions/1/quirks", {"quirks": "slow"})
                    self.assertEqual(mock.ask("POST", "sessions/2/quirks", {"quirks": "slow"}).keys(), {"error"})
                    mock.ask("POST", "sessions/1/send", {"kind": "closed", "options": {"reason": "error"}})
                    self.assertEqual(await receive(one), {"type": "session.closed", "reason": "error"})
                    mock.ask("POST", "sessions/2/close", {"code": 4001})
                    with self.assertRaises(ConnectionClosed):
                        while True:
                            await asyncio.wait_for(two.recv(), WAIT_S)
                    self.assertEqual(two.close_code, 4001)
                    return told

        with Mock() as mock:
            told = asyncio.run(talk(mock))
            self.assertEqual(told["open"], 2)
            self.assertEqual(told["requests"], 2)
            self.assertEqual([(row["session"], row["family"], row["path"]) for row in told["sessions"]],
                             [(2, "ojin", "/realtime"), (1, "duplex", "/v1/realtime")])
            self.assertEqual(mock.ask("GET", "journal/count?label=upgrade")["found"], 2)

    def test_a_session_says_the_id_that_its_client_was_told(self):
        async def talk(mock):
            async with duplex(mock.urls["duplex"]) as session:
                await receive(session)
                before = mock.ask("GET", "sessions/1")["session_id"]
                await session.send(json.dumps({"type": "session.update", "session": {"instructions": "Be brief."}}))
                created = await receive(session)
                return before, created["session_id"], mock.ask("GET", "sessions/1")["session_id"]

        with Mock() as mock:
            before, told, shown = asyncio.run(talk(mock))
            self.assertIsNone(before)
            self.assertEqual(shown, told)

    def test_a_scenario_is_of_the_family_that_is_asked_for(self):
        with Mock() as mock:
            rows = (({"family": "duplex", "quirks": "lenient"}, "duplex"), ({"profile": "audio"}, "duplex"),
                    ({"script": SCRIPT}, "duplex"), ({}, "ojin"), ({"quirks": "fade"}, "ojin"))
            for body, family in rows:
                with self.subTest(body):
                    made = mock.ask("POST", "scenarios", body)
                    self.assertEqual(made.get("family"), family, made)
                    first = "sessionReady" if family == "ojin" else "session.queue_done"
                    self.assertEqual(greeting(ojin if family == "ojin" else duplex, made["url"]), first)
            for body, error in (({"family": "interviews"}, 'family: no family "interviews" is served'),
                                ({"family": "ojin", "quirks": "wait"}, 'there is no quirk "wait"')):
                self.assertTrue(mock.ask("POST", "scenarios", body)["error"].startswith(error))


class Recorded(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.journal = os.path.join(folder.name, "journal.jsonl")
        self.script = os.path.join(folder.name, "late.session")
        with open(self.script, "w", encoding="utf-8") as script:
            script.write(SCRIPT)

    async def talk(self, mock, session_id):
        async with duplex(mock.urls["duplex"]) as one, ojin(mock.urls["ojin"], config="mock.fade=2") as two:
            self.assertEqual((await receive(one))["type"], "session.queue_done")
            self.assertEqual((await receive(two))["type"], "sessionReady")
            await one.send('{"type":"session.update","session":{"instructions":"x"}}')
            created = await receive(one)
            self.assertTrue(created["session_id"].startswith(session_id), created)
            await two.send(bytes(1) + bytes(1280))
            await one.send('{"type":"session.close"}')
            if session_id == "rt_":
                self.assertEqual((await receive(one))["reason"], "stopped")

    def test_a_journal_of_several_families_is_replayed_and_judged(self):
        with Mock("--journal", self.journal, "--quirk", "duplex:extra-members", "--profile", "audio") as mock:
            asyncio.run(self.talk(mock, "rt_"))
        with open(self.journal, encoding="utf-8") as lines:
            header = json.loads(next(lines))
            families = {entry["connection"]: entry.get("family") for entry in map(json.loads, lines)}
        self.assertEqual(header["family"], "ojin")
        self.assertEqual(header["others"], [{"family": "duplex", "profile": "audio", "quirks": {"extra-members": 1}},
                                            {"family": "interview", "profile": "interview-1.0"}])
        self.assertEqual(families, {1: "duplex", 2: None})
        replayed = run(CONFORM, "replay", self.journal)
        self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)
        judged = run(CONFORM, "judge", "--json", "-", self.journal)
        self.assertIn(judged.returncode, (0, 1), judged.stderr)
        ids = {row["id"].split("-")[0] for row in json.loads(judged.stdout)["requirements"] if row["cases"]}
        self.assertEqual(ids, {"OJ", "DX"})
        alone = run(CONFORM, "judge", "--profile", "audio", "--json", "-", self.journal)
        ids = {row["id"].split("-")[0] for row in json.loads(alone.stdout)["requirements"] if row["cases"]}
        self.assertEqual(ids, {"DX"})

    def test_each_connection_is_judged_by_the_mode_that_it_asked_for(self):
        client = os.path.join(BIN, "ojin-client")
        speech = os.path.join(os.environ["SOURCE_DIR"], "fixtures/speech/hello-1s.wav")
        with Mock("--journal", self.journal, "--speed", "20", "--workers", "2") as mock:
            for mode in ("audio", "video"):
                talked = run(client, "talk", "--mode", mode, "--audio", speech, "--url", mock.urls["duplex"], "--quiet", "--timeout", "60")
                self.assertEqual(talked.returncode, 0, talked.stderr)
        judged = run(CONFORM, "judge", "--json", "-", self.journal)
        report = json.loads(judged.stdout)
        self.assertEqual([case["profile"] for case in report["cases"]], ["audio", "video"])
        first = {row["id"]: row["verdict"] for row in report["requirements"]}["DX-CON-01"]
        self.assertEqual((judged.returncode, first), (0, "PASS"), judged.stdout)

    def test_a_script_plays_at_its_familys_endpoint(self):
        with Mock("--journal", self.journal, "--script", self.script) as mock:
            asyncio.run(self.talk(mock, "rt_1234"))
        with open(self.journal, encoding="utf-8") as lines:
            header = json.loads(next(lines))
        self.assertEqual((header["family"], header["others"][0]["family"]), ("duplex", "ojin"))
        replayed = run(CONFORM, "replay", "--script", self.script, self.journal)
        self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)

    def test_a_script_of_a_family_that_is_not_served_is_refused(self):
        done = run(MOCK, "--port", "0", "--family", "ojin", "--script", self.script)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("is of the family duplex, which is not served", done.stderr)


class Executed(unittest.TestCase):
    def test_a_command_finds_every_family(self):
        command = [sys.executable, "-c", "import json, os, sys; print(json.dumps([dict(os.environ), sys.argv[1:]]))"]
        done = run(MOCK, "exec", "--", *command, "{url}", "{full_url}")
        self.assertEqual(done.returncode, 0, done.stderr)
        environment, words = json.loads(done.stdout)
        self.assertTrue(environment["OJIN_URL"].endswith("/realtime"))
        self.assertEqual(environment["DUPLEX_URL"], environment["OJIN_URL"].replace("/realtime", "/v1/realtime"))
        self.assertEqual(words, [environment["OJIN_URL"], environment["OJIN_URL"] + "?config_id=mock"])
        done = run(MOCK, "exec", "--family", "duplex", "--", *command, "{url}")
        environment, words = json.loads(done.stdout)
        self.assertEqual(words, [environment["DUPLEX_URL"]])
        self.assertNotIn("OJIN_URL", environment)

    def test_lists_tell_whose_each_row_is(self):
        rows = json.loads(run(MOCK, "--list", "quirks", "--json").stdout)
        self.assertEqual({row["family"] for row in rows}, {"ojin", "duplex", "interview"})
        told = run(MOCK, "--list", "quirks").stdout
        self.assertLess(told.index("ojin: "), told.index("\nduplex: "))


if __name__ == "__main__":
    unittest.main(verbosity=2)
