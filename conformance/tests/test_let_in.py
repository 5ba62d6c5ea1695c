#!/usr/bin/python3
"""Clients that the mock refuses at the door: what the finding says of it, and the quirk with which the rest of them is judged."""

import unittest

from runner_case import PYTHON, RunnerCase

HINT = "--quirk key-in-url lets it in with the key in its query (api_key)"
CASES = ["--run", "ojin/connect/handshake", "--run", "ojin/end/before-close"]
# As a page in a browser has it: an Origin, and no header of its own. The query and the headers are the test's.
CLIENT = """
import asyncio, os, struct, sys, time, wave, websockets
async def main():
    with wave.open(os.environ["OJIN_AUDIO"]) as sound:
        speech = sound.readframes(sound.getnframes())
    key = os.environ["OJIN_API_KEY"]
    url = os.environ["OJIN_URL"] + "?config_id=" + os.environ["OJIN_CONFIG_ID"] + QUERY
    async with websockets.connect(url, max_size=None, **OPTIONS) as ws:
        await ws.recv()
        def message(data):
            return struct.pack("!BQI", 1, int(time.time() * 1000), 0) + data
        await ws.send(message(bytes(1280)))
        for at in range(0, len(speech), 16000):
            await ws.send(message(speech[at : at + 16000]))
            await asyncio.sleep(0.25)
        await ws.send('{"type":"endInteraction","payload":{"timestamp":%d}}' % int(time.time() * 1000))
        async for one in ws:
            if isinstance(one, bytes) and one[0] == 1:
                break
asyncio.run(main())
"""
BROWSER = {"QUERY": '"&api_key=" + key', "OPTIONS": '{"origin": "http://localhost:8080"}'}
NO_KEY = {"QUERY": '""', "OPTIONS": '{"origin": "http://localhost:8080"}'}
NO_HEADER = {"QUERY": '""', "OPTIONS": "{}"}
BEARER = {"QUERY": '""', "OPTIONS": '{"extra_headers": {"Authorization": "Bearer " + key}}'}


class LetIn(RunnerCase):
    def judged(self, parts, *options):
        text = CLIENT
        for name, part in parts.items():
            text = text.replace(name, part)
        done, report = self.run_suite(PYTHON, self.write("client.py", text), options=[*CASES, *options])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return done, self.verdicts(report)

    def test_a_browser_is_told_of_the_quirk_by_the_finding(self):
        for parts in (BROWSER, NO_KEY, BROWSER | {"OPTIONS": "{}"}):
            done, verdicts = self.judged(parts)
            self.assertEqual((verdicts["OJ-CON-02"], verdicts["OJ-END-04"]), ("FAIL", "NOTREACHED"), done.stdout)
            self.assertIn(HINT, done.stdout)

    def test_with_the_quirk_the_rest_is_judged_and_the_finding_stays(self):
        done, verdicts = self.judged(BROWSER, "--quirk", "key-in-url")
        failed = {name for name, verdict in verdicts.items() if verdict in ("FAIL", "NOTREACHED")}
        self.assertEqual(failed, {"OJ-CON-02"}, done.stdout)
        self.assertEqual((verdicts["OJ-CON-03"], verdicts["OJ-IN-06"], verdicts["OJ-END-04"]), ("DISPUTED", "PASS", "PASS"), done.stdout)
        self.assertIn(" --quirk key-in-url -- ", done.stdout)

    def test_without_the_key_in_its_url_it_does_not_come_in(self):
        done, verdicts = self.judged(NO_KEY, "--quirk", "key-in-url")
        self.assertEqual(verdicts["OJ-END-04"], "NOTREACHED", done.stdout)

    def test_a_client_that_may_set_a_header_is_not_told_of_it(self):
        done, verdicts = self.judged(NO_HEADER)
        self.assertEqual(verdicts["OJ-CON-02"], "FAIL", done.stdout)
        self.assertNotIn("--quirk", done.stdout)

    def test_a_bearer_prefix_is_let_in_by_its_own(self):
        done, verdicts = self.judged(BEARER, "--quirk", "bearer-keys")
        failed = {name for name, verdict in verdicts.items() if verdict in ("FAIL", "NOTREACHED")}
        self.assertEqual(failed, {"OJ-CON-02"}, done.stdout)

    def test_what_changes_the_cases_is_no_quirk_of_a_run(self):
        for options, expected in (
            (["--quirk", "fade"], "--quirk 'fade': expected key-in-url, bearer-keys, any-config or any-path"),
            (["--family", "duplex", "--quirk", "key-in-url"], '--quirk: there is no quirk "key-in-url"'),
            (["--memory", "--quirk", "key-in-url"], "--memory runs the reference client"),
        ):
            with self.subTest(options):
                words = [] if "--memory" in options else ["--", "true"]
                done = self.conform("run", *options, *words)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
