#!/usr/bin/python3
"""The client in a browser: cases of the suite in both modes pass, faults that are planted in it are named, the sound and the pictures of
its devices arrive, a person can use the page, and no browser outlives its run.

Left out where node, its packages or Debian's chromium are missing; ci/test installs them.
"""

import array
import base64
import concurrent.futures
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
import unittest
import urllib.request
import wave

from runner_case import BIN, CONFORM, RUN_TIMEOUT_S, SOURCE, TRIES, RunnerCase, needs, wait_for_calm

sys.path.insert(0, str(SOURCE / "ci/tests"))
import printed  # noqa: E402

CLIENT = SOURCE / "conformance/clients/browser/ojin-browser-client.mjs"
# A browser takes its time to start on a busy machine; a case that goes well ends long before.
PATIENCE = ["--timeout", "60s"]
RATE = 16000
TONE_HZ = 440
INTERVIEW_RATE = 24000

CASE = """
case     {family}/browser/{name}
title    "{title}"
expect   "{expect}"
clause   {clause}
{more}
plan {{
  {plan}
}}
server {{
  {server}
}}
{checks}
"""

CASES = {
    "interviewed": dict(
        title="The microphone is open for an answer, and then not", expect="What it heard is committed, and the reply is heard", clause="IV-IN-05",
        plan=["wait after=ready", "wait 2200ms", "end"], server=["accept", "serve quirk=commit-only until=close"],
        checks=["comes MUST clause=IV-IN-01 count received:audio_chunk min=10", "once MUST count received:commit_audio exactly=1",
                "heard MUST clause=IV-OUT-01 some seen:turn final=yes"]),
    "answered": dict(
        title="Speech is answered by one turn, heard to its end", expect="The client hears it whole, then ends the session", clause="DX-OUT-03",
        plan=['speak "hello-1s.wav"', "wait after=idle", "close"], server=["accept", "serve quirk=extra-members"],
        checks=["whole MUST some seen:turn final=yes", "sound MUST clause=DX-OUT-01 some seen:heard"]),
    "flushed": dict(
        title="The listen comes while much is queued", expect="The client drops what it has not yet played", clause="DX-OUT-04",
        plan=['speak "hello-1s.wav"', "wait after=turn", "wait 1500ms", "close"], server=["accept", 'serve quirk="burst hasty-listen"'],
        checks=["quiet SHOULD given=sent:delta after=seen:delta count seen:heard max=9"]),
    "queued": dict(
        title="There is no worker for a while", expect="The client waits without a word, and tells its place", clause="DX-CON-02",
        plan=["wait after=ready", "wait 1500ms", "close"], server=["accept", 'serve quirk="wait=2s place=2"'],
        checks=["place SHOULD clause=DX-CON-05 some seen:queue"]),
    "microphone": dict(
        title="The microphone is open", expect="What it hears arrives", clause="DX-APP-01", plan=["wait after=ready", "wait 4200ms", "close"],
        server=["accept", "serve"], checks=["comes MUST count received:input_audio_buffer.append min=3"]),
    "said": dict(
        title="An answer of three seconds", expect="It comes in chunks, and is committed", clause="IV-IN-01",
        plan=['speak "answer-1.wav"', "close after=sent"], server=["accept", "serve"], checks=["comes MUST count received:audio_chunk min=20"]),
    "greeted": dict(
        title="The interviewer speaks first", expect="Every sample is played", clause="IV-OUT-01", plan=["close after=turn"],
        server=["accept", "serve until=ready", 'send ai_audio_chunk samples=4801 audio=coded transcript="Welcome." is_final=true', "recv close within=8s"],
        checks=["heard MUST heard sent:ai_audio_chunk"]),
    "long": dict(
        title="A long session", expect="It goes on", clause="DX-CON-03", more="limit 60s", plan=["wait 50s", "close"], server=["accept", "serve"],
        checks=["comes INFO some received:input_audio_buffer.append"]),
}

