#!/usr/bin/python3
"""ojin-conform server against the mock: every requirement passes in every profile, and each fails, for what it is about,
against a mock that breaks it. Against what is no such server it says so and ends."""
import concurrent.futures
import csv
import http.server
import json
import os
import signal
import socket
import subprocess
import threading
import unittest

import jsonschema
from runner_case import BIN, SOURCE, RunnerCase

KEY = "a-key-of-the-server-tests"
CONFIG = "persona-1"
SIZE = "320x192"
PROVOKE = SOURCE / "conformance/provoke-mock"
GROUPS = {
    "oris-1.0": ("all", "both", "current", "oris-1.0"),
    "oris-1.0-earlier": ("all", "both", "earlier", "oris-1.0-earlier"),
    "flashhead-lite-1.0": ("all", "both", "current", "flashhead-lite-1.0"),
}
# A requirement, the quirk of the mock that breaks it, and a profile that has it.
BREACHES = [
    ("OJ-SRV-01", "bearer-keys", "oris-1.0"),
    ("OJ-SRV-02", "any-config", "flashhead-lite-1.0"),
    ("OJ-SRV-03", "ready-twice", "oris-1.0"),
    ("OJ-SRV-04", "wrong-start", "oris-1.0"),
    ("OJ-SRV-04", "wrong-start", "oris-1.0-earlier"),
    ("OJ-SRV-05", "slow-silence", "oris-1.0"),
    ("OJ-SRV-06", "loses-frames", "oris-1.0"),
    ("OJ-SRV-07", "wrong-size", "oris-1.0"),
    ("OJ-SRV-08", "no-final", "oris-1.0"),
    ("OJ-SRV-09", "cancel-ignored", "oris-1.0"),
    ("OJ-SRV-10", "rate-limit=100", "oris-1.0"),
    ("OJ-SRV-11", "size-limit=512000", "oris-1.0"),
    ("OJ-SRV-11", "lenient", "oris-1.0"),
    ("OJ-SRV-12", "lenient", "oris-1.0"),
    ("OJ-SRV-13", "lenient", "oris-1.0"),
    ("OJ-SRV-14", "bare-errors", "oris-1.0"),
    ("OJ-SRV-15", "session-clock", "oris-1.0"),
    ("OJ-SRV-16", "ignores-params", "oris-1.0"),
    ("OJ-SRV-18", "no-pong", "oris-1.0"),
    ("OJ-SRV-19", "little-endian", "oris-1.0"),
    ("OJ-SRV-20", "hoarse", "oris-1.0"),
    ("OJ-SRV-22", "forgetful", "oris-1.0-earlier"),
]
AT_A_TIME = 3  # of those: a case mostly waits


def server_rows(profile):
    """Ids of the requirements that bind a server in that profile."""
    with open(SOURCE / "codec/rules/requirements.tsv", newline="", encoding="utf-8") as table:
        rows = [row for row in csv.reader(table, delimiter="\t") if row and row[0].startswith("OJ-")]
    return {row[0] for row in rows if row[1] == "server" and row[4] in GROUPS[profile]}


