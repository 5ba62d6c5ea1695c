"""ojin-client talk and conform against a small server that speaks the protocol by its document. Usage: talk_black_box.py"""
import asyncio
import base64
import hashlib
import json
import os
import pathlib
import signal
import struct
import sys
import tempfile
import wave

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "ci/tests"))
import patient

client = pathlib.Path(os.environ["BIN_DIR"]) / "ojin-client"
fixtures = pathlib.Path(os.environ["SOURCE_DIR"]) / "fixtures"
speech = fixtures / "speech" / "hello-1s.wav"
failures = []

DOCUMENTED = {"update": ("session.update", "session", "instructions"), "append": ("input_audio_buffer.append", None)}
LATER = {"update": ("session.init", "payload", "system_prompt"), "append": ("input.append", "input")}


def expect(what, holds, detail=""):
    print("ok  " if holds else "FAIL", what)
    if not holds:
        failures.append(f"{what}: {detail}")


def turn_samples():
    """A turn of 0.25 s, 1 s and 0.1 s whose samples tell where they stand."""
    return [[(first + i) / 65536 for i in range(count)] for first, count in ((1, 6000), (6001, 24000), (30001, 2400))]


def pcm(samples):
    return struct.pack(f"<{len(samples)}f", *samples)


class Server:
    """One session of the normal service. What the client sends is kept for the test."""

    def __init__(self, words=DOCUMENTED, end="stopped"):
        self.words = words
        self.end = end
        self.target = None
        self.types = []
        self.appends = []
        self.update = None
        self.close_code = None

    async def say(self, socket, **message):
        await socket.send(json.dumps(message))

    async def delta(self, socket, text, samples, last):
        audio = base64.b64encode(pcm(samples)).decode()
        if self.words is LATER:
            await self.say(socket, type="response.output.delta", kind="text", text=text)
            await self.say(socket, type="response.output.delta", kind="audio", audio=audio, end_of_turn=last)
        else:
            await self.say(socket, type="response.output_audio.delta", text=text, audio=audio, end_of_turn=last,
                           kv_cache_length=300 + len(self.appends))

    async def listen(self, socket):
        if self.words is LATER:
            await self.say(socket, type="response.output.delta", kind="listen", metrics={"kv_cache_length": 300})
        else:
            await self.say(socket, type="response.listen", kv_cache_length=300)

    async def answer(self, socket):
        """The whole turn at once, so that nothing depends on how fast the machine is."""
        number = len(self.appends)
        if number == 3:
            for text, samples in zip(("Hello", ", how can", " I help?"), turn_samples()):
                await self.delta(socket, text, samples, text.endswith("?"))
        elif number < 3 or number > 8 or self.appends[-1].get("force_listen"):
            await self.listen(socket)

    async def serve(self, socket, path):
        self.target = path
        await self.say(socket, type="session.queued", position=2, estimated_wait_s=0.5, ticket_id="t-1", queue_length=2)
        await asyncio.sleep(0.2)
        await self.say(socket, type="session.queue_update", position=1)
        expect("nothing is sent in the queue", not socket.messages)
        await self.say(socket, type="session.queue_done")
        async for text in socket:
            message = json.loads(text)
            self.types.append(message["type"])
            if message["type"] == self.words["update"][0]:
                self.update = message[self.words["update"][1]]
                await self.say(socket, type="session.created", session_id="rt_1714200000000", prompt_length=256)
            elif message["type"] == self.words["append"][0]:
                inner = self.words["append"][1]
                self.appends.append(message[inner] if inner else message)
                await self.answer(socket)
                if self.end != "stopped" and len(self.appends) == 2:
                    await self.say(socket, type="session.closed", reason=self.end)
            elif message["type"] == "session.close":
                await self.say(socket, type="session.closed", reason="stopped")
        self.close_code = socket.close_code

    def __call__(self, socket, path):
        return self.serve(socket, path)


async def run(server, *words, interrupt_after=None, environment=None):
    async with patient.serve(server, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        return await run_client(port, *words, interrupt_after=interrupt_after, environment=environment)


async def run_client(port, *words, interrupt_after=None, environment=None):
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("DUPLEX_", "CONFORM_"))}
    variables.update(environment or {})
    variables["DUPLEX_URL"] = f"ws://127.0.0.1:{port}/v1/realtime"
    process = await asyncio.create_subprocess_exec(client, *words, env=variables, stdout=asyncio.subprocess.PIPE,
                                                   stderr=asyncio.subprocess.PIPE)
    if interrupt_after is not None:
        await interrupt_after.wait()
        process.send_signal(signal.SIGINT)
    out, err = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode, out.decode(), err.decode()


