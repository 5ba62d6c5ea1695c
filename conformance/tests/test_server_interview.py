#!/usr/bin/python3
"""ojin-conform server --family interview: every requirement passes against the mock in both profiles, and fails, alone,
against one that breaks it; no token and no secret is shown anywhere."""
import base64
import concurrent.futures
import hashlib
import hmac
import json
import pathlib
import re
import socket
import subprocess
import threading
import time

from runner_case import BIN
from server_case import INTERVIEW_GROUPS, PROVOKE, ServerCase, run_side_by_side, server_rows

SECRET = "a-secret-of-the-interview-tests"
CANDIDATE = "candidate-of-the-tests"
ID = "6f1c1d0e-4b7a-4c58-9d4e-0123456789ab"
# All begin so: {"alg":
TOKEN_BEGINS = "eyJhbGciOi"
# Cases that make tokens of their own, by what they are about.
MADE = ("expired", "wrong-key", "alg-none", "alg-hs512", "wrong-role", "wrong-owner", "wrong-interview")
TOKENS = ["connect/bad-token", "connect/empty-token", "connect/long-token", "connect/two-tokens", "connect/made-token"]
CONDITIONS = ["end/server-error", "end/restart"]
# A quirk of the mock, the cases that are run, all of which fail, and the row that fails.
BREACHES = [
    ("any-token", TOKENS, "01"),
    ("shared", ["twice/closed"], "02"),
    ("no-status", ["connect/opening"], "03"),
    ("no-transcript", ["turn/whole"], "04"),
    ("no-result", ["turn/whole"], "04"),
    ("cancel-ignored", ["turn/cancelled"], "05"),
    ("lenient", ["error/*"], "06"),
    ("closes-plainly", CONDITIONS, "08"),
    ("no-times", ["turn/whole"], "09"),
]
# A server may take a message above 1 MB: that is told, and fails nobody.
TOLD = ("big-heard", "limit/too-big", "07")


def rows(numbers):
    return {f"IV-SRV-{number}" for number in numbers.split()}


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token():
    """A right one."""
    claims = {"sub": CANDIDATE, "role": "candidate", "exp": int(time.time()) + 600}
    text = ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    return text + "." + encoded(hmac.digest(SECRET.encode(), text.encode(), hashlib.sha256))


class Interview(ServerCase):
    def start(self, *options, interview=("--interview", ID)):
        words = ["--family", "interview", *interview, "--jwt-secret", SECRET, "--candidate", CANDIDATE]
        return self.start_mock(*words, *options)["url"]

    def judge_url(self, url, *options, name="report", secret=SECRET):
        path = self.folder / f"{name}.json"
        env = {"INTERVIEW_JWT_SECRET": secret}
        words = ["--family", "interview", "--url", url, "--candidate", CANDIDATE, "--inferred", "--strict", "--verbose"]
        done = self.conform("server", *words, "--json", path, "--html", self.folder / f"{name}.html",
                            "--out", self.folder / f"out-{name}", *options, env=env)
        report = json.loads(path.read_text()) if path.exists() else None
        if report is not None:
            self.assert_agree(done, report)
        self.assert_hidden(done, name)
        return done, report

    def assert_hidden(self, done, name):
        written = [path for path in self.folder.rglob("*") if path.is_file() and name in str(path)]
        texts = [done.stdout, done.stderr, *(path.read_text(errors="replace") for path in written)]
        for text in texts:
            self.assertNotIn(TOKEN_BEGINS, text)
            self.assertNotIn(SECRET, text)

    def rows_with(self, report, verdict):
        return {row for row, found in self.verdicts(report).items() if found == verdict}

    def cases_with(self, report, verdict):
        return {case["name"] for case in report["cases"] if case["verdict"] == verdict}


