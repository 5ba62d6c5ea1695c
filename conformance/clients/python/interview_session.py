"""One session of the realtime interview API: one connection. It says its answers, and hears the replies."""

import asyncio
import json
import time
import zlib
from collections import deque

from interview_wire import CANCEL, PONG, RATE, SAMPLE_BYTES, build_chunk, build_commit, parse_message
from listener import Listener
from messages import BadAudio, sound_of, text_of
from player import Player

CHUNK_SAMPLES = 3600  # 150 ms, the middle of what the document recommends
CHUNK_BYTES = CHUNK_SAMPLES * SAMPLE_BYTES
LATE = 0.1  # later than that, the schedule begins anew: nothing is made up for in a burst

CONNECTED_TIMEOUT = 10
TAKE_TIMEOUT = 10  # of a server that takes nothing of what is sent
REPLY_TIMEOUT = 20  # for the reply, and for each next chunk of it
REPLY_ERROR_TIMEOUT = 5  # the same, once an error came in its place
SETTLE = 1  # when it is to end, how long it listens after the last that came

SERVICE_RESTART = 1012
RESTART_DELAY = 5
STATUSES = ("connecting", "connected", "disconnected")


class InterviewSession(Listener):
    sample_bytes = SAMPLE_BYTES

    def __init__(self, url, dialect, observe, tries_again):
        super().__init__(url, observe, tries_again)
        self.dialect = dialect
        self.answers = deque()  # not yet committed
        self.begun = set()  # tasks
        self.awaits_reply = False  # to the latest commit: its is_final did not come
        self.reply_deadline = 0.0
        self.reply_open = False  # a chunk came that was not the last of its reply
        self.muted = False  # what comes belongs to a reply that was interrupted
        self.final = False  # the end of a reply came since the latest speak

    async def converse(self):
        self.player = Player(time.monotonic(), SAMPLE_BYTES)
        work = [self.await_connected(), self.say_answers(), self.watch_for_reply(), self.play()]
        await self.do_beside(work, self.receive_and_play())

    async def await_connected(self):
        if not await self.until(lambda: self.ready, CONNECTED_TIMEOUT) and not self.over:
            self.report_error("CONNECTED_TIMEOUT", f"no status connected within {CONNECTED_TIMEOUT} s")
            await self.close()

    async def receive(self):
        await super().receive()
        if self.ws.close_code == SERVICE_RESTART:
            self.retry_after = RESTART_DELAY

    # ---- answers ----

    def speak(self, sound):
        """`sound`: integers at 24 kHz. It is an answer, said once those before it are."""
        self.answers.append(sound)
        self.deltas = self.turns = 0
        self.idle = self.final = False

    def is_sent(self):
        return self.ready and not self.answers

    def talks(self):
        return self.ready and not self.closing and self.ws.open

    async def say_answers(self):
        while await self.until(lambda: self.talks() and self.answers):
            if await self.say(self.answers[0]):
                await self.commit()

    async def say(self, answer):
        """As a microphone gives it: each chunk once its sound was said. False when it was broken off."""
        due = time.monotonic()
        for at in range(0, len(answer), CHUNK_BYTES):
            chunk = answer[at : at + CHUNK_BYTES]
            due = max(due, time.monotonic() - LATE) + len(chunk) / SAMPLE_BYTES / RATE
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            if not await self.until(lambda: not self.talks() or self.takes_more(), TAKE_TIMEOUT):
                self.report_error("NOT_READING", "the server does not take what it is sent")
                await self.close()
            if not self.talks():
                return False
            await self.send(build_chunk(self.dialect, chunk))
            self.quiet_at = time.monotonic()
        return True

    async def commit(self):
        self.answers.popleft()
        self.turns = 0
        self.muted = False
        self.awaits_reply = True
        self.reply_deadline = time.monotonic() + REPLY_TIMEOUT
        await self.send(build_commit(self.dialect))

    async def cancel(self):
        """Interrupts the reply: what is queued is not heard any more, nor what still comes of it."""
        if not self.talks():
            return
        self.muted = self.muted or self.awaits_reply or self.reply_open
        self.give_up_reply("cancelled")
        await self.send(CANCEL)

    def give_up_reply(self, seen):
        """Nobody has to wait for it any more, also when nothing of it came."""
        turns = self.turns
        self.drop(seen)
        self.turns = turns + 1 if self.awaits_reply else self.turns
        self.awaits_reply = False

    async def watch_for_reply(self):
        while await self.until(lambda: self.awaits_reply and time.monotonic() >= self.reply_deadline):
            self.report_error("NO_REPLY", "an answer was committed, and no whole reply came in time")
            self.reply_open = False
            self.give_up_reply(None)

    async def end(self):
        """Once all is said and the last reply was heard, or none came."""
        is_quiet = lambda: self.is_sent() and not self.awaits_reply and not self.player.held
        if await self.until(lambda: is_quiet() and time.monotonic() - self.quiet_at >= SETTLE):
            await self.close()

    async def close(self):
        """What is queued is not heard any more."""
        self.ending = True
        if self.player is not None and not self.closing and not self.over:
            self.drop(None)
        await super().close()

    # ---- receiving ----

    def begin(self, work):
        task = asyncio.ensure_future(work)
        self.begun.add(task)
        task.add_done_callback(self.begun.discard)

    def receive_text(self, text):
        if self.closing:
            return
        self.quiet_at = time.monotonic()
        try:
            kind, message = parse_message(self.dialect, text)
        except ValueError:
            self.report_error("", text)  # plain text is for people
            return
        take = {
            "status": self.receive_status,
            "ai_audio_chunk": self.receive_chunk,
            "transcript": self.receive_transcript,
            "function_result": self.receive_result,
            "error": self.receive_error,
            "ping": self.receive_ping,
        }.get(kind)
        if take is not None:
            take(message)

    def receive_status(self, message):
        status = text_of(message, "status")
        if status not in STATUSES:
            return
        self.observe("status", code=status, text=text_of(message, "message"))
        if status == "connected" and not self.ready:
            self.ready_at = time.monotonic()
            self.observe("ready", text=text_of(message, "message"))

    def receive_chunk(self, message):
        try:
            sound = sound_of(message, SAMPLE_BYTES)
        except BadAudio as error:
            self.report_error("BAD_CHUNK", error)
            sound = b""
        text, is_last, ignored = text_of(message, "transcript"), message.get("is_final") is True, self.muted
        crc = zlib.crc32(sound) if sound else None
        self.observe("delta", samples=len(sound) // SAMPLE_BYTES, audio=crc, final=is_last, text=text)
        self.reply_open = not is_last
        self.reply_deadline = time.monotonic() + REPLY_TIMEOUT
        if is_last:
            self.final = True
            self.muted = False
            self.awaits_reply = self.awaits_reply and ignored
        if ignored:
            return
        if text:
            self.observe("transcript", code="ai", text=text, final=False)
        if not self.hold(sound, text, is_last):
            self.begin(self.close())

    def receive_transcript(self, message):
        if isinstance(message.get("text"), str):
            speaker = self.dialect.speakers.get(text_of(message, self.dialect.speaker), "")
            self.observe("transcript", code=speaker, text=message["text"], final=True)

    def receive_result(self, message):
        result = json.dumps(message["result"], ensure_ascii=False) if "result" in message else ""
        self.observe("result", code=text_of(message, "function_name"), text=result)

    def receive_ping(self, _message):
        if self.dialect.pings:
            self.begin(self.send(PONG))

    def receive_error(self, message):
        self.report_error(text_of(message, self.dialect.error_code), text_of(message, "message"))
        if self.awaits_reply:
            self.reply_deadline = min(self.reply_deadline, time.monotonic() + REPLY_ERROR_TIMEOUT)
