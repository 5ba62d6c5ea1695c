"""One session with the Ojin realtime speech API: one connection."""

import asyncio
import json
import time
import zlib
from collections import deque

from backoff import LASTING_ERRORS
from connection import POLL, Connection
from wire import CHUNK_BYTES, SILENCE, SPEECH, BadFrame, build_message, now_ms, parse_frame

FRAME_BYTES = 1280  # 640 samples, 40 ms
FRAME_SECONDS = 0.04
BUFFER_FRAMES = 10  # held before playing starts; above it silence is skipped
MAX_HELD_FRAMES = 4096
MAX_HELD_BYTES = 128 * 1024 * 1024

EARLIER_CHUNK_BYTES = 5 * 12800  # a multiple of 400 ms
MESSAGES_PER_SECOND = 6
AUDIO_PER_SECOND = MESSAGES_PER_SECOND - 1  # one is kept for control messages
RATE_WINDOW = 1.1  # a little over a second, so that jitter on the way does no harm

READY_TIMEOUT = 10
FINAL_TIMEOUT = 10
RATE_LIMITED_PAUSE = 1
STALL_TIMEOUT = 10  # how long it waits for speech after it sent some
SETTLE_TIMEOUT = 2  # the most that new speech waits, after a cancel, for the old to end


def size_of(frame):
    return len(frame.audio or b"") + len(frame.image or b"")


