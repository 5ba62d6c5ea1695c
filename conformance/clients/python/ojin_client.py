#!/usr/bin/python3
"""A client of the Ojin realtime speech API on asyncio and websockets 10.4, with an adapter for ojin-conform.

Where to go comes from the environment: OJIN_URL (without its query), OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO.
CONFORM_PLAN says what to do; without it the client speaks OJIN_AUDIO and ends. What it sees goes to standard
output, one JSON object a line. Exit: 0 done, 1 an error was seen, 77 cannot do what the plan asks.
"""

import asyncio
import json
import os
import struct
import sys
import time
import urllib.parse
import uuid
import wave
import zlib
from collections import deque, namedtuple

import websockets

# InteractionInput: payload type, timestamp in milliseconds, params size
HEADER_FORMAT = "!BQI"
HEADER_BYTES = struct.calcsize(HEADER_FORMAT)
# InteractionResponse: final flag, interaction id, timestamp, usage, index, number of payloads
RESPONSE_FORMAT = "!B16sQIII"
RESPONSE_BYTES = struct.calcsize(RESPONSE_FORMAT)
# Each payload: data size, type
ENTRY_FORMAT = "!IB"
ENTRY_BYTES = struct.calcsize(ENTRY_FORMAT)
AUDIO, IMAGE = 1, 2
SILENCE, SPEECH = 0, 1

SAMPLE_RATE = 16000
FRAME_BYTES = 1280  # 640 samples, 40 ms
FRAME_SECONDS = 0.04
BUFFER_FRAMES = 10  # held before playing starts; above it silence is skipped

MAX_MESSAGE_BYTES = 524288
CHUNK_BYTES = (MAX_MESSAGE_BYTES - HEADER_BYTES) // 2 * 2  # whole samples
EARLIER_CHUNK_BYTES = 5 * 12800  # a multiple of 400 ms
MESSAGES_PER_SECOND = 6
AUDIO_PER_SECOND = MESSAGES_PER_SECOND - 1  # one is kept for control messages
RATE_WINDOW = 1.1  # a little over a second, so that jitter on the way does no harm

MAX_RECEIVED_BYTES = 16 * 1024 * 1024
READY_TIMEOUT = 10
FINAL_TIMEOUT = 10
CLOSE_TIMEOUT = 2
RATE_LIMITED_PAUSE = 1
STALL_TIMEOUT = 10  # speech was sent, and so long none came back
SETTLE_TIMEOUT = 2  # after a cancel new speech waits for the old to end, so long at most
POLL = 0.005

Frame = namedtuple("Frame", "final interaction index audio image")


class BadFrame(Exception):
    """A binary message that is no InteractionResponse."""


class UnsupportedAudio(Exception):
    """A sound file that cannot be sent as it is."""


def now_ms():
    return int(time.time() * 1000)


def build_message(audio):
    return struct.pack(HEADER_FORMAT, AUDIO, now_ms(), 0) + audio


def parse_frame(data):
    if len(data) < RESPONSE_BYTES:
        raise BadFrame(f"{len(data)} bytes are no whole header")
    final, interaction, _, _, index, count = struct.unpack_from(RESPONSE_FORMAT, data)
    payloads = {}
    offset = RESPONSE_BYTES
    for number in range(count):
        if len(data) - offset < ENTRY_BYTES:
            raise BadFrame(f"payload {number + 1} of {count} is missing")
        size, kind = struct.unpack_from(ENTRY_FORMAT, data, offset)
        offset += ENTRY_BYTES
        if size > len(data) - offset:
            raise BadFrame(f"payload {number + 1} has {size} bytes, {len(data) - offset} are left")
        payloads[kind] = data[offset : offset + size]
        offset += size
    return Frame(final == 1, uuid.UUID(bytes=interaction), index, payloads.get(AUDIO), payloads.get(IMAGE))


