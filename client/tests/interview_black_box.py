"""ojin-client interview and conform against a small server that speaks the protocol by its document. Usage: interview_black_box.py"""
import asyncio
import base64
import http
import json
import os
import pathlib
import struct
import sys
import tempfile
import wave

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci/tests"))
import patient

client = pathlib.Path(os.environ["BIN_DIR"]) / "ojin-client"
speech = pathlib.Path(os.environ["SOURCE_DIR"]) / "fixtures" / "speech"
failures = []

ID = "0b5e1f5e-6a4e-4c38-9d0c-5d2f6f0a7b11"
TOKEN = "head.pay+load/.sign="
PATH = f"/api/v1/interviews/{ID}/realtime/connect"
DOCUMENTED = {"commit": "commit_audio", "speaker": "speaker", "candidate": "candidate", "ai": "ai", "code": "code", "unit": 1}
DEPLOYED = {"commit": "audio_commit", "speaker": "role", "candidate": "user", "ai": "assistant", "code": "error", "unit": 1000}
RESULT = {"answer_quality": "good", "next_action": "continue", "follow_up_needed": False, "score": 8}


def expect(what, holds, detail=""):
    print("ok  " if holds else "FAIL", what)
    if not holds:
        failures.append(f"{what}: {detail}")


def reply_samples(number):
    """Two seconds whose samples tell where they stand."""
    return [(number * 1000 + i) % 30000 + 1 for i in range(48000)]


def pcm(samples):
    return struct.pack(f"<{len(samples)}h", *samples)


def samples_of(data):
    return list(struct.unpack(f"<{len(data) // 2}h", data))