def source_samples():
    with wave.open(str(speech)) as file:
        data = file.readframes(file.getnframes())
    return [value / 32768 for value in struct.unpack(f"<{len(data) // 2}h", data)]


def read_float_wav(path):
    data = path.read_bytes()
    at = 12
    while data[at:at + 4] != b"data":
        at += 8 + struct.unpack("<I", data[at + 4:at + 8])[0]
    size = struct.unpack("<I", data[at + 4:at + 8])[0]
    return list(struct.unpack(f"<{size // 4}f", data[at + 8:at + 8 + size]))


def heard_exactly(samples):
    """The whole turn, once, in a row, with nothing but silence around it."""
    whole = [value for part in turn_samples() for value in part]
    begun = next((i for i, value in enumerate(samples) if value != 0), None)
    if begun is None:
        return False
    return samples[begun:begun + len(whole)] == whole and not any(samples[begun + len(whole):])


def check_appends(name, server, pictures):
    audio = b"".join(base64.b64decode(append["audio"], validate=True) for append in server.appends)
    expect(f"{name}: each append is a second", all(len(base64.b64decode(a["audio"])) == 64000 for a in server.appends))
    source = source_samples()
    sent = list(struct.unpack(f"<{len(source)}f", audio[:4 * len(source)]))
    expect(f"{name}: the sound is sent sample for sample", sent == source)
    expect(f"{name}: what follows is silence", not any(audio[4 * len(source):]))
    if pictures is None:
        expect(f"{name}: no pictures", all("video_frames" not in append for append in server.appends))
        return
    shown = [base64.b64decode(append["video_frames"][0], validate=True) for append in server.appends]
    expect(f"{name}: the pictures come in order", shown == [pictures[i % len(pictures)] for i in range(len(shown))])


async def try_video(folder):
    frames = folder / "frames"
    frames.mkdir()
    picture = (fixtures / "pictures" / "persona.jpg").read_bytes()
    pictures = [picture, picture + b"\0"]  # what follows the end of a JPEG is no fault
    for number, picture in enumerate(pictures):
        (frames / f"{number:03}.jpg").write_bytes(picture)
    (frames / "notes.txt").write_text("no picture")
    server = Server()
    heard, transcript, report = folder / "heard.wav", folder / "transcript.txt", folder / "report.json"
    code, out, err = await run(server, "talk", "--mode", "video", "--audio", speech, "--video", frames, "--out", heard,
                               "--transcript", transcript, "--json", report, "--slices", "4", "--instructions", "Be brief.")
    expect("video: it ends well", code == 0, f"exit {code}\n{out}{err}")
    expect("video: the mode is in the URL", server.target == "/v1/realtime?mode=video", server.target)
    expect("video: the update holds what was given", server.update == {"instructions": "Be brief.", "max_slice_nums": 4},
           server.update)
    expect("video: update, appends, close, in that order",
           server.types == [server.types[0]] + [server.types[1]] * len(server.appends) + ["session.close"], server.types)
    check_appends("video", server, pictures)
    expect("video: the turn is heard sample for sample", heard_exactly(read_float_wav(heard)))
    text = transcript.read_text()
    expect("video: the transcript has the words", text.count("\n") == 1 and text.endswith("] Hello, how can I help?\n"), text)
    expect("video: the turn is printed", text in out, out)
    told = json.loads(report.read_text())
    length = told["turns"][0]["to_s"] - told["turns"][0]["from_s"]
    expect("video: the turn lasts as long as its sound", abs(length - 32400 / 24000) < 1e-4, told)
    expect("video: no gap, no error", told["gaps"] == 0 and told["errors"] == 0 and told["reason"] == "stopped", told)
    expect("video: it closes with 1000", server.close_code == 1000, server.close_code)


