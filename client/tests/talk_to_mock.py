"""ojin-client talk to ojin-mock: what is heard is the mock's utterance, sample for sample. Usage: talk_to_mock.py"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import wave

bin_dir = pathlib.Path(os.environ["BIN_DIR"])
speech = pathlib.Path(os.environ["SOURCE_DIR"]) / "fixtures" / "speech"
TRIES = 3  # a machine that is late makes gaps, which the client then tells
failures = []


def expect(what, holds, detail=""):
    print("ok  " if holds else "FAIL", what)
    if not holds:
        failures.append(f"{what}: {detail}")


def utterance(number):
    with wave.open(str(speech / f"answer-{number}.wav")) as file:
        data = file.readframes(file.getnframes())
    return struct.pack(f"<{len(data) // 2}f", *(value / 32768 for value in struct.unpack(f"<{len(data) // 2}h", data)))


def talk(folder, url, words):
    heard, report, transcript = folder / "heard.wav", folder / "report.json", folder / "transcript.txt"
    done = subprocess.run([bin_dir / "ojin-client", "talk", "--audio", speech / "hello-3s.wav", "--url", url, "--out", heard,
                           "--json", report, "--transcript", transcript, *words], capture_output=True, text=True, timeout=60,
                          check=False)
    if done.returncode != 0:
        return done, b"", {"gaps": 0, "turns_cut": 0}, ""
    return done, heard.read_bytes(), json.loads(report.read_text()), transcript.read_text()


def try_profile(folder, profile, words):
    mock = [bin_dir / "ojin-mock", "--port", "0", "--family", "duplex", "--profile", profile]
    with subprocess.Popen(mock, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            url = json.loads(server.stdout.readline())["url"]
            for _ in range(TRIES):
                done, heard, told, transcript = talk(folder, url, words)
                if told["gaps"] == 0 and told["turns_cut"] == 0:
                    break
        finally:
            server.terminate()
        findings = [line for line in server.stderr.read().splitlines() if line.startswith("finding:") and " MUST: " in line]
    expect(f"{profile}: it ends well", done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr}")
    expect(f"{profile}: the utterance is heard whole", any(utterance(n) in heard for n in (1, 2, 3)), told)
    expect(f"{profile}: so are its words", transcript.count("\n") == 1 and "(cut off)" not in transcript and
           "hear you" in transcript, transcript)
    expect(f"{profile}: the mock finds nothing wrong", not findings, findings)


def main():
    with tempfile.TemporaryDirectory() as name:
        for profile, words in (("video", ["--mode", "video"]), ("audio", ["--mode", "audio"]),
                               ("duplex-later", ["--later", "--mode", "video"])):
            try_profile(pathlib.Path(name), profile, words)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
