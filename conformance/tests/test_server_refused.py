#!/usr/bin/python3
"""ojin-conform server against what is no such server, or does not let it in, and with wrong words: it says so and ends."""
import http.server
import pathlib
import shlex
import shutil
import socket
import subprocess
import threading
import time

from runner_case import SOURCE
from server_case import CONFIG, KEY, ServerCase, run_side_by_side


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
        self.fails(f"ws://127.0.0.1:{port}/realtime", f"cannot connect to 127.0.0.1:{port}: Connection refused; is the server running?")

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
        began = time.monotonic()
        self.fails(f"ws://127.0.0.1:{port}/", "expected the upgrade answered with HTTP 101", "no WebSocket endpoint: look at the path",
                   "That of ojin is /realtime.",
                   options=("--limit", "10"))
        self.assertLess(time.monotonic() - began, 60, "it is told at once, not when 100 s are over")

    def test_something_that_never_answers(self):
        port = self.serve_bytes(b"")
        self.fails(f"ws://127.0.0.1:{port}/", "within 10 s, found nothing", "--limit N")

    def test_a_server_without_a_backend(self):
        for quirk, said in (
            ("no-backend", "BACKEND_UNAVAILABLE"),
            ("no-backend=text", "a plain text: No backend servers available."),
            ("no-backend=empty", "a plain text: "),
            ("no-backend+handshake-refusals", "HTTP 503"),
        ):
            with self.subTest(quirk):
                ready = self.start_mock(*(word for name in quirk.split("+") for word in ("--quirk", name)))
                self.fails(ready["url"], said, "It has nothing to serve with now")

    def test_a_server_that_starts_slowly(self):
        ready = self.start_mock("--quirk", "cold-start=12s")
        done, _ = self.judge(ready["url"], "--run", "ojin/ready/once")
        self.assertIn("no message came within 10 s of the upgrade", done.stderr)
        self.assertIn("--limit N", done.stderr)
        done, _ = self.judge(ready["url"], "--run", "ojin/ready/once", "--limit", "3")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_the_line_that_repeats_a_case_runs_in_any_folder(self):
        ready = self.start_mock("--quirk", "ready-twice")
        command = self.write("provoke.sh", "#!/bin/sh\nexit 77\n", executable=True)
        shutil.copytree(SOURCE / "conformance/server-cases", self.folder / "cases")
        done = self.conform("server", "--url", ready["url"], "--key", KEY, "--config", CONFIG, "--run", "ojin/ready/once",
                            "--provoke", f"./{pathlib.Path(command).name}", "--cases", "cases", "--out", "kept")
        line = next(line for line in done.stdout.splitlines() if line.startswith("    rerun: "))
        words = [word.replace("$OJIN_API_KEY", KEY) for word in shlex.split(line)[1:]]
        for name in "provoke.sh", "cases", "kept":
            self.assertIn(str(self.folder / name), words)
        again = subprocess.run(words, cwd="/", capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("FAIL OJ-SRV-03", again.stdout)

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
            (("--url", "ws://x/", "--profile", "oris-2"), "auto, oris-1.0, oris-1.0-earlier or flashhead-lite-1.0"),
            (("--url", "ws://x/", "--family", "oris"), "expected ojin, duplex or interview"),
            (("--url", "ws://x/", "--size", "12"), "WIDTHxHEIGHT, each from 1 to 4096"),
            (("--url", "ws://x/", "--size", "5000x20"), "WIDTHxHEIGHT, each from 1 to 4096"),
            (("--url", "ws://x/", "--requirement", "OJ-CON-01"), "a requirement of servers"),
            (("--url", "ws://x/", "--limit", "0"), "from 1"),
            (("--url", "ws://x/", "--jobs", "many"), "a whole number"),
            (("--url", "ws://x/", "--speed", "0"), "from 1"),
            (("--family", "duplex", "--url", "ws://x/?mode=smell"), "a mode of the family"),
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
        self.assertRegex(done.stdout, r"\n\d+ cases, 20 of them under a condition\n$")


if __name__ == "__main__":
    run_side_by_side()