async def try_audio(folder):
    server = Server()
    code, out, err = await run(server, "talk", "--mode", "audio", "--audio", speech, "--quiet", "--json", folder / "audio.json")
    expect("audio: it ends well and quietly", code == 0 and out + err == "", f"exit {code}\n{out}{err}")
    expect("audio: the mode is in the URL", server.target == "/v1/realtime?mode=audio", server.target)
    expect("audio: no slices", list(server.update) == ["instructions"] and server.update["instructions"], server.update)
    check_appends("audio", server, None)


async def try_later(folder):
    server = Server(LATER)
    heard = folder / "later.wav"
    code, out, err = await run(server, "talk", "--later", "--audio", speech, "--out", heard)
    expect("later: it ends well", code == 0, f"exit {code}\n{out}{err}")
    expect("later: the turn is heard sample for sample", heard_exactly(read_float_wav(heard)))
    expect("later: session.init first", server.types[0] == "session.init", server.types)
    expect("later: a picture of its own", all(base64.b64decode(a["video_frames"][0])[:2] == b"\xff\xd8" for a in server.appends))


async def try_interrupt(folder):
    server = Server()
    begun = asyncio.Event()
    answer = server.answer

    async def begin(socket):
        begun.set()
        await answer(socket)
    server.answer = begin
    code, _, err = await run(server, "talk", "--mode", "audio", "--audio", speech, interrupt_after=begun)
    expect("SIGINT: it says goodbye", code == 130 and server.types[-1] == "session.close" and server.close_code == 1000,
           f"exit {code} {server.types} {server.close_code}\n{err}")


async def try_ends(folder):
    for reason in ("timeout", "context_full", "server_shutdown", "error"):
        server = Server(end=reason)
        code, out, err = await run(server, "talk", "--mode", "audio", "--audio", speech)
        expect(f"session.closed {reason}: told", code == 1 and reason in err and f"ended                 {reason}" in out,
               f"exit {code}\n{out}{err}")
        expect(f"session.closed {reason}: nothing is sent after it", len(server.appends) == 2, server.types)


async def try_refusals(folder):
    times = []

    async def full(socket, path):
        times.append(asyncio.get_running_loop().time())
        await socket.send('{"type":"error","error":{"code":"queue_full","message":"The queue is full","type":"server_error"}}')
        await socket.close(1013, "try again later")

    async def bare(socket, path):
        await socket.close(1013)

    async def invalid(socket, path):
        await socket.send('{"type":"session.queue_done"}')
        await socket.recv()
        await socket.close(1003, "not like that")

    code, _, err = await run(full, "talk", "--audio", speech, "--reconnect=2")
    expect("queue_full: tried again, then told", code == 1 and len(times) == 3 and "queue_full" in err, f"exit {code}\n{err}")
    expect("queue_full: later and later", len(times) == 3 and times[1] - times[0] >= 0.5 and
           times[2] - times[1] > times[1] - times[0], times)
    code, _, err = await run(bare, "talk", "--audio", speech)
    expect("1013 without a word: told", code == 1 and err.endswith("code 1013\n"), f"exit {code}\n{err}")
    code, _, err = await run(invalid, "talk", "--audio", speech, "--reconnect")
    expect("1003: told, and not tried again", code == 1 and "code 1003 (not like that)" in err, f"exit {code}\n{err}")


def message(text):
    return struct.pack("!BB", 0x81, len(text)) + text


async def try_same_segment(folder):
    got = []

    async def serve(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:] if ": " in line)
        key = {name.lower(): value for name, value in fields.items()}["sec-websocket-key"]
        got.append("authorization" in {name.lower() for name in fields})
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n" +
                     message(b'{"type":"session.queue_done"}'))
        got.append(bool(await reader.read(65536)))
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        code, _, err = await run_client(listening.sockets[0].getsockname()[1], "talk", "--audio", speech)
    expect("queue_done with the upgrade: the update comes", code == 1 and got == [False, True], f"{got} exit {code}\n{err}")


async def conform(server, folder, steps, profile="audio"):
    folder.mkdir()
    plan = folder / "plan.json"
    plan.write_text(json.dumps({"conform": 1, "profile": profile, "limit_ms": 30000, "steps": steps}))
    variables = {"CONFORM_PLAN": str(plan), "CONFORM_OUT": str(folder / "out")}
    code, out, err = await run(server, "conform", environment=variables)
    return code, [json.loads(line) for line in out.splitlines()], err