# Of the suite: at least one for nearly every requirement.
VIDEO = {
    "connect": "place-grows",
    "session": "created-more-members",
    "append": "pictures whole-speech",
    "output": "empty-audio unknown-events cache-nearly-full last-delta[12001]",
    "playing": "listen-in-mid-turn",
    "text": "leads-by-one",
    "interrupt": "deltas-under-way",
    "close": "lost-in-speech reasons[error]",
    "error": "closing-codes[queue_full] closed-1003 damaged-delta[odd] grows-1013",
    "field": "null-audio",
}
AUDIO = {"append": "no-pictures", "interrupt": "deltas-under-way"}
INTERVIEW = {
    "connect": "refused-1008",
    "input": "whole-answer",
    "interrupt": "late-chunks next-answer",
    "output": "single-chunk-replies result-shapes status-before-connected many-short-chunks",
    "transcript": "partial speakers",
    "error": "unknown-codes",
    "close": "restart",
    "field": "committed-once",
    "types": "odd-bytes",
}

FAULTS = [  # (what it does, case, text, another text, the requirement that is named)
    ("leaves the scheme of a data URL before its pictures", "queued", ".split(',')[1]", "", "DX-APP-08"),
    ("leaves for a reason of its own", "queued", "reason: 'user_stop'", "reason: 'done'", "DX-CLS-01"),
    ("plays on when the server listens", "flushed", "      else if (data.drop)", """      else if (data.drop) this.port.postMessage({ dropped: { at: 0, samples: 0 } });
      else if (data.never)""", "DX-OUT-04"),
]

INTERVIEW_FAULTS = [
    ("tells the time in milliseconds", "said", "Math.floor(Date.now() / profile.unitMs)", "Date.now()", "IV-IN-01"),
    ("hears half of each chunk", "greeted", "samples: floatsOfPcm(bytes),", "samples: floatsOfPcm(bytes).subarray(bytes.length / 4),", "IV-OUT-01"),
]


def samples_of(append):
    samples = array.array("f", base64.b64decode(append["audio"], validate=True))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


def share_of_tone(samples, rate=RATE):
    """How much of the power is at TONE_HZ."""
    turns = [2 * math.pi * TONE_HZ * n / rate for n in range(len(samples))]
    real = sum(sample * math.cos(turn) for sample, turn in zip(samples, turns))
    imaginary = sum(sample * math.sin(turn) for sample, turn in zip(samples, turns))
    power = sum(sample * sample for sample in samples)
    return 2 * (real * real + imaginary * imaginary) / (len(samples) * power) if power > 0 else 0