class EveryRow(Interview):
    def test_passes(self):
        done, report = self.judge_url(self.start(), "--provoke", PROVOKE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.verdicts(report), {row: "PASS" for row in server_rows("interview-1.0")}, done.stdout)
        self.assertEqual(report["uncovered"], [])
        self.assertEqual(report["profiles"], ["interview-1.0"])
        self.assertEqual(self.notes(report), {})

    def test_a_deployed_server_is_held_to_what_it_says(self):
        done, report = self.judge_url(self.start("--profile", "interview-deployed"), "--provoke", PROVOKE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(report["profiles"], ["interview-deployed"])
        self.assertEqual(self.rows_with(report, "PASS"), server_rows("interview-deployed") - rows("02"), done.stdout)

    def test_a_given_token_does_for_all_but_the_tokens_that_are_made(self):
        url = f"{self.start()}?token={token()}"
        done, report = self.judge_url(url, "--run", "interview/connect/*", "--run", "interview/error/no-json", secret="")
        self.assertIn(f"{len(MADE)} cases need --jwt-secret", done.stdout)
        made = {f"interview/connect/made-token[{kind}]" for kind in MADE}
        self.assertEqual(self.cases_with(report, "UNSUPPORTED"), made, done.stdout)
        self.assertEqual(self.cases_with(report, "PASS"), {case["name"] for case in report["cases"]} - made)
        for case in report["cases"]:
            self.assertEqual("needs --jwt-secret" in case.get("note", ""), case["name"] in made, case)

    def test_the_token_may_be_given_as_key_or_in_the_environment(self):
        url = self.start()
        run = ("--run", "interview/connect/opening")
        for number, options in enumerate((("--key", token()), ("--config", ID, "--key", token()))):
            done, _ = self.judge_url(url, *run, *options, name=f"key-{number}", secret="")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.conform("server", "--family", "interview", "--url", url, *run,
                            env={"INTERVIEW_TOKEN": token()})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_who_has_no_token_is_told(self):
        done, report = self.judge_url(self.start(), secret="")
        self.assertEqual((done.returncode, report), (2, None))
        self.assertIn("no token", done.stderr)

    def test_who_is_not_let_in_is_told(self):
        done, report = self.judge_url(self.start(), "--run", "interview/connect/opening", secret="another-secret")
        self.assertEqual((done.returncode, report), (3, None), done.stdout + done.stderr)
        self.assertIn("It does not take the token", done.stderr)

    def test_a_secret_is_of_no_use_to_other_families(self):
        done = self.conform("server", "--url", "ws://127.0.0.1:9/realtime", "--jwt-secret", SECRET)
        self.assertEqual(done.returncode, 2)
        self.assertIn("bring tokens", done.stderr)
        self.assertNotIn(SECRET, done.stderr)

    def test_the_line_that_repeats_a_case_names_variables(self):
        url = f"{self.start('--quirk', 'lenient')}?token={token()}"
        done, _ = self.judge_url(url, "--run", "interview/error/no-json")
        again = re.search(r"(?m)^    rerun: (.*)$", done.stdout)[1]
        for words in ("--family interview", '--key "$INTERVIEW_TOKEN"', '--jwt-secret "$INTERVIEW_JWT_SECRET"'):
            self.assertIn(words, again)


class Quoting:
    """A server that is of no use, and quotes the token wherever it can: in a refusal, an error, a text, a close reason."""

    def __init__(self):
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"ws://127.0.0.1:{self.listening.getsockname()[1]}/api/v1/interviews/{ID}/realtime/connect"
        self.count = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        with connection:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                data = connection.recv(65536)
                if not data:
                    return
                head += data
            query = re.search(rb"token=([^ &]*)", head)
            text = query[1].decode() if query else ""
            said = json.dumps({"type": "error", "code": f"bad token {text}", "message": f"no: {text}"})
            self.count += 1
            if self.count % 2 == 0:
                connection.sendall(f"HTTP/1.1 403 {text[:500]}\r\nContent-Length: {len(said)}\r\n\r\n{said}".encode())
                return
            key = re.search(rb"Sec-WebSocket-Key: ([^\r]*)", head)[1]
            accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()).decode()
            connection.sendall(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                               f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode())
            for message in (said, f"bad token {text}", json.dumps({"type": "status", "status": text, "message": text})):
                connection.sendall(b"\x81\x7e" + len(message).to_bytes(2, "big") + message.encode())
            connection.sendall(b"\x88\x02\x03\xf0")