async def try_conforming(folder):
    server = Server()
    say = {"do": "speak", "file": str(speech)}
    code, seen, err = await conform(server, folder / "whole", [{"do": "connect"}, say, {"do": "close", "after": "turn"}])
    expect("conform: it does what the plan says", code == 0 and seen[-1] == {"conform": 1, "seen": "closed", "code": 1000},
           f"exit {code} {seen[-1:]}\n{err}")
    kinds = [one["seen"] for one in seen]
    expect("conform: the queue, then the session", kinds[:4] == ["queue", "queue", "queue", "ready"] and
           [one["position"] for one in seen[:3]] == [2, 1, 0], seen[:4])
    turns = [one for one in seen if one["seen"] == "turn"]
    expect("conform: the turn", len(turns) == 1 and turns[0]["final"] and turns[0]["samples"] == 32400 and
           turns[0]["text"] == "Hello, how can I help?", turns)
    heard = [one for one in seen if one["seen"] == "heard"]
    places = [one["at"] for one in heard]
    expect("conform: what is heard is in a row", places[1:] == [one["at"] + one["samples"] for one in heard[:-1]], heard)
    expect("conform: sound.wav", heard_exactly(read_float_wav(folder / "whole" / "out" / "sound.wav")))

    server = Server()
    code, seen, err = await conform(server, folder / "cut", [
        {"do": "connect"}, say, {"do": "force-listen", "after": "speech:2"}, {"do": "wait", "ms": 0, "after": "listen"},
        {"do": "close"}], "video")
    forced = [append["force_listen"] for append in server.appends]
    expect("conform: it interrupts once", code == 0 and forced.count(True) == 1, f"exit {code} {forced}\n{err}")
    kinds = [one["seen"] for one in seen]
    expect("conform: nothing is heard after that", "cancelled" in kinds and
           "heard" not in kinds[kinds.index("cancelled"):], kinds)
    code, _, _ = await conform(server, folder / "cancel", [{"do": "connect"}, {"do": "cancel"}])
    expect("conform: a step it cannot do", code == 77, code)


async def try_mistakes(folder):
    broken = folder / "broken"
    broken.mkdir()
    (broken / "a.jpg").write_text("no picture")
    (folder / "empty").mkdir()
    mistakes = [
        ("an unknown mode", ["--mode", "x", "--audio", speech], "'x'"),
        ("slices in audio mode", ["--mode", "audio", "--slices", "2", "--audio", speech], "--slices"),
        ("pictures in audio mode", ["--mode", "audio", "--video", folder, "--audio", speech], "--video"),
        ("too many slices", ["--slices", "10", "--audio", speech], "'10'"),
        ("no sound", ["--mode", "audio"], "DUPLEX_AUDIO"),
        ("a sound that is not there", ["--audio", "absent.wav"], "absent.wav"),
        ("a picture that is none", ["--audio", speech, "--video", broken], "a.jpg"),
        ("a folder without pictures", ["--audio", speech, "--video", folder / "empty"], "empty"),
        ("no such folder", ["--audio", speech, "--video", folder / "absent"], "absent"),
        ("a place that cannot be written", ["--audio", speech, "--out", folder / "absent" / "a.wav"], "a.wav"),
        ("a voice that is none", ["--audio", speech, "--voice", broken / "a.jpg"], "a.jpg"),
        ("a voice at another rate", ["--audio", speech, "--voice", fixtures / "speech" / "hello-3s-48k-stereo.wav"], "16 kHz"),
        ("a URL with another mode", ["--audio", speech, "--url", "ws://127.0.0.1:1/v1/realtime?mode=audio"], "mode"),
        ("an unknown option", ["--loud"], "'--loud'"),
    ]
    for name, words, text in mistakes:
        code, _, err = await run_client(1, "talk", *words)
        expect(name, code == 2 and err.count("\n") == 1 and text in err, f"exit {code}\n{err}")
    code, _, err = await run_client(1, "talk", "--audio", speech)
    expect("a server that is not there", code == 1 and "127.0.0.1:1" in err, f"exit {code}\n{err}")


async def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tries = (try_video, try_audio, try_later, try_interrupt, try_ends, try_refusals, try_same_segment, try_conforming,
                 try_mistakes)
        await asyncio.gather(*(attempt(folder) for attempt in tries))
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(asyncio.run(main()))
