"""ojin-client interview to ojin-mock, with real sound files: what is heard is what the interviewer says, sample for sample.
Usage: interview_to_mock.py"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import wave

bin_dir = pathlib.Path(os.environ["BIN_DIR"])
speech = pathlib.Path(os.environ["SOURCE_DIR"]) / "fixtures" / "speech"
TRIES = 3  # a machine that is late makes gaps, which the client then tells
RATE = 24000
failures = []


def expect(what, holds, detail=""):
    print("ok  " if holds else "FAIL", what)
    if not holds:
        failures.append(f"{what}: {detail}")


def samples_of(path):
    with wave.open(str(path)) as file:
        data = file.readframes(file.getnframes())
    return list(struct.unpack(f"<{len(data) // 2}h", data))


def heard_of(path):
    return samples_of(path)[1::2]


def interview(folder, mock_words, words):
    """Exit of `ojin-mock exec`, which is 1 when the mock found a fault of the client."""
    out, report, transcript = folder / "conversation.wav", folder / "report.json", folder / "transcript.txt"
    command = [bin_dir / "ojin-mock", "exec", "--family", "interview", "--findings", *mock_words, "--", bin_dir / "ojin-client",
               "interview", "--audio", folder / "answers", "--out", out, "--json", report, "--transcript", transcript, *words]
    for _ in range(TRIES):
        done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
        told = json.loads(report.read_text()) if report.exists() else {"gaps": 0}
        if told["gaps"] == 0:
            break
    return done, told, transcript.read_text() if transcript.exists() else ""


def replies(told):
    return [line for line in told["lines"] if line["speaker"] == "ai"]


def an_interview(folder, profile, words):
    done, told, transcript = interview(folder, ["--profile", profile], words)
    expect(f"{profile}: it ends well, and the mock finds nothing wrong", done.returncode == 0, done.stdout + done.stderr)
    heard = heard_of(folder / "conversation.wav")
    for number, line in enumerate(replies(told), 1):
        question = samples_of(speech / f"question-{number}.wav")
        at = round(line["from_s"] * RATE)
        expect(f"{profile}: question {number} is heard, sample for sample", heard[at:at + len(question)] == question, line)
    expect(f"{profile}: the words of both are told", len(transcript.splitlines()) == 4 and "Welcome to the interview." in transcript
           and "candidate: An answer of 1.1 seconds." in transcript and "(cut off)" not in transcript, transcript)
    expect(f"{profile}: each answer is evaluated", len(told["results"]) == 2, told)


def an_interruption(folder):
    done, told, transcript = interview(folder, [], ["--interrupt", "800"])
    expect("an interruption ends well, and the mock finds nothing wrong", done.returncode == 0, done.stdout + done.stderr)
    heard = heard_of(folder / "conversation.wav")
    for number, line in enumerate(replies(told), 1):
        question = samples_of(speech / f"question-{number}.wav")
        at, to = (round(line[name] * RATE) for name in ("from_s", "to_s"))
        expect(f"question {number} is heard until it was interrupted, and no more", heard[at:to] == question[:to - at] and
               0.8 * RATE <= to - at < len(question) and not any(heard[to:to + RATE]), line)
        expect("its words end there too", not line["whole"] and "?" not in line["text"] and "yourself" not in line["text"], line)
    expect("the transcript says so", transcript.count("(cut off)") == 2, transcript)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "answers").mkdir()
        shutil.copy(speech / "hello-1s.wav", folder / "answers" / "1.wav")
        shutil.copy(speech / "hello-3s-48k-stereo.wav", folder / "answers" / "2.wav")
        an_interview(folder, "interview-1.0", [])
        an_interview(folder, "interview-deployed", ["--deployed"])
        an_interruption(folder)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