def read_speech(path):
    try:
        with wave.open(path, "rb") as file:
            if file.getnchannels() != 1 or file.getframerate() != SAMPLE_RATE or file.getsampwidth() != 2:
                raise UnsupportedAudio(
                    f"{path}: {8 * file.getsampwidth()} bit, {file.getnchannels()} channels, "
                    f"{file.getframerate()} Hz; only 16 bit mono at {SAMPLE_RATE} Hz can be sent"
                )
            audio = file.readframes(file.getnframes())
    except (OSError, EOFError, wave.Error) as error:
        raise UnsupportedAudio(f"{path}: {error}") from error
    return audio[: len(audio) // 2 * 2]


class OjinClient:
    """One session. Callbacks are not needed here: what happens is printed and kept in the members."""

    def __init__(self, url, key, config_id, profile):
        self.url = f"{url}?config_id={urllib.parse.quote(config_id, safe='')}"
        self.headers = {"Authorization": key}
        self.earlier = profile == "oris-1.0-earlier"
        self.ws = None
        self.tasks = []
        self.ready = self.final = self.ending = self.over = False
        self.errors = 0
        # sending
        self.unsent = bytearray()
        self.sending = False
        self.latest_audio = b""
        self.sent_at = deque(maxlen=MESSAGES_PER_SECOND)
        self.paused_until = 0.0
        # receiving and playing
        self.buffer = deque()
        self.own_speech = bytearray()  # not heard yet
        self.interaction = None  # of the latest speech frame, since the latest cancel
        self.cancelled = set()
        self.cancels_unconfirmed = 0
        self.ignore_speech = False  # cancelled before its first frame came
        self.speech_played = 0
        self.idle = False
        self.last_sign = 0.0  # of work towards the final frame
        self.unanswered_since = None  # the first speech sent since the latest speech frame
        self.settling_until = 0.0

    @staticmethod
    def observe(seen, **members):
        line = {"conform": 1, "seen": seen}
        line.update((name, value) for name, value in members.items() if value is not None)
        print(json.dumps(line), flush=True)

    def report_error(self, code, text):
        self.errors += 1
        clean = str(text or "").encode("utf-8", "replace").decode()  # no half pairs
        self.observe("error", code=str(code or "")[:60], text=clean[:500])

    async def until(self, condition, timeout=None):
        """Waits for the condition, the end of the connection or the timeout; True when it was the first."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not condition():
            if self.over or (deadline is not None and time.monotonic() >= deadline):
                return False
            await asyncio.sleep(POLL)
        return True

    # ---- connecting and closing ----

    async def connect(self):
        try:
            self.ws = await websockets.connect(
                self.url,
                extra_headers=self.headers,
                max_size=MAX_RECEIVED_BYTES,
                compression=None,  # neither sound nor JPEG shrinks
                ping_interval=30,
                ping_timeout=10,
                open_timeout=READY_TIMEOUT,
                close_timeout=CLOSE_TIMEOUT,
            )
        except websockets.InvalidStatusCode as error:
            self.over = True
            self.report_error(error.status_code, f"the handshake was refused with HTTP {error.status_code}")
            return
        except (OSError, asyncio.TimeoutError, websockets.InvalidHandshake) as error:
            self.over = True
            self.report_error("NO_CONNECTION", str(error) or "no answer to the handshake")
            return
        self.tasks = [asyncio.ensure_future(task) for task in (self.receive(), self.play())]
        await self.until(lambda: self.ready or self.errors > 0, READY_TIMEOUT)
        if self.ready:
            await self.open_stream()
            self.tasks += [asyncio.ensure_future(task) for task in (self.send_speech(), self.watch_for_stalls())]
            return
        if self.errors == 0 and not self.over:
            self.report_error("READY_TIMEOUT", f"no sessionReady within {READY_TIMEOUT} s")
        await self.until(lambda: False, 1)  # a server that refuses closes by itself
        await self.close()

    async def close(self):
        if self.ws is not None and not self.over:
            await self.ws.close(1000)
            await self.until(lambda: False, CLOSE_TIMEOUT)
        for task in self.tasks:
            task.cancel()

    # ---- sending ----

    def may_send(self, per_second):
        now = time.monotonic()
        return sum(now - at < RATE_WINDOW for at in self.sent_at) < per_second

    async def send(self, message):
        self.sent_at.append(time.monotonic())
        try:
            await self.ws.send(message)
        except websockets.ConnectionClosed:
            pass  # receive() reports it

    async def send_control(self, kind):
        if await self.until(lambda: self.may_send(MESSAGES_PER_SECOND)):
            await self.send(json.dumps({"type": kind, "payload": {"timestamp": now_ms()}}))

    async def open_stream(self):
        """One frame of silence starts the stream; the earlier revision starts by itself."""
        if not self.earlier:
            await self.send(build_message(bytes(FRAME_BYTES)))

    def speak(self, audio):
        self.ignore_speech = self.idle = False
        self.speech_played = 0
        self.unsent += audio
        self.own_speech += audio

    def is_sent(self):
        return not self.unsent and not self.sending

    async def send_speech(self):
        chunk_bytes = EARLIER_CHUNK_BYTES if self.earlier else CHUNK_BYTES
        while await self.until(lambda: self.unsent and self.may_send(AUDIO_PER_SECOND) and not self.is_paused()):
            self.latest_audio = bytes(self.unsent[:chunk_bytes])
            del self.unsent[:chunk_bytes]
            self.sending = True
            self.unanswered_since = self.unanswered_since or time.monotonic()
            await self.send(build_message(self.latest_audio))
            self.sending = False

    def is_paused(self):
        return time.monotonic() < max(self.paused_until, self.settling_until)

    def slow_down(self):
        """After RATE_LIMITED: a pause, then the latest audio again, since that was most likely refused."""
        self.paused_until = time.monotonic() + RATE_LIMITED_PAUSE
        if not self.ending:
            self.unsent[:0] = self.latest_audio
            self.latest_audio = b""

    async def cancel(self):
        self.unsent.clear()
        self.own_speech.clear()
        self.latest_audio = b""
        self.buffer.clear()
        if self.interaction is not None:
            self.cancelled.add(self.interaction)
        self.ignore_speech = self.interaction is None
        self.interaction = None
        self.cancels_unconfirmed += 1
        self.unanswered_since = None
        self.settling_until = time.monotonic() + SETTLE_TIMEOUT
        self.observe("cancelled")
        await self.send_control("cancelInteraction")

    async def end(self):
        """Sends what is left, says that it is the end, reads to the final frame, plays what is held, closes."""
        await self.until(self.is_sent)
        self.ending = True
        await self.send_control("endInteraction")
        self.last_sign = time.monotonic()
        await self.until(lambda: self.final or time.monotonic() - self.last_sign > FINAL_TIMEOUT)
        if not self.final and not self.over:
            self.report_error("FINAL_TIMEOUT", f"no final frame within {FINAL_TIMEOUT} s")
        while self.final and self.buffer:  # played to the end even when the server has closed by now
            await asyncio.sleep(POLL)
        await self.close()

    async def watch_for_stalls(self):
        stalled = lambda: self.unanswered_since and time.monotonic() - self.unanswered_since > STALL_TIMEOUT
        while await self.until(stalled):
            self.unanswered_since = None
            self.report_error("STALLED", f"no speech within {STALL_TIMEOUT} s of what was sent")

    # ---- receiving ----

    async def receive(self):
        try:
            async for message in self.ws:
                if isinstance(message, str):
                    self.receive_text(message)
                else:
                    self.receive_frame(message)
        except websockets.ConnectionClosed:
            pass
        self.over = True
        self.observe("closed", code=self.ws.close_code or 1006, text=(self.ws.close_reason or "")[:100])

    def receive_text(self, text):
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            self.report_error("", text)
            return
        if not isinstance(message, dict):
            return
        payload = message.get("payload")
        if not isinstance(payload, dict):
            payload = {}
        if message.get("type") == "sessionReady" and not self.ready:
            self.ready = True
            load = payload.get("load")
            parameters = payload.get("parameters")
            self.observe(
                "ready",
                load=load if type(load) in (int, float) and 0 <= load <= 1 else None,
                text=None if parameters is None else json.dumps(parameters)[:500],
            )
        elif message.get("type") == "errorResponse":
            self.receive_error(payload.get("code"), payload.get("message"))

    def receive_error(self, code, text):
        if code == "CANCELLED" and self.cancels_unconfirmed > 0:
            self.cancels_unconfirmed -= 1  # the answer to our own cancel
            self.settling_until = 0.0
            return
        self.report_error(code, text)
        if code == "RATE_LIMITED":
            self.slow_down()

    def receive_frame(self, data):
        try:
            frame = parse_frame(data)
        except BadFrame as error:
            self.report_error("BAD_FRAME", error)
            return
        self.observe_frame("frame", frame, frame.audio)
        if frame.index == SPEECH:
            self.last_sign = time.monotonic()
            self.unanswered_since = None
            if self.ignore_speech:
                self.cancelled.add(frame.interaction)
            if frame.interaction in self.cancelled:
                return
            self.interaction = frame.interaction
        else:
            self.settling_until = 0.0
        if frame.final:
            self.final = True
            if frame.audio is None and frame.image is None:
                return
        self.buffer.append(frame)

    def observe_frame(self, seen, frame, audio):
        self.observe(
            seen,
            index=frame.index,
            final=frame.final,
            interaction=str(frame.interaction),
            audio=None if audio is None else zlib.crc32(audio),
            image=None if frame.image is None else zlib.crc32(frame.image),
        )

    # ---- playing ----

    async def play(self):
        """Shows 25 frames a second, counted from the first one so that errors do not add up."""
        await self.until(lambda: len(self.buffer) >= BUFFER_FRAMES or self.final)
        due = time.monotonic()
        silences = 0
        while True:
            if not self.buffer:
                if not await self.until(lambda: self.buffer):
                    return
                due = time.monotonic()  # starved: the clock starts anew
            frame = self.buffer.popleft()
            self.show(frame)
            if frame.index == SILENCE and len(self.buffer) > BUFFER_FRAMES:
                silences += 1
                if silences % 2 == 0 and self.buffer[0].index == SILENCE:
                    self.buffer.popleft()
            due += FRAME_SECONDS
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    def show(self, frame):
        """A real client would draw frame.image here and hand the audio to the sound card."""
        audio = frame.audio if self.earlier else self.next_own_speech(frame)
        if frame.index == SPEECH:
            self.speech_played += 1
        elif self.speech_played > 0:
            self.idle = True
        self.observe_frame("played", frame, audio)

    def next_own_speech(self, frame):
        """Our own speech runs along with the speech frames; silence frames are silent."""
        if frame.index != SPEECH or not self.own_speech:
            return None
        audio = bytes(self.own_speech[:FRAME_BYTES])
        del self.own_speech[:FRAME_BYTES]
        return audio.ljust(FRAME_BYTES, b"\0")


# ---- the adapter: obeys the plan of ojin-conform ----


STEPS = ("connect", "speak", "cancel", "end", "wait", "close")


class CannotDo(Exception):
    """A step of the plan that this client does not know."""


def condition_of(client, after):
    name, _, count = after.partition(":")
    conditions = {
        "ready": lambda: client.ready,
        "speech": lambda: client.speech_played >= int(count or 1),
        "sent": client.is_sent,
        "idle": lambda: client.idle,
        "final": lambda: client.final,
        "error": lambda: client.errors > 0,
        "closed": lambda: client.over,
    }
    if name not in conditions:
        raise CannotDo(f"after {after}")
    return conditions[name]


async def do_step(client, step):
    if step["do"] == "connect":
        await client.connect()
    elif step["do"] == "speak":
        client.speak(read_speech(step["file"]))
    elif step["do"] == "cancel":
        await client.cancel()
    elif step["do"] == "end":
        await client.end()
    elif step["do"] == "wait":
        await client.until(lambda: False, step.get("ms", 0) / 1000)
    elif step["do"] == "close":
        await client.close()


async def run_plan(client, plan):
    unknown = [step["do"] for step in plan["steps"] if step["do"] not in STEPS]
    if unknown:  # told before anything is begun
        raise CannotDo(unknown[0])
    deadline = time.monotonic() + plan["limit_ms"] / 1000
    for step in plan["steps"]:
        if "after" in step:
            await client.until(condition_of(client, step["after"]), deadline - time.monotonic())
        if client.over or time.monotonic() >= deadline:
            break
        await do_step(client, step)


def read_plan():
    if "CONFORM_PLAN" in os.environ:
        with open(os.environ["CONFORM_PLAN"], encoding="utf-8") as file:
            return json.load(file)
    steps = [{"do": "connect"}, {"do": "speak", "file": os.environ.get("OJIN_AUDIO", "")}, {"do": "end"}]
    return {"limit_ms": 600000, "steps": steps}


async def main():
    missing = [name for name in ("OJIN_URL", "OJIN_API_KEY", "OJIN_CONFIG_ID") if name not in os.environ]
    if missing:
        print(f"not set: {', '.join(missing)}", file=sys.stderr)
        return 99
    client = OjinClient(
        os.environ["OJIN_URL"],
        os.environ["OJIN_API_KEY"],
        os.environ["OJIN_CONFIG_ID"],
        os.environ.get("CONFORM_PROFILE", "oris-1.0"),
    )
    try:
        await run_plan(client, read_plan())
    except UnsupportedAudio as error:
        client.report_error("UNSUPPORTED_AUDIO", error)
    except CannotDo as step:
        print(f"cannot do this: {step}", file=sys.stderr)
        return 77
    finally:
        await client.close()
    return 1 if client.errors else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
