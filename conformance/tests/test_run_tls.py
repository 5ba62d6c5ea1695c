#!/usr/bin/python3
"""ojin-conform run --tls: every case over wss, and where a client finds whom to trust."""

import json
import unittest

from runner_case import BIN, NODE_CLIENT, NODE_DUPLEX_CLIENT, PYTHON, PYTHON_CLIENT, PYTHON_DUPLEX_CLIENT, SOURCE, RunnerCase, needs

MINIMAL = SOURCE / "conformance/clients/minimal"
SMOKE = ["--tls", "--set", "smoke", "--min-judged", "4"]
HANDSHAKE = ["--tls", "--run", "ojin/connect/handshake"]
# Says what it was given, and connects by the Python library's own trust, which SSL_CERT_FILE names.
TRUSTS = """
import asyncio, json, os, sys, websockets
names = ("OJIN_URL", "CONFORM_CA", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "CONFORM_CONTROL")
given = {name: os.environ.get(name) for name in names}
given["pem"] = open(given["CONFORM_CA"]).read() if given["CONFORM_CA"] else ""
with open(sys.argv[1], "w") as file:
    json.dump(given | {"words": sys.argv[2:]}, file)
async def main():
    head = {"Authorization": os.environ["OJIN_API_KEY"]}
    async with websockets.connect(given["OJIN_URL"] + "?config_id=persona-1", extra_headers=head, max_size=None) as ws:
        await ws.recv()
asyncio.run(main())
"""


class OverTls(RunnerCase):
    def passes(self, *words, options=()):
        done, report = self.run_suite(*words, options=[*SMOKE, *options])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(report["summary"]["failed"], 0)
        self.assertGreater(report["summary"]["passed"], 0)

    def test_the_ready_made_clients_pass_the_smoke_set(self):
        self.passes(BIN / "ojin-client", "conform")
        self.passes(PYTHON, "-B", PYTHON_CLIENT)
        self.passes(BIN / "ojin-client", "conform", options=["--family", "duplex"])
        self.passes(PYTHON, "-B", PYTHON_DUPLEX_CLIENT, options=["--family", "duplex"])

    @needs("node", packages="conformance/clients/node")
    def test_the_node_clients_do(self):
        self.passes("node", NODE_CLIENT)
        self.passes("node", NODE_DUPLEX_CLIENT, options=["--family", "duplex"])

    def test_the_minimal_ones_in_one_process_and_over_http_do(self):
        self.passes(PYTHON, "-B", MINIMAL / "persistent.py", options=["--persistent"])
        self.passes(PYTHON, "-B", MINIMAL / "over_http.py")

    def given(self, *options):
        client = self.write("trusts.py", TRUSTS)
        file = self.folder / "given.json"
        done, report = self.run_suite(PYTHON, client, file, "{full_url}", "{ca}", options=["--tier", "wire", *options])
        self.assertIsNotNone(report, done.stderr)
        return json.loads(file.read_text()), report["cases"][0]

    def test_whom_to_trust_stands_in_the_environment_and_in_the_words(self):
        given, case = self.given(*HANDSHAKE)
        self.assertRegex(given["OJIN_URL"], r"^wss://127\.0\.0\.1:\d+/realtime$")
        self.assertRegex(given["CONFORM_CONTROL"], r"^https://127\.0\.0\.1:\d+/")
        self.assertEqual(given["words"], [given["OJIN_URL"] + "?config_id=persona-1", given["CONFORM_CA"]])
        self.assertEqual({given[name] for name in ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS")}, {given["CONFORM_CA"]})
        self.assertIn("BEGIN CERTIFICATE", given["pem"])
        self.assertNotEqual(case["end"], "NOCONNECT", "it came through the library's own trust")

    def test_a_client_that_does_not_trust_it_is_told_once(self):
        client = self.write("distrusts.py", TRUSTS.replace("async def", "os.environ['SSL_CERT_FILE'] = os.devnull\nasync def", 1))
        for tier in ("wire", "auto"):
            with self.subTest(tier):
                done, report = self.run_suite(PYTHON, client, self.folder / "given.json", options=["--tls", "--tier", tier])
                self.assertEqual((done.returncode, report, done.stdout), (3, None, ""), done.stderr)
                self.assertEqual(done.stderr.count("the client ended the TLS handshake"), 1, done.stderr)
                self.assertIn("has to trust the file that CONFORM_CA, SSL_CERT_FILE and NODE_EXTRA_CA_CERTS name", done.stderr)
                self.assertIn("CERTIFICATE_VERIFY_FAILED", done.stderr)

    def test_a_case_with_a_certificate_of_its_own_has_that(self):
        done, report = self.run_suite(BIN / "ojin-client", "conform", options=["--tls", "--run", "ojin/connect/tls-*"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(report["summary"]["passed"], 4)

    def test_the_line_that_runs_a_case_again_keeps_it(self):
        _, case = self.given(*HANDSHAKE)
        self.assertIn(" --tls ", case["repro"])

    def test_without_a_transport_it_is_refused(self):
        done = self.conform("run", "--memory", "--tls")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--memory has no transport that --tls could be about", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
