#!/usr/bin/python3
"""The line that a failing or disputed case prints repeats it: the same case, profile and end, the same checks with the same verdicts."""

import json
import os
import shlex
import subprocess
import sys
import unittest

from runner_case import CONFORM, PYTHON, PYTHON_CLIENT, RUN_TIMEOUT_S, SOURCE, RunnerCase

MINIMAL = SOURCE / "conformance/clients/minimal"
HANDSHAKE = ["--run", "ojin/connect/handshake"]
SHOWN = {"FAIL", "NOTREACHED", "ERROR", "DISPUTED", "WARN"}
# Sends a message of another payload type, and then does what follows.
FAULTY = """
import asyncio, os, struct, sys, time, websockets
async def main():
    if os.environ.get("CONFORM_CASE") == "ojin/probe/does-not-exist":
        sys.exit(77)
    url = os.environ["OJIN_URL"] + "?config_id=" + os.environ["OJIN_CONFIG_ID"]
    async with websockets.connect(url, extra_headers={"Authorization": os.environ["OJIN_API_KEY"]}) as ws:
        await ws.recv()
        await ws.send(struct.pack("!BQI", 7, int(time.time() * 1000), 0) + bytes(1280))
        %s
asyncio.run(main())
"""
# A case of the reader's own, in a folder of their own: what the client is to say does not come about.
OWN = """case     mine/some where/NAME
title    "A case of one's own"
expect   "Something that no client does"
clause   OJ-OUT-01 MUST
limit    5s
VARY
plan {
  wait 200ms
  close
}
server {
  accept
  serve  until=close
}
check    never  MUST  some seen:error
"""


