#!/usr/bin/python3
"""The client in a browser: cases of the suite in both modes pass, faults that are planted in it are named, the sound and the pictures of
its devices arrive, a person can use the page, and no browser outlives its run.

Left out where node, its packages or Debian's chromium are missing; ci/test installs them.
"""

import array
import base64
import json
import math
import os
import re
import shlex
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
        title="The listen comes while much is queued", expect="The client drops what it has not yet played", clause="DX-OUT-04", more="profiles audio",
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

# Of the suite: the fewest that reach nearly every requirement. `no-pictures` is of audio mode, the others are of video mode.
DUPLEX = {
    "connect": "place-grows",
    "append": "no-pictures",
    "output": "unknown-events cache-nearly-full last-delta[12001]",
    "playing": "listen-in-mid-turn",
    "text": "leads-by-one",
    "interrupt": "deltas-under-way",
    "close": "lost-in-speech",
    "error": "closing-codes[queue_full] closed-1003 damaged-delta[odd] grows-1013",
    "field": "null-audio",
}
INTERVIEW = {
    "connect": "refused-1008",
    "interrupt": "next-answer",
    "output": "single-chunk-replies many-short-chunks",
    "transcript": "partial",
    "error": "unknown-codes",
    "field": "committed-once",
    "types": "odd-bytes",
}

# What a client does wrong: text, another text, and the requirement that is named.
FAULTS = {
    "leaves the scheme of a data URL before its pictures": (".split(',')[1]", "", "DX-APP-08"),
    "leaves for a reason of its own": ("reason: 'user_stop'", "reason: 'done'", "DX-CLS-01"),
    "plays on when the server listens": ("      else if (data.drop)", """      else if (data.drop) this.port.postMessage({ dropped: { at: 0, samples: 0 } });
      else if (data.never)""", "DX-OUT-04"),
}

INTERVIEW_FAULTS = {
    "tells the time in milliseconds": ("Math.floor(Date.now() / profile.unitMs)", "Date.now()", "IV-IN-01"),
    "hears half of each chunk": ("samples: floatsOfPcm(bytes),", "samples: floatsOfPcm(bytes).subarray(bytes.length / 4),", "IV-OUT-01"),
}


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

    def sent(self, label, case, kind):
        """The messages of that kind in the journal of a case."""
        (journal,) = (self.folder / f"{label}.out").glob(f"*{case}*/wire.jsonl")
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

    def run_of_the_readme(self, names):
        """As it is printed, but of these cases alone, each with the profile that it is about."""
        report = self.folder / "printed.json"
        [command] = [one for one in printed.of("test_browser_client") if f" --family {self.family} " in one]
        words = ["--json", report, "--out", self.folder / "printed.out", *(word for name in names for word in ("--run", name))]
        command = command.replace(" run ", f" run {shlex.join(map(str, words))} ", 1).replace("--profile video", "--profile all")
        done = subprocess.run(command, shell=True, cwd=CLIENT.parent, env=os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"}, capture_output=True,
                              text=True, timeout=RUN_TIMEOUT_S, check=False)  # fmt: skip
        self.assertTrue(report.exists(), done.stdout + done.stderr)
        return done, json.loads(report.read_text())

    # A machine that is late shows in what is heard and when: such a case is run again, alone.
    def passes(self, areas, rows):
        names = [f"{self.family}/{area}/{name}" for area, found in areas.items() for name in found.split()]
        done, report = self.run_of_the_readme(names)
        cases = {case["name"]: case["verdict"] for case in report["cases"]}
        self.assertEqual(set(cases), set(names), done.stdout + done.stderr)
        reached = [verdict for verdict in self.verdicts(report).values() if verdict not in ("UNSUPPORTED", "NOTREACHED", "INCONCLUSIVE")]
        self.assertGreaterEqual(len(reached), rows, done.stdout + done.stderr)
        for attempt in range(TRIES):
            names = [name for name, verdict in cases.items() if verdict != "PASS"]
            if names:
                wait_for_calm()
                wanted = [word for name in names for word in ("--run", name)]
                done, report = self.run_cases(f"again-{attempt}", SOURCE / "conformance/cases", options=["--profile", "all", "-j", 1, *wanted])
                cases = {case["name"]: case["verdict"] for case in report["cases"]}
        self.assertEqual(set(cases.values()), {"PASS"}, done.stdout + done.stderr)
        return {case["profile"] for case in report["cases"]}

    # All in one client, which goes through two cases: each is named, and nothing beside.
    def faults_are_named(self, faults, *cases):
        client = self.changed_client(*((old, new) for old, new, _ in faults.values()), client=CLIENT)
        folder, named = self.cases(*cases), {id for _, _, id in faults.values()}

        def run(attempt):
            done, report = self.run_cases(f"faults-{attempt}", folder, client=client, options=["--profile", "all", "-j", 1])
            return done, report, {id for id, verdict in self.verdicts(report).items() if verdict in ("FAIL", "WARN")}

        done, report, found = self.until(lambda result: result[-1] == named, run)
        self.assertEqual(found, named.difference(self.open_in(report, named)), done.stdout + done.stderr)
        self.skip_if_open(report, named)