class Secrets(Interview):
    def test_a_server_may_quote_the_token_and_no_report_does(self):
        server = Quoting()
        self.addCleanup(server.listening.close)
        for number, words in enumerate(((), ("--key", token()))):
            done, report = self.judge_url(server.url, *words, "--run", "interview/connect/*", "--profile", "interview-1.0",
                                          name=f"quoted-{number}")
            self.assertIn(done.returncode, (1, 3), done.stdout + done.stderr)
        self.assertGreater(server.count, 1)

    def test_secrets_are_overwritten_on_the_command_line(self):
        listening = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listening.close)
        url = f"ws://127.0.0.1:{listening.getsockname()[1]}/api/v1/interviews/{ID}/realtime/connect"
        process = subprocess.Popen(
            [BIN / "ojin-conform", "server", "--family", "interview", "--url", url, "--key", token(), "--jwt-secret", SECRET],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        connection, _ = listening.accept()  # held open: the program ends at its close
        self.addCleanup(connection.close)
        for _ in range(100):
            line = pathlib.Path(f"/proc/{process.pid}/cmdline").read_bytes().decode()
            if line or process.poll() is not None:
                break
            time.sleep(0.05)  # short of memory the system may have no answer
        self.assertNotIn(SECRET, line)
        self.assertNotIn(TOKEN_BEGINS, line)
        self.assertIn("--jwt-secret\0" + "x" * len(SECRET), line)


class Breaches(Interview):
    def breach(self, number, attempt=0):
        quirk, cases, _ = BREACHES[number]
        run = [word for case in cases for word in ("--run", f"interview/{case}")]
        conditions = ("--provoke", PROVOKE) if cases is CONDITIONS else ()
        return self.judge_url(self.start("--quirk", quirk), *run, *conditions, name=f"breach-{number}-{attempt}")

    def test_each_row_fails_where_it_is_broken_in_every_case_and_no_other_row(self):
        with concurrent.futures.ThreadPoolExecutor(len(BREACHES)) as pool:
            results = list(pool.map(self.breach, range(len(BREACHES))))
        for number, (done, report) in enumerate(results):
            quirk, _, broken = BREACHES[number]
            with self.subTest(quirk=quirk):
                if report is None or self.rows_with(report, "FAIL") != rows(broken):
                    again = lambda attempt, number=number: self.breach(number, attempt)
                    done, report = self.until_judged(again, rows(broken))  # alone: the machine may have been busy
                self.skip_if_open(report, rows(broken))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertEqual(self.rows_with(report, "FAIL"), rows(broken), done.stdout)
                self.assertEqual(self.cases_with(report, "FAIL"), {case["name"] for case in report["cases"]}, done.stdout)

    def test_a_server_that_knows_any_interview_fails(self):
        any_interview = ("--key", token())  # one that is made is good for one interview alone
        run = ("--run", "interview/connect/unknown-interview")
        done, report = self.judge_url(self.start(interview=()), *run, *any_interview)
        self.assertEqual((done.returncode, self.rows_with(report, "FAIL")), (1, rows("01")), done.stdout)

    def test_what_a_server_may_do_is_told(self):
        quirk, case, broken = TOLD
        done, report = self.judge_url(self.start("--quirk", quirk), "--run", f"interview/{case}")
        self.assertEqual((done.returncode, self.rows_with(report, "INFO")), (0, rows(broken)), done.stdout)

    def test_every_row_and_every_breach_that_the_mock_lists_is_among_them(self):
        self.assertEqual(rows(" ".join([*(row[2] for row in BREACHES), TOLD[2]])), server_rows("interview-1.0"))
        listed = self.run_program(BIN / "ojin-mock", "--family", "interview", "--list", "quirks").stdout
        found = set(re.findall(r"(?m)^([a-z-]+)\S* .*\(breaks IV-SRV", listed))
        self.assertEqual(found - {row[0] for row in BREACHES}, {TOLD[0]})
        self.assertEqual(set(INTERVIEW_GROUPS), {"interview-1.0", "interview-deployed"})


if __name__ == "__main__":
    run_side_by_side()