class Server:
    """One session of the normal service. What the client sends is kept for the test."""

    def __init__(self, words=DOCUMENTED, break_at=None, before=(), greets=False):
        self.words = words
        self.greets = greets
        self.break_at = break_at  # (chunks, code): closes with that code after that many chunks, once
        self.before = before  # said before the first reply
        self.targets = []
        self.types = []
        self.chunks = []
        self.answers = []
        self.said = []  # the same in chunks
        self.counts = []
        self.timestamps = []
        self.close_code = None

    async def say(self, socket, **message):
        await socket.send(json.dumps(message))

    async def transcript(self, socket, who, text):
        await self.say(socket, **{"type": "transcript", self.words["speaker"]: self.words[who], "text": text,
                                  "timestamp": 1700000000 * self.words["unit"]})

    async def reply(self, socket):
        number = len(self.answers)
        for message in self.before:
            await socket.send(message)
        await self.transcript(socket, "candidate", f"Answer {number}.")
        samples = reply_samples(number)
        for at in range(0, len(samples), 4800):
            last = at + 4800 == len(samples)
            await self.say(socket, type="ai_audio_chunk", audio=base64.b64encode(pcm(samples[at:at + 4800])).decode(),
                           transcript=" ".join(f"w{n}" for n in range(at // 4800 + 1)), is_final=last)
        await self.transcript(socket, "ai", f"Question {number}?")
        await self.say(socket, type="function_result", function_name="evaluate_candidate_answer", result=RESULT)

    async def connect(self, socket):
        await self.say(socket, type="status", status="connecting", message="wait")
        await asyncio.sleep(0.2)
        expect("nothing is sent before the status connected", not socket.messages)
        if self.words is DEPLOYED:
            await self.say(socket, type="connected")
        else:
            await self.say(socket, type="status", status="connected", message="Realtime session initialized")

    async def serve(self, socket, path):
        self.targets.append(path)
        self.chunks = []
        await self.connect(socket)
        if self.greets:
            await self.say(socket, type="ai_audio_chunk", audio=base64.b64encode(pcm([5] * 24000)).decode(), transcript="Hello.",
                           is_final=True)
        async for text in socket:
            message = json.loads(text)
            self.types.append(message["type"])
            if message["type"] == "audio_chunk":
                self.timestamps.append(message["timestamp"])
                self.chunks.append(base64.b64decode(message["audio"], validate=True))
                if self.break_at is not None and len(self.chunks) == self.break_at[0]:
                    code, self.break_at = self.break_at[1], None
                    await socket.close(code)
                    return
            elif message["type"] == self.words["commit"]:
                self.counts.append([len(chunk) // 2 for chunk in self.chunks])
                self.answers.append(b"".join(self.chunks))
                self.said.append([samples_of(chunk) for chunk in self.chunks])
                self.chunks = []
                await self.reply(socket)
        self.close_code = socket.close_code

    def __call__(self, socket, path):
        return self.serve(socket, path)


async def run_client(url, *words, environment=None):
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("INTERVIEW_", "CONFORM_", "OJIN_"))}
    variables.update({"INTERVIEW_URL": url, "INTERVIEW_ID": ID, "INTERVIEW_TOKEN": TOKEN})
    variables.update(environment or {})
    process = await asyncio.create_subprocess_exec(client, *words, env=variables, stdout=asyncio.subprocess.PIPE,
                                                   stderr=asyncio.subprocess.PIPE)
    out, err = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode, out.decode(), err.decode()


async def run(server, *words, path="", environment=None):
    async with patient.serve(server, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        return await run_client(f"ws://127.0.0.1:{port}{path}", *words, environment=environment)


def resampled(path):
    """How many samples the file has at 24 kHz."""
    with wave.open(str(path)) as file:
        return file.getnframes() * 24000 // file.getframerate()


def channels(path):
    with wave.open(str(path)) as file:
        expect("the conversation has two channels of 16 bit at 24 kHz",
               (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (2, 2, 24000))
        both = samples_of(file.readframes(file.getnframes()))
    return both[0::2], both[1::2]


def stands_at(channel, samples, place):
    return channel[place:place + len(samples)] == samples


def stand_from(channel, chunks, place):
    """Chunk by chunk from there on; a machine that is late makes a pause between two."""
    for chunk in chunks:
        place = next((at for at in range(place, place + 24000) if stands_at(channel, chunk, at)), None)
        if place is None:
            return False
        place += len(chunk)
    return True


def answers_folder(folder):
    answers = folder / "answers"
    answers.mkdir(exist_ok=True)
    for name, source in (("2.wav", "answer-1.wav"), ("1.WAV", "hello-1s.wav"), ("notes.txt", "story.txt")):
        (answers / name).write_bytes((speech / source).read_bytes())
    return answers


async def an_interview(folder, words, options):
    server = Server(words)
    out, lines, summary = folder / "conversation.wav", folder / "lines.txt", folder / "summary.json"
    answers = answers_folder(folder)
    code, said, err = await run(server, "interview", "--audio", answers, "--out", out, "--transcript", lines, "--json", summary,
                                *options)
    expect("it ends with 0 and closes with 1000", (code, server.close_code) == (0, 1000), (code, server.close_code, said, err))
    expect("the path and the token stand in the URL", server.targets == [PATH + "?token=head.pay%2Bload%2F.sign%3D"],
           server.targets)
    expect("the token is printed nowhere", TOKEN not in said + err and "pay%2Bload" not in said + err)
    expect("each answer is committed once", server.types.count(words["commit"]) == 2, server.types)
    lengths = [resampled(speech / "hello-1s.wav"), resampled(speech / "answer-1.wav")]
    got = [len(answer) // 2 for answer in server.answers]
    expect("the answers are sent whole, in the order of their names", all(abs(a - b) <= 1 for a, b in zip(got, lengths)),
           (got, lengths))
    expect("a chunk has 100 to 200 ms", all(2400 <= count <= 4800 for counts in server.counts for count in counts), server.counts)
    expect("times are whole numbers in the dialect's unit",
           all(isinstance(time, int) and 1.6e9 < time / words["unit"] < 4e9 for time in server.timestamps), server.timestamps[:3])
    left, right = channels(out)
    report = json.loads(summary.read_text())
    places = [round(line["from_s"] * 24000) for line in report["lines"]]
    expect("lines stand in order", len(places) == 4 and places == sorted(places), places)
    for number, chunks in enumerate(server.said, 1):
        expect(f"answer {number} stands in the conversation, sample for sample",
               stand_from(left, chunks, places[2 * number - 2]))
        expect(f"reply {number} stands in the conversation, sample for sample",
               stands_at(right, reply_samples(number), places[2 * number - 1]))
    expect("nothing else was heard", sum(1 for sample in right if sample) == 2 * 48000)
    text = lines.read_text()
    expect("the transcript has the words of both",
           [line.split("] ")[1] for line in text.splitlines()] ==
           ["candidate: Answer 1.", "ai: Question 1?", "candidate: Answer 2.", "ai: Question 2?"], text)
    expect("the summary counts", (report["answers"], report["replies_heard"], report["replies_cut"], report["gaps"],
                                  report["errors"]) == (2, 2, 0, 0, 0), report)
    expect("the evaluations are told", [json.loads(result["result"]) for result in report["results"]] == [RESULT, RESULT], report)


async def an_interruption(folder):
    server = Server()
    out, lines, summary = folder / "cut.wav", folder / "cut.txt", folder / "cut.json"
    code, said, err = await run(server, "interview", "--audio", speech / "hello-1s.wav", "--out", out, "--transcript", lines,
                                "--json", summary, "--interrupt", "700")
    report = json.loads(summary.read_text())
    expect("an interruption ends with 0", code == 0, (said, err))
    expect("cancel_response is sent once", server.types.count("cancel_response") == 1, server.types)
    _, right = channels(out)
    heard = [sample for sample in right if sample]
    expect("what was heard is the beginning of the reply and no more", heard == reply_samples(1)[:len(heard)] and
           16800 <= len(heard) < 40000, len(heard))
    expect("as the summary has it", report["samples_heard"] == len(heard) and report["replies_cut"] == 1, report)
    told = lines.read_text().splitlines()[-1]
    last = (len(heard) - 1) // 4800
    expect("the transcript has the words as far as they were heard", f"w{last} (cut off)" in told and "Question" not in told, told)


async def a_greeting(folder):
    server = Server(greets=True)
    code, said, err = await run(server, "interview", "--audio", speech / "hello-1s.wav", "--json", folder / "greeting.json")
    lines = json.loads((folder / "greeting.json").read_text())["lines"]
    expect("an interviewer who speaks first is heard to the end", code == 0 and [line["speaker"] for line in lines] ==
           ["ai", "candidate", "ai"] and lines[1]["from_s"] >= lines[0]["to_s"], (code, lines, err))


async def a_restart(folder):
    server = Server(break_at=(3, 1012))
    loop = asyncio.get_running_loop()
    begun = loop.time()
    code, said, err = await run(server, "interview", "--audio", speech / "hello-1s.wav", "--reconnect", "--json", folder / "r.json")
    expect("after a restart it comes back and says the answer from its beginning",
           (code, len(server.targets), len(server.answers)) == (0, 2, 1) and
           abs(len(server.answers[0]) // 2 - resampled(speech / "hello-1s.wav")) <= 1, (code, server.targets, said, err))
    expect("about 5 s later", loop.time() - begun >= 5)


async def refusals(folder):
    async def close(code, socket, path):
        await socket.close(code, "POLICY_VIOLATION")

    for code in (1008, 1000):
        connections = []

        async def refuse(socket, path, code=code, connections=connections):
            connections.append(path)
            await close(code, socket, path)
        status, said, err = await run(refuse, "interview", "--audio", speech / "hello-1s.wav", "--reconnect=3")
        expect(f"close {code} is reported and not tried again", (status, len(connections)) == (1, 1) and
               f"closed with code {code} (POLICY_VIOLATION)" in err and TOKEN not in err, (status, connections, err))
    paths = []

    async def forbid(path, headers):
        paths.append(path)
        return http.HTTPStatus.FORBIDDEN, [], b"no"
    async with patient.serve(close, "127.0.0.1", 0, process_request=forbid) as listening:
        port = listening.sockets[0].getsockname()[1]
        status, said, err = await run_client(f"ws://127.0.0.1:{port}", "interview", "--audio", speech / "hello-1s.wav",
                                             "--reconnect=3")
    expect("a refused upgrade is reported and not tried again", (status, len(paths)) == (1, 1) and "403" in err, (status, err))


async def odd_messages(folder):
    odd = ('{"type":"mood"}', "[1]", '{"type":"ai_audio_chunk","audio":"A*==","is_final":false}',
           '{"type":"ai_audio_chunk","audio":"AAAA","is_final":false}', '{"type":"status","status":"dancing","message":1}')
    server = Server(before=odd)
    out = folder / "odd.wav"
    code, said, err = await run(server, "interview", "--audio", speech / "hello-1s.wav", "--out", out)
    expect("what is damaged is told, and the reply is heard all the same", code == 1 and "BAD_CHUNK" in err and
           [sample for sample in channels(out)[1] if sample] == reply_samples(1), (code, err))


async def a_plan(folder):
    plan = folder / "plan.json"
    plan.write_text(json.dumps({"conform": 1, "profile": "interview-1.0", "limit_ms": 30000, "steps": [
        {"do": "connect"}, {"do": "speak", "file": str(speech / "hello-1s.wav")}, {"do": "cancel", "after": "speech:2"},
        {"do": "wait", "ms": 1000, "after": "turn"}, {"do": "close"}]}))
    server = Server()
    code, said, err = await run(server, "conform", environment={"CONFORM_PLAN": str(plan), "CONFORM_OUT": str(folder / "out")})
    seen = [json.loads(line) for line in said.splitlines()]
    kinds = {line["seen"] for line in seen}
    expect("conform follows a plan and says what it saw", code == 0 and
           {"status", "ready", "delta", "heard", "transcript", "result", "cancelled", "turn", "closed"} <= kinds, (code, kinds, err))
    expect("and cancels", server.types.count("cancel_response") == 1, server.types)
    with wave.open(str(folder / "out" / "sound.wav")) as file:
        form, heard = (file.getnchannels(), file.getsampwidth(), file.getframerate()), samples_of(file.readframes(file.getnframes()))
    told = [place for line in seen if line["seen"] == "heard" for place in range(line["at"], line["at"] + line["samples"])]
    expect("what it heard stands in sound.wav, at its places, and nothing else", form == (1, 2, 24000) and told and
           [heard[place] for place in told] == reply_samples(1)[:len(told)] and len(told) == sum(sample != 0 for sample in heard),
           (form, len(told), len(heard)))
    server = Server()
    code, said, err = await run(server, "conform", environment={"INTERVIEW_AUDIO": str(speech / "hello-1s.wav")})
    expect("without a plan it says the sound file", (code, len(server.answers)) == (0, 1), (code, err))


async def wrong_usage(folder):
    rows = (
        (["--audio", "nowhere.wav"], {}, "nowhere.wav"),
        (["--audio", str(folder)], {}, "there is no .wav"),
        ([], {}, "INTERVIEW_AUDIO"),
        (["--audio", "a.wav", "--interrupt", "0"], {}, "--interrupt"),
        (["--audio", "a.wav", "--tokem", "t"], {}, "--token"),
        (["--audio", "a.wav", "--timeout", "x"], {}, "'x'"),
        (["a.wav"], {}, "--audio"),
        (["--audio", str(speech / "hello-1s.wav")], {"INTERVIEW_ID": ""}, "INTERVIEW_ID"),
        (["--audio", str(speech / "hello-1s.wav")], {"INTERVIEW_URL": f"ws://127.0.0.1:1{PATH[:-12]}?token=abc#d"}, "fragment"),
        (["--audio", str(speech / "hello-1s.wav"), "--id", "other"], {"INTERVIEW_URL": f"ws://127.0.0.1:1{PATH}"}, "another interview"),
    )
    for words, environment, text in rows:
        code, said, err = await run_client("ws://127.0.0.1:1", "interview", *words, environment=environment)
        expect(f"wrong usage is told: {text}", code == 2 and text in err and err.count("\n") == 1 and TOKEN not in err
               and "abc" not in err, (code, err))
    code, said, err = await run_client("ws://127.0.0.1:1", "interview", "--audio", speech / "hello-1s.wav")
    expect("a server that is not there is named", code == 1 and "127.0.0.1" in err and TOKEN not in err, err)


async def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        await wrong_usage(folder)
        await an_interview(folder, DOCUMENTED, [])
        await an_interview(folder, DEPLOYED, ["--deployed"])
        await an_interruption(folder)
        await a_greeting(folder)
        await a_restart(folder)
        await refusals(folder)
        await odd_messages(folder)
        await a_plan(folder)


asyncio.run(main())
for failure in failures:
    print("FAILED:", failure)
sys.exit(1 if failures else 0)