class Session(Connection):
    def __init__(self, url, headers, earlier, observe):
        super().__init__(url, headers, observe)
        self.earlier = earlier  # the earlier revision: it streams by itself, and its frames hold the sound to play
        self.refused = False  # an error came in place of sessionReady
        self.final = False
        # sending
        self.unsent = deque()  # pairs of sound and params
        self.latest_sent = None
        self.sending = self.sent_speech = self.begins_turn = False
        self.sent_at = deque(maxlen=MESSAGES_PER_SECOND)
        self.on_their_way = 0
        self.paused_until = 0.0
        # receiving and playing
        self.buffer = deque()
        self.held_bytes = 0  # of sound and pictures
        self.full = False  # more came than can be held: the session ends
        self.own_speech = bytearray()  # not heard yet
        self.interaction = None  # of the latest speech frame, since the latest cancel
        self.cancelled = set()
        self.cancels_unconfirmed = 0
        self.ignore_speech = False  # cancelled before its first frame came
        self.shown = 0  # frames
        self.speech_played = 0  # of them speech, since the latest speak
        self.idle = False
        self.last_sign = 0.0  # of work towards the final frame
        self.unanswered_since = None  # the first speech sent since the latest speech frame
        self.settling_until = 0.0

    # ---- connecting ----

    async def converse(self):
        work = [self.await_ready(), self.send_speech(), self.play(), self.watch_for_stalls(), self.close_when_full()]
        await self.do_beside(work, self.receive_and_play())

    async def receive_and_play(self):
        await self.receive()
        while self.final and self.buffer and not self.closing:  # played to the end even when the server has closed by now
            await asyncio.sleep(POLL)

    async def close_when_full(self):
        if await self.until(lambda: self.full):
            await self.close()

    async def await_ready(self):
        if not await self.until(lambda: self.ready or self.refused, READY_TIMEOUT):
            self.report_error("READY_TIMEOUT", f"no sessionReady within {READY_TIMEOUT} s")
        elif self.refused:
            await self.until(lambda: False, 1)  # a server that refuses closes by itself
        if not self.ready:
            await self.close()

    # ---- sending ----

    def may_send(self, per_second):
        now = time.monotonic()
        return self.on_their_way + sum(now - at < RATE_WINDOW for at in self.sent_at) < per_second

    async def send(self, message):
        self.on_their_way += 1
        await super().send(message)
        self.on_their_way -= 1
        self.sent_at.append(time.monotonic())  # only now: what was held up before is followed no sooner for that

    async def send_control(self, kind):
        if self.ready and await self.until(lambda: self.may_send(MESSAGES_PER_SECOND)):
            await self.send(json.dumps({"type": kind, "payload": {"timestamp": now_ms()}}))

    async def open_stream(self):
        """One frame of silence starts the stream; the earlier revision starts by itself."""
        if not self.earlier:
            await self.send(build_message(bytes(FRAME_BYTES)))

    def speak(self, audio, params=None):
        """Whatever its length. The params, if any, go with each message of it."""
        self.ignore_speech = self.idle = False
        self.speech_played = 0
        self.begins_turn = True
        self.unsent.append((audio, params or {}))
        self.own_speech += audio

    def is_sent(self):
        return not self.unsent and not self.sending

    async def send_speech(self):
        await self.until(lambda: self.ready)
        await self.open_stream()
        chunk_bytes = EARLIER_CHUNK_BYTES if self.earlier else CHUNK_BYTES
        while await self.until(lambda: self.unsent and self.may_send(AUDIO_PER_SECOND) and not self.is_paused()):
            audio, params = self.unsent.popleft()
            if len(audio) > chunk_bytes:
                self.unsent.appendleft((audio[chunk_bytes:], params))
            self.latest_sent = audio[:chunk_bytes], params
            self.sending = self.sent_speech = True
            self.unanswered_since = self.unanswered_since or time.monotonic()
            await self.send(build_message(audio[:chunk_bytes], self.turn_params() | params))
            self.sending = False

    def turn_params(self):
        """The first message of a turn tells the server which frame is being shown, for a smooth way into speech."""
        begins, self.begins_turn = self.begins_turn, False
        return {"client_frame_index": self.shown - 1} if begins and self.shown > 0 else {}

    def is_paused(self):
        return time.monotonic() < max(self.paused_until, self.settling_until)

    def slow_down(self):
        """After RATE_LIMITED: a pause, then the latest speech again, since that was most likely refused."""
        self.paused_until = time.monotonic() + RATE_LIMITED_PAUSE
        if self.latest_sent is not None and not self.ending:
            self.unsent.appendleft(self.latest_sent)
        self.latest_sent = None

    async def cancel(self):
        self.unsent.clear()
        self.own_speech.clear()
        self.latest_sent = None
        self.buffer.clear()
        self.held_bytes = 0
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
        """Says that it is the end, reads to the final frame, plays what is held, closes."""
        self.ending = True
        await self.send_control("endInteraction")
        self.last_sign = time.monotonic()
        await self.until(lambda: self.final or time.monotonic() - self.last_sign > FINAL_TIMEOUT)
        if not self.final and not self.over:
            self.report_error("FINAL_TIMEOUT", f"no final frame within {FINAL_TIMEOUT} s")
        await self.until(lambda: not self.final or not self.buffer)
        await self.close()

    async def watch_for_stalls(self):
        stalled = lambda: self.unanswered_since and time.monotonic() - self.unanswered_since > STALL_TIMEOUT
        while await self.until(stalled):
            self.unanswered_since = None
            self.report_error("STALLED", f"no speech within {STALL_TIMEOUT} s of what was sent")

    # ---- receiving ----

    def receive_text(self, text):
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            self.receive_error("", text)
            return
        if not isinstance(message, dict):
            return
        payload = message.get("payload")
        if not isinstance(payload, dict):
            payload = {}
        if message.get("type") == "sessionReady" and not self.ready:
            self.ready_at = time.monotonic()
            load = payload.get("load")
            parameters = payload.get("parameters")
            self.observe(
                "ready",
                load=load if type(load) in (int, float) and 0 <= load <= 1 else None,
                text=None if parameters is None else json.dumps(parameters)[:500],
            )
        elif message.get("type") == "errorResponse":
            code = payload.get("code")
            self.receive_error(code if isinstance(code, str) else "", payload.get("message"))

    def receive_error(self, code, text):
        if code == "CANCELLED" and self.cancels_unconfirmed > 0:
            self.cancels_unconfirmed -= 1  # the answer to our own cancel
            self.settling_until = 0.0
            return
        self.report_error(code, text)
        self.refused = not self.ready
        if code == "RATE_LIMITED":
            self.slow_down()
        elif code in LASTING_ERRORS:
            self.lasting = True

    def receive_binary(self, data):
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
        if frame.final and frame.interaction not in self.cancelled:  # a stray one ends nothing
            self.final = True
            if frame.audio is None and frame.image is None:
                return
        self.hold(frame)

    def hold(self, frame):
        """For playing, unless it is too much."""
        if self.full or len(self.buffer) >= MAX_HELD_FRAMES or self.held_bytes + size_of(frame) > MAX_HELD_BYTES:
            if not self.full:
                self.report_error("BUFFER_FULL", "more frames came than can be held for playing")
            self.full = self.lasting = True
            return
        self.buffer.append(frame)
        self.held_bytes += size_of(frame)

    def next_frame(self):
        frame = self.buffer.popleft()
        self.held_bytes -= size_of(frame)
        return frame

    def observe_frame(self, seen, frame, audio):
        self.observe(
            seen,
            index=frame.index,
            final=frame.final,
            interaction=str(frame.interaction),
            timestamp=str(frame.timestamp),
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
            frame = self.next_frame()
            self.show(frame)
            if frame.index == SILENCE and len(self.buffer) > BUFFER_FRAMES:
                silences += 1
                if silences % 2 == 0 and self.buffer[0].index == SILENCE:
                    self.next_frame()
            due += FRAME_SECONDS
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    def show(self, frame):
        """A real client would draw frame.image here and hand the audio to the sound card."""
        audio = frame.audio if self.earlier else self.next_own_speech(frame)
        self.shown += 1
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