@needs("chromium", "node", packages="conformance/clients/browser")
class BrowserClient(BrowserCase):
    def test_cases_of_the_suite_in_both_modes(self):
        self.assertEqual(self.passes(DUPLEX, 31), {"video", "audio"})

    def test_faults_are_named(self):
        self.faults_are_named(FAULTS, "queued", "flushed")

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

    def test_what_its_devices_hear_and_see_arrives_and_a_file_is_not_spoken(self):
        camera = self.folder / "camera.mjpeg"
        camera.write_bytes(2 * (SOURCE / "fixtures/pictures/persona.jpg").read_bytes())
        words = ["--microphone", self.sound("tone.wav", [(TONE_HZ, 10)]), "--camera", camera]
        done, report = self.run_cases("devices", self.cases("microphone", "answered"), *words, options=["--profile", "video", "--keep", "-j", 1])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({case["name"].rpartition("/")[2]: case["verdict"] for case in report["cases"]}, {"microphone": "PASS", "answered": "UNSUPPORTED"})
        self.assertEqual(self.verdicts(report)["DX-APP-08"], "PASS")  # the pictures decode
        appends = self.sent("devices", "microphone", "input_audio_buffer.append")
        self.assertGreaterEqual(len(appends), 3)
        self.assertEqual({len(samples_of(append)) for append in appends}, {RATE})
        self.assertGreater(max(share_of_tone(samples_of(append)) for append in appends), 0.9)
        self.assertEqual({size_of_jpeg(base64.b64decode(append["video_frames"][0])) for append in appends}, {(640, 480)})

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

    def test_cases_of_the_suite(self):
        self.passes(INTERVIEW, 17)

    def test_faults_are_named(self):
        self.faults_are_named(INTERVIEW_FAULTS, "said", "greeted")

    def test_a_person_can_use_the_page(self):
        token = self.run_program(BIN / "ojin-mock", "token").stdout.strip()
        self.uses("use_interview.mjs", self.sound("speech.wav", ["hello-3s.wav"]), 5, ["--quirk", "commit-only"], [token])

    def test_what_its_microphone_hears_arrives_at_24_khz(self):
        tone = self.sound("tone.wav", [(TONE_HZ, 10)])
        done, report = self.run_cases("tone", self.cases("interviewed"), "--microphone", tone, options=["--keep"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.verdicts(report)["IV-IN-03"], "PASS")
        samples = array.array("h", b"".join(base64.b64decode(chunk["audio"], validate=True) for chunk in self.sent("tone", "interviewed", "audio_chunk")))
        if sys.byteorder == "big":
            samples.byteswap()
        self.assertGreaterEqual(len(samples), 2 * INTERVIEW_RATE)
        middle = samples[len(samples) // 2 :][:INTERVIEW_RATE // 2]
        self.assertGreater(share_of_tone(middle, INTERVIEW_RATE), 0.9)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