class Again(RunnerCase):
    def told(self, case):
        """What has to be the same."""
        checks = sorted((check["name"], check["requirement"], check["verdict"]) for check in case["checks"] if check["verdict"] in SHOWN)
        return case["name"], case["profile"], case["verdict"], case["end"], checks

    def run_line(self, line):
        path = self.folder / "again.json"
        path.unlink(missing_ok=True)
        before, run, behind = line.partition(" run ")
        self.assertEqual(run, " run ", line)
        done = subprocess.run(
            f"{before} run --json {shlex.quote(str(path))} {behind}", shell=True, cwd=self.folder, env=os.environ | self.environment,
            capture_output=True, text=True, timeout=RUN_TIMEOUT_S, check=False)
        self.assertTrue(path.exists(), f"{line}\n{done.stdout}{done.stderr}")
        return done, json.loads(path.read_text())

    def assert_repeats(self, done, report, count=1):
        """Every case that is not as it should be has a line, the first of each cause's is printed, and the line gives the same once more."""
        shown = [case for case in report["cases"] if case["verdict"] in SHOWN - {"WARN"} or
                 any(check["scope"] == "run" and check["verdict"] in SHOWN - {"WARN"} for check in case["checks"])]
        self.assertEqual(len(shown), count, done.stdout + done.stderr)
        lines = [line.removeprefix("    rerun: ") for line in done.stdout.splitlines() if line.startswith("    rerun: ")]
        told = {cause["rerun"]: cause for cause in report["causes"]}
        self.assertEqual(set(lines), set(told), done.stdout)
        self.assertLessEqual(set(lines), {case["repro"] for case in report["cases"]})
        self.assertEqual(report["summary"]["exit"] > 0, any(cause["fails"] for cause in told.values()), done.stdout)
        for case in shown:
            with self.subTest(case["name"]):
                second, repeated = self.run_line(case["repro"])
                (again,) = repeated["cases"]
                self.assertEqual(self.told(again), self.told(case), second.stdout + second.stderr)
                self.assertEqual(again["repro"], case["repro"], "and so on")
                if report["transport"] == "sockets":
                    self.assertTrue(os.access(os.path.join(case["folder"], "repro.sh"), os.X_OK))

    def repeats(self, *words, options=(), count=1):
        done, report = self.run_suite(*words, options=options)
        self.assertIsNotNone(report, done.stdout + done.stderr)
        self.assert_repeats(done, report, count)
        return done, report

    # ---- kinds of failures ----

    def defect(self, name):
        return [CONFORM, "defect", name]

    def test_a_message_that_breaks_a_rule(self):
        done, _ = self.repeats(*self.defect("bearer-prefix"), options=HANDSHAKE)
        self.assertEqual(done.returncode, 1, done.stdout)

    def test_ends_that_are_failures(self):
        for end, body in (("CRASH", "os.kill(os.getpid(), 11)"), ("CRASH", "raise KeyError('x')"), ("TIMEOUT", "time.sleep(600)")):
            with self.subTest(body):
                client = self.write("ends.py", FAULTY.replace('"!BQI", 7', '"!BQI", 1') % body)  # refused, it might well raise
                _, report = self.repeats(PYTHON, client, options=["--tier", "wire", "--timeout", "3s", *HANDSHAKE])
                self.assertEqual(report["cases"][0]["end"], end)
        _, report = self.repeats("true", options=["--tier", "wire", *HANDSHAKE])
        self.assertEqual(report["cases"][0]["end"], "NOCONNECT")

    def test_a_client_that_does_nothing(self):
        client = self.write("idle.py", FAULTY.replace("await ws.send(", "str(") % "return")
        _, report = self.repeats(PYTHON, client, options=["--tier", "wire", "--run", "ojin/input/format"])
        self.assertEqual(report["cases"][0]["verdict"], "NOTREACHED")

    def test_an_adapter_that_is_broken(self):
        client = "case $CONFORM_CASE in conform/*) exit 77 ;; esac; exit 99"  # not to the probe
        done, report = self.repeats("sh", "-c", client, options=["--tier", "wire", *HANDSHAKE])
        self.assertEqual((done.returncode, report["cases"][0]["verdict"]), (3, "ERROR"))

    SAYS_KEY = ("class CannotDo", "print('the key is', os.environ['OJIN_API_KEY'], file=sys.stderr)\n\n\nclass CannotDo")

    def test_a_disputed_case_leaves_a_folder_and_its_line_repeats_it(self):
        client = self.changed_client(self.SAYS_KEY)
        done, report = self.repeats(PYTHON, client, options=HANDSHAKE)
        (case,) = report["cases"]
        self.assertEqual((done.returncode, case["verdict"]), (0, "PASS"), done.stdout)  # it is about something else
        self.assertEqual({check["verdict"] for check in case["checks"] if check["requirement"] == "OJ-CON-03"}, {"DISPUTED", "PASS"})
        self.assertIn(f"    kept in     {case['folder']}\n", done.stdout)
        left = set(os.listdir(case["folder"]))
        self.assertLessEqual({"wire.jsonl", "stdout.txt", "stderr.txt", "case.session", "plan.json", "repro.sh"}, left)
        self.assertIn("disputed, which fails with --inferred", report["summary"]["reason"])
        done, report = self.repeats(PYTHON, client, options=["--inferred", *HANDSHAKE])
        self.assertEqual((done.returncode, self.verdicts(report)["OJ-CON-03"]), (1, "FAIL"), done.stdout)

    def test_a_should_fails_under_strict(self):
        done, report = self.repeats(*self.defect("strict-ready"), options=["--run", "ojin/ready/extra-members"], count=0)
        self.assertEqual((done.returncode, report["cases"][0]["verdict"]), (0, "WARN"), done.stdout)
        done, report = self.repeats(*self.defect("strict-ready"), options=["--strict", "--run", "ojin/ready/extra-members"])
        self.assertEqual((done.returncode, report["cases"][0]["verdict"]), (1, "FAIL"), done.stdout)

    # ---- ways of putting a client under test ----

    def test_tier_profile_seed_and_size(self):
        for tier in ("wire", "plan", "observe"):
            for profile in ("oris-1.0-earlier", "flashhead-lite-1.0"):
                options = ["--tier", tier, "--profile", profile, "--seed", "4294967297", "--size", "640x384", *HANDSHAKE]
                _, report = self.repeats(*self.defect("bearer-prefix"), options=options)
                self.assertEqual((report["tier"], report["cases"][0]["profile"]), (tier, profile))

    def test_the_profile_that_a_case_was_run_with_under_all(self):
        _, report = self.repeats(*self.defect("bearer-prefix"), count=2,
                                 options=["--profile", "all", *HANDSHAKE, "--run", "ojin/input/chunks-of-400ms"])
        self.assertEqual({case["profile"] for case in report["cases"]}, {"oris-1.0", "oris-1.0-earlier"})

    def test_words_and_variables_that_are_filled_in(self):
        client = self.write("it's mine.py", FAULTY.replace('os.environ["OJIN_URL"]', 'os.environ["MY URL"]') % "sys.exit(0 if sys.argv[1:3] == ['', '$HOME \"`'] else 99)")
        _, report = self.repeats(PYTHON, client, "", '$HOME "`', "{full_url}", options=["--tier", "wire", "--env", "MY URL={url}", *HANDSHAKE])
        self.assertEqual((report["cases"][0]["verdict"], self.verdicts(report)["OJ-IN-01"]), ("PASS", "FAIL"))

    def test_one_process_for_many_cases(self):
        self.write("session.py", (MINIMAL / "session.py").read_text().replace("{key}\\r\\n", "Bearer {key}\\r\\n"))
        client = self.write("persistent.py", (MINIMAL / "persistent.py").read_text())
        self.assertIn("Bearer {key}", (self.folder / "session.py").read_text())
        self.repeats(PYTHON, client, count=2, options=["--persistent", "-j", "1", "--run", "ojin/ready/extra-*", *HANDSHAKE])

    def test_a_program_that_is_stopped(self):
        client = self.write("stays.py", FAULTY % "time.sleep(600)")
        _, report = self.repeats(PYTHON, client, options=["--tier", "wire", "--stop", "TERM@idle:300ms", *HANDSHAKE])
        self.assertEqual((report["cases"][0]["verdict"], report["cases"][0]["end"]), ("PASS", ""))
        self.assertEqual(self.verdicts(report)["OJ-IN-01"], "FAIL")

    def by_hand(self, line):
        """Runs a line with --attach and a client beside it."""
        runner = subprocess.Popen(line, shell=True, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(runner.wait)
        self.addCleanup(runner.kill)
        environment = dict(os.environ)
        for said in runner.stderr:
            name, equals, value = said.strip().partition("=")
            if equals:
                environment[name] = value
            if name == "CONFORM_CONTROL":
                break
        subprocess.run([PYTHON, self.write("faulty.py", FAULTY % "pass")], env=environment, timeout=60, check=False)
        out, _ = runner.communicate(timeout=60)
        return runner.returncode, out

    def test_a_client_started_by_hand(self):
        report = self.folder / "report.json"
        code, out = self.by_hand(f"exec {CONFORM} run --attach --timeout 20s --profile oris-1.0-earlier --json {report} --run ojin/connect/handshake")
        (case,) = json.loads(report.read_text())["cases"]
        self.assertEqual((code, case["verdict"]), (1, "PASS"), out)
        self.assertIn("FAIL", {check["verdict"] for check in case["checks"] if check["scope"] == "run"})
        self.assertIn(f"    rerun: {case['repro']}\n", out)
        again = self.folder / "again.json"
        code, out = self.by_hand("exec " + case["repro"].replace(" run ", f" run --json {again} ", 1))
        self.assertEqual(code, 1, out)
        self.assertEqual(self.told(json.loads(again.read_text())["cases"][0]), self.told(case))

    # ---- cases ----

    def test_variants_of_a_case(self):
        _, report = self.repeats(*self.defect("bearer-prefix"), options=["--run", "ojin/close/codes"], count=16)
        self.assertEqual(len({case["name"] for case in report["cases"]}), 16)
        self.assertIn("ojin/close/codes[1000]", {case["name"] for case in report["cases"]})

    def own_cases(self):
        (self.folder / "my cases/it's").mkdir(parents=True)
        self.write("my cases/it's/first.session", OWN.replace("NAME", "first").replace("some where", "some-where").replace("VARY\n", ""))
        self.write("my cases/it's/second.session", OWN.replace("NAME", "second").replace("some where", "some-where").replace("VARY", "set      slow"))
        return ["--cases", "my cases"]

    def test_case_files_of_ones_own(self):
        self.repeats(PYTHON, PYTHON_CLIENT, count=2, options=[*self.own_cases(), "--set", "slow", "--out", "left here"])

    def test_case_files_of_ones_own_in_memory(self):
        report = self.folder / "report.json"
        done = self.conform("run", "--memory", "--json", report, *self.own_cases(), "--set", "slow", "--seed", "9")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assert_repeats(done, json.loads(report.read_text()), count=2)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