def size_of_jpeg(data):
    at = 2
    while data[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")


class BrowserCase(RunnerCase):
    family = "duplex"

    def cases(self, *names):
        folder = self.folder / f"cases-{'-'.join(names)}"
        for name in names:
            parts = {"more": "", "family": self.family} | CASES[name]
            parts |= {part: "\n  ".join(parts[part]) for part in ("plan", "server")}
            parts["checks"] = "\n".join(f"check {check}" for check in parts["checks"])
            folder.mkdir(exist_ok=True)
            (folder / f"{name}.session").write_text(CASE.format(name=name, **parts))
        return folder

    def sound(self, name, parts):
        """A WAV: of (hertz, seconds), or of the samples of a file of fixtures/speech."""
        path = self.folder / name
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            for part in parts:
                if isinstance(part, str):
                    with wave.open(str(SOURCE / "fixtures/speech" / part)) as other:
                        file.writeframes(other.readframes(other.getnframes()))
                    continue
                hertz, seconds = part
                values = array.array("h", (int(12000 * math.sin(2 * math.pi * hertz * n / RATE)) for n in range(int(seconds * RATE))))
                file.writeframes(values.tobytes())
        return path

    def run_cases(self, label, folder, *words, client=CLIENT, options=()):
        report = self.folder / f"{label}.json"
        done = self.conform("run", "--family", self.family, "--cases", folder, "--json", report, "--out", self.folder / f"{label}.out",
                            "--persistent", *PATIENCE, *options, "--", "node", client, *words)
        return done, json.loads(report.read_text()) if report.exists() else None

    def sent(self, label, kind):
        """The messages of that kind in the journal of the one case of a run."""
        (journal,) = (self.folder / f"{label}.out").glob("*/wire.jsonl")
        lines = [json.loads(line) for line in journal.read_text().splitlines()]
        return [json.loads(line["text"]) for line in lines if line.get("label") == kind and "text" in line]

    def uses(self, script, speech, steps, options=(), words=()):
        """A script uses the page, against a mock that has nothing to object to."""
        mock = [BIN / "ojin-mock", "--family", self.family, "--port", "0", *options, "--log", "quiet"]
        with subprocess.Popen(mock, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
            try:
                url = json.loads(server.stdout.readline())["urls"][self.family]
                used = subprocess.run(["node", SOURCE / "conformance/tests/browser" / script, CLIENT.parent, url, *words, speech],
                                      capture_output=True, text=True, timeout=RUN_TIMEOUT_S, check=False)
            finally:
                server.terminate()
            found = [line for line in server.stderr.read().splitlines() if line.startswith("finding:")]
        self.assertEqual(used.returncode, 0, used.stdout + used.stderr)
        self.assertEqual(used.stdout.count("ok: "), steps, used.stdout)
        self.assertEqual(found, [])

    def of_the_suite(self, label, profile, names, *options):
        """The cases' verdicts, and how many requirements were reached."""
        wanted = [word for name in names for word in ("--run", name)]
        done, report = self.run_cases(label, SOURCE / "conformance/cases", options=["--profile", profile, *wanted, *options])
        cases = {case["name"]: case["verdict"] for case in report["cases"]}
        return done, cases, len([verdict for verdict in self.verdicts(report).values() if verdict not in ("UNSUPPORTED", "NOTREACHED", "INCONCLUSIVE")])

    # A machine that is late shows in what is heard and when: such a case is run again, alone.
    def passes(self, row):
        profile, areas, jobs, rows = row
        names = [f"{self.family}/{area}/{name}" for area, found in areas.items() for name in found.split()]
        done, cases, reached = self.of_the_suite(profile, profile, names, "-j", jobs)
        self.assertEqual(set(cases), set(names), done.stdout + done.stderr)
        self.assertGreaterEqual(reached, rows, done.stdout + done.stderr)
        for attempt in range(TRIES):
            names = [name for name, verdict in cases.items() if verdict != "PASS"]
            if names:
                wait_for_calm()
                done, cases, _ = self.of_the_suite(f"{profile}-{attempt}", profile, names, "-j", 1)
        self.assertEqual(set(cases.values()), {"PASS"}, done.stdout + done.stderr)

    def the_run_of_the_readme(self):
        """With one case, and its reports in a folder that is not of the tree."""
        [command] = [one for one in printed.of("test_browser_client") if f" --family {self.family} " in one]
        command = command.replace(" run ", f" run --run {self.family}/connect/handshake --out {self.folder}/printed ", 1)
        for attempt in range(TRIES):
            done = subprocess.run(command, shell=True, cwd=CLIENT.parent, env=os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"}, capture_output=True,
                                  text=True, timeout=RUN_TIMEOUT_S, check=False)  # fmt: skip
            if attempt == TRIES - 1 or done.stdout.endswith("1 passed, 0 failed\n"):
                return self.assertTrue(done.stdout.endswith("1 passed, 0 failed\n"), done.stdout + done.stderr)
            wait_for_calm()

    # One browser at a time: what has to do with time is not held against one that waits for a core.
    def faults_are_named(self, faults, profile):
        for number, (sentence, case, old, new, named) in enumerate(faults):
            client = self.changed_client((old, new), client=CLIENT)
            folder = self.cases(case)
            done, report = self.until_judged(lambda attempt: self.run_cases(
                f"fault-{number}-{attempt}", folder, client=client, options=["--profile", profile, "-j", 1]))
            with self.subTest(sentence):
                self.skip_if_open(report)
                self.assertEqual([id for id, verdict in self.verdicts(report).items() if verdict in ("FAIL", "WARN")], [named], done.stdout + done.stderr)


@needs("chromium", "node", packages="conformance/clients/browser")
class BrowserClient(BrowserCase):
    def test_cases_of_the_suite_in_both_modes(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(self.passes, [("video", VIDEO, 2, 27), ("audio", AUDIO, 1, 14)]))

    def test_faults_are_named(self):
        self.faults_are_named(FAULTS, "video")

    def test_the_run_of_the_readme(self):
        self.the_run_of_the_readme()

    def test_the_page_by_hand_is_served_as_the_readme_prints_it(self):
        mock, page, install, *_ = printed.of("test_browser_client")
        self.assertEqual((mock, install), ("ojin-mock &", "cd conformance/clients/browser && npm ci"))  # ci/npm.sh does the second
        with subprocess.Popen([*page.split(), "0"], cwd=SOURCE, stdout=subprocess.PIPE, text=True) as serving:
            try:
                address = re.search(r"http://\S+", serving.stdout.readline())[0]
                with urllib.request.urlopen(address, timeout=RUN_TIMEOUT_S) as answer:
                    self.assertIn(b"<html", answer.read())
            finally:
                serving.terminate()
        with subprocess.Popen([BIN / "ojin-mock", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            self.assertIn("/v1/realtime", server.stdout.readline())
            server.terminate()

    def test_what_its_devices_hear_and_see_arrives(self):
        camera = self.folder / "camera.mjpeg"
        camera.write_bytes(2 * (SOURCE / "fixtures/pictures/persona.jpg").read_bytes())
        words = ["--microphone", self.sound("tone.wav", [(TONE_HZ, 10)]), "--camera", camera]
        done, report = self.run_cases("devices", self.cases("microphone"), *words, options=["--profile", "video", "--keep"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.verdicts(report)["DX-APP-08"], "PASS")  # the pictures decode
        appends = self.sent("devices", "input_audio_buffer.append")
        self.assertGreaterEqual(len(appends), 3)
        self.assertEqual({len(samples_of(append)) for append in appends}, {RATE})
        self.assertGreater(max(share_of_tone(samples_of(append)) for append in appends), 0.9)
        self.assertEqual({size_of_jpeg(base64.b64decode(append["video_frames"][0])) for append in appends}, {(640, 480)})

    def test_an_open_microphone_declines_to_speak_a_file(self):
        done, _ = self.run_cases("declined", self.cases("answered"), "--microphone", self.sound("tone.wav", [(TONE_HZ, 1)]))
        self.assertRegex(done.stdout, "UNSUPPORTED|unsupported", done.stdout + done.stderr)
        self.assertNotIn("FAIL ", done.stdout)

    def test_a_person_can_use_the_page(self):
        speech = self.sound("speech.wav", ["hello-3s.wav", (0, 12)])
        self.uses("use_page.mjs", speech, 9, ["--quirk", "turn-length=20s"])

    def test_no_browser_outlives_its_run(self):
        tone = self.sound("tone.wav", [(TONE_HZ, 1)])
        words = [CONFORM, "run", "--family", "duplex", "--cases", self.cases("long"), "--out", self.folder / "out", *PATIENCE, "--",
                 "node", CLIENT, "--microphone", tone]
        with subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            deadline = time.monotonic() + RUN_TIMEOUT_S
            while not any("chromium" in line for _, line in self.processes_with(str(tone))):
                self.assertIsNone(run.poll(), "the run ended by itself")
                self.assertLess(time.monotonic(), deadline, "no browser was started")
                time.sleep(0.1)
            os.kill(run.pid, signal.SIGKILL)
        while self.processes_with(str(tone)):
            self.assertLess(time.monotonic(), deadline, self.processes_with(str(tone)))
            time.sleep(0.1)


@needs("chromium", "node", packages="conformance/clients/browser")
class BrowserInterview(BrowserCase):
    family = "interview"

    def test_the_run_of_the_readme(self):
        self.the_run_of_the_readme()

    def test_cases_of_the_suite(self):
        self.passes(("interview-1.0", INTERVIEW, 2, 15))

    def test_faults_are_named(self):
        self.faults_are_named(INTERVIEW_FAULTS, "interview-1.0")

    def test_a_person_can_use_the_page(self):
        token = self.run_program(BIN / "ojin-mock", "token").stdout.strip()
        self.uses("use_interview.mjs", self.sound("speech.wav", ["hello-3s.wav"]), 5, ["--quirk", "commit-only"], [token])

    def test_what_its_microphone_hears_arrives_at_24_khz(self):
        tone = self.sound("tone.wav", [(TONE_HZ, 10)])
        done, report = self.run_cases("tone", self.cases("interviewed"), "--microphone", tone, options=["--keep"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.verdicts(report)["IV-IN-03"], "PASS")
        samples = array.array("h", b"".join(base64.b64decode(chunk["audio"], validate=True) for chunk in self.sent("tone", "audio_chunk")))
        if sys.byteorder == "big":
            samples.byteswap()
        self.assertGreaterEqual(len(samples), 2 * INTERVIEW_RATE)
        middle = samples[len(samples) // 2 :][:INTERVIEW_RATE // 2]
        self.assertGreater(share_of_tone(middle, INTERVIEW_RATE), 0.9)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