class ServerCase(RunnerCase):
    def start_mock(self, *options):
        """A mock with one right key and one config; gives its URL."""
        mock = subprocess.Popen(
            [BIN / "ojin-mock", "--port", "0", "--size", SIZE, "--log", "quiet", "--config", CONFIG, *options],
            env={**os.environ, "OJIN_MOCK_KEY": KEY},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.addCleanup(mock.stdout.close)
        self.addCleanup(mock.wait)
        self.addCleanup(mock.send_signal, signal.SIGTERM)
        return json.loads(mock.stdout.readline())

    def judge(self, url, *options, name="report"):
        """The finished process and its JSON report."""
        path = self.folder / f"{name}.json"
        words = ["--url", url, "--key", KEY, "--config", CONFIG, "--size", SIZE, "--json", path]
        done = self.conform("server", *words, "--out", self.folder / f"out-{name}", *options)
        return done, (json.loads(path.read_text()) if path.exists() else None)


class EveryRow(ServerCase):
    def passes(self, profile):
        ready = self.start_mock("--profile", profile)
        done, report = self.judge(ready["url"], "--profile", profile, "--inferred", "--strict", "--provoke", PROVOKE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        verdicts = self.verdicts(report)
        self.assertEqual(verdicts, {row: "PASS" for row in server_rows(profile)}, done.stdout)
        self.assertEqual(report["uncovered"], [])
        self.assertEqual(report["party"], "server")
        for row in report["requirements"]:
            self.assertGreater(len(row["cases"]), 0, row["id"])
        self.assert_last_line(done, len(report["cases"]), 0)
        schema = json.loads((SOURCE / "conformance/report.schema.json").read_text())
        jsonschema.Draft202012Validator(schema).validate(report)
        self.assertNotIn(KEY, done.stdout + done.stderr + json.dumps(report))
        self.assertFalse((self.folder / "out-report").exists(), "a run in which all passes leaves nothing")

    def test_passes_in_the_current_revision(self):
        self.passes("oris-1.0")

    def test_passes_in_the_earlier_revision(self):
        self.passes("oris-1.0-earlier")

    def test_passes_in_flashhead_lite(self):
        self.passes("flashhead-lite-1.0")

    def test_passes_over_tls(self):
        ready = self.start_mock("--tls")
        self.assertTrue(ready["url"].startswith("wss://"), ready)
        if "ca" not in ready:
            self.skipTest("the mock does not tell its CA file")
        words = ["--ca", ready["ca"], "--requirement", "OJ-SRV-11", "--requirement", "OJ-SRV-01"]
        done, report = self.judge(ready["url"], *words, "--inferred")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.verdicts(report)["OJ-SRV-11"], "PASS")
        done, _ = self.judge(ready["url"], *words[2:])  # the system's roots do not know it
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("certificate", done.stderr)


class Breaches(ServerCase):
    def breach(self, number):
        requirement, quirk, profile = BREACHES[number]
        ready = self.start_mock("--profile", profile, "--quirk", quirk)
        options = ["--requirement", requirement, "--profile", profile, "--inferred"]
        return self.judge(ready["url"], *options, name=f"breach-{number}")

    def test_each_row_fails_where_it_is_broken(self):
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            results = list(pool.map(self.breach, range(len(BREACHES))))
        for (requirement, quirk, profile), (done, report) in zip(BREACHES, results):
            with self.subTest(requirement=requirement, quirk=quirk, profile=profile):
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                verdicts = self.verdicts(report)
                self.assertEqual(verdicts[requirement], "FAIL", done.stdout)
                self.assertNotIn("ERROR", verdicts.values(), done.stdout)
                failed = [
                    check
                    for case in report["cases"]
                    for check in case["checks"]
                    if check["requirement"] == requirement and check["verdict"] == "FAIL"
                ]
                for check in failed:
                    self.assertTrue(check["expected"] and check["actual"], check)
                self.assertIn("last on the wire", done.stdout)

    def test_every_must_and_should_is_among_them(self):
        broken = {requirement for requirement, _, _ in BREACHES} | {"OJ-SRV-21"}  # see Conditions
        bound = set().union(*(server_rows(profile) for profile in GROUPS)) - {"OJ-SRV-17"}  # a MAY
        self.assertEqual(broken, bound)

    def test_an_inferred_must_is_disputed_without_inferred(self):
        ready = self.start_mock("--quirk", "lenient")
        done, report = self.judge(ready["url"], "--run", "ojin/text/no-json")
        self.assertEqual(self.verdicts(report)["OJ-SRV-13"], "DISPUTED", done.stdout)

    def test_a_failing_case_leaves_what_repeats_it(self):
        ready = self.start_mock("--quirk", "no-pong")
        done, report = self.judge(ready["url"], "--run", "ojin/ping/answered")
        self.assertEqual(done.returncode, 1, done.stdout)
        folder = self.folder / "out-report/ojin_ping_answered.oris-1.0"
        self.assertEqual(
            {entry.name for entry in folder.iterdir()}, {"wire.jsonl", "case.session", "repro.sh"}
        )
        for entry in folder.iterdir():
            self.assertNotIn(KEY, entry.read_text(), entry)
        again = subprocess.run(
            [folder / "repro.sh"], env={**os.environ, "OJIN_API_KEY": KEY}, capture_output=True, text=True, check=False
        )
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("OJ-SRV-18", again.stdout)
        self.assertEqual(report["summary"]["failed"], 1)


class Conditions(ServerCase):
    def provoker(self, body):
        return self.write("provoke", f'#!/bin/sh\necho "$@" >>"$0.log"\n{body}\n', executable=True)

    def run_with(self, *options):
        self.url = self.start_mock()["url"]
        return self.judge(self.url, "--requirement", "OJ-SRV-21", *options)

    def test_without_provoke_it_is_unsupported(self):
        done, report = self.run_with()
        self.assertEqual(self.verdicts(report)["OJ-SRV-21"], "UNSUPPORTED", done.stdout)
        self.assertIn("--provoke", done.stdout)
        self.assertEqual(done.returncode, 3)  # nothing ran

    def test_what_cannot_be_provoked_is_unsupported(self):
        done, report = self.run_with("--provoke", self.provoker("exit 77"))
        self.assertEqual(self.verdicts(report)["OJ-SRV-21"], "UNSUPPORTED", done.stdout)

    def test_a_server_that_still_serves_fails_and_is_put_back(self):
        command = self.provoker("exit 0")
        done, report = self.run_with("--provoke", command)
        self.assertEqual(self.verdicts(report)["OJ-SRV-21"], "FAIL", done.stdout)
        self.assertEqual(done.returncode, 1)
        with open(f"{command}.log", encoding="utf-8") as log:
            self.assertEqual(log.read().splitlines(), [f"no-backend {self.url}", f"restore {self.url}"])

    def test_a_command_that_fails_is_no_verdict_on_the_server(self):
        for command in (self.provoker("exit 5"), "/nowhere/provoke"):
            with self.subTest(command):
                done, report = self.run_with("--provoke", command)
                self.assertEqual(self.verdicts(report)["OJ-SRV-21"], "ERROR", done.stdout)
                self.assertEqual(done.returncode, 3)


class PlainHttp(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"hi")

    def log_message(self, *_):
        pass


class NoServer(ServerCase):
    def fails(self, url, *said, options=()):
        done, report = self.judge(url, *options)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIsNone(report)
        for words in said:
            self.assertIn(words, done.stderr)
        self.assertNotIn(KEY, done.stderr)

    def test_nobody_listens(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.fails(f"ws://127.0.0.1:{port}/realtime", f"cannot connect to 127.0.0.1:{port}", "refused")

    def test_a_web_server(self):
        server = http.server.HTTPServer(("127.0.0.1", 0), PlainHttp)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.fails(f"ws://127.0.0.1:{server.server_port}/realtime", "HTTP 101", "found HTTP 200", "no WebSocket")

    def serve_bytes(self, greeting):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve():
            peer, _ = listener.accept()
            with peer:
                peer.sendall(greeting)
                while peer.recv(65536):
                    pass

        threading.Thread(target=serve, daemon=True).start()
        return listener.getsockname()[1]

    def test_something_that_speaks_another_protocol(self):
        port = self.serve_bytes(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")
        self.fails(f"ws://127.0.0.1:{port}/", "expected the upgrade answered with HTTP 101")

    def test_something_that_never_answers(self):
        port = self.serve_bytes(b"")
        self.fails(f"ws://127.0.0.1:{port}/", "within 10 s, found nothing")

    def test_something_without_tls(self):
        port = self.serve_bytes(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        self.fails(f"wss://127.0.0.1:{port}/", "TLS")

    def test_a_wrong_key_and_an_unknown_config(self):
        url = self.start_mock()["url"]
        self.fails(url, "HTTP 401 AUTH_FAILED", "--key", options=("--key", "wrong"))
        self.fails(url, "MODEL_NOT_FOUND", "--config", options=("--config", "wrong"))

    def test_wrong_usage(self):
        for words, said in (
            ((), "--url"),
            (("--url", "http://x/"), "ws://"),
            (("--url", "ws://x/", "--profile", "oris-2"), "oris-1.0"),
            (("--url", "ws://x/", "--family", "duplex"), "expected ojin"),
            (("--url", "ws://x/", "--size", "12"), "WIDTHxHEIGHT"),
            (("--url", "ws://x/", "--requirement", "OJ-CON-01"), "a requirement of servers"),
            (("--url", "ws://x/", "--limit", "0"), "from 1"),
            (("--url", "ws://x/", "--jobs", "many"), "a whole number"),
            (("--url", "ws://x/", "more"), "unexpected 'more'"),
            (("--url", "ws://x/", "--cases", SOURCE / "conformance/cases"), "a case about a server"),
        ):
            with self.subTest(words):
                done = self.conform("server", *words)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(said, done.stderr)

    def test_the_list(self):
        done = self.conform("list", "--server")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ojin/backend/none +no-backend +all +OJ-SRV-21 OJ-SRV-17 ")
        self.assertRegex(done.stdout, r"\n\d+ cases, 1 of them under a condition\n$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
