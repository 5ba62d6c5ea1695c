"""One session of the full-duplex speech protocol: one connection. It says what it is given and hears at the same time."""

import asyncio
import time
import zlib

from connection import POLL
from duplex_wire import SAMPLE_BYTES, build_append, build_close, build_update, float_sound_of, parse_message
from listener import Listener
from messages import BadAudio, count_of, text_of
from player import RATE, Player

INSTRUCTIONS = "You are a helpful assistant. Answer briefly."
APPEND_BYTES = 16000 * 4  # a second
APPEND_EVERY = 1.0  # seconds
LATE = 0.2  # later than that, the schedule begins anew: nothing is made up for in a burst

FIRST_WORD_TIMEOUT = 60  # of a server that says nothing at all
QUEUE_TIMEOUT = 600  # the document promises no updates: as long as a session may last
CREATED_TIMEOUT = 60
CREATED_ERROR_TIMEOUT = 5  # the same, once an error came in its place
CLOSED_TIMEOUT = 5
LINGER = 0.5  # after the last word of the server its own close is awaited
LISTEN_TIMEOUT = 5  # the most that deltas are not played after force_listen, when no listen comes
ANSWER_TIMEOUT = 20  # at the end
SETTLE = 3  # after an answer, for another

# After these session.closed another session would end the same, and after these errors the server closes.
LASTING_REASONS = {"stopped", "timeout", "context_full"}
CLOSING_ERRORS = {"service_unavailable", "queue_full", "worker_busy", "worker_connect_failed"}


class DuplexSession(Listener):
    sample_bytes = SAMPLE_BYTES

    def __init__(self, url, dialect, pictures, observe, tries_again):
        super().__init__(url, observe, tries_again)
        self.dialect = dialect
        self.pictures = pictures  # shown in turn; none in a mode without
        self.queued = self.queue_done = self.stopping = self.final = False
        self.deadline = None  # for what is waited for before the stream
        self.ends_at = None  # the server is about to close: when that is done for it
        self.update = None  # the task that sends it
        # sending
        self.unsent = bytearray()  # float32
        self.waiting = None  # the sound of an append that the server does not take yet, and whether it is speech
        self.talked = self.sent_speech = self.force_due = self.not_reading = False
        self.appends = 0
        # receiving and playing
        self.muted_until = 0.0  # an interruption is on its way
        self.listens = 0  # since the latest speak

    # ---- from the queue to the stream ----

    async def converse(self):
        self.deadline = time.monotonic() + FIRST_WORD_TIMEOUT
        work = [self.await_session(), self.stream(), self.play(), self.leave_when_told()]
        await self.do_beside(work, self.receive_and_play())

    async def await_session(self):
        await self.until(lambda: self.ready or time.monotonic() >= self.deadline)
        if self.ready or self.over or self.ends_at is not None:
            return
        what = "session.created" if self.queue_done else "session.queue_done"
        self.report_error("CREATED_TIMEOUT" if self.queue_done else "QUEUE_TIMEOUT", f"no {what} came in time")
        await super().close()

    async def leave_when_told(self):
        """After session.closed, or an error after which the server closes: it does that by itself, or it is done for it."""
        if await self.until(lambda: self.ends_at is not None and time.monotonic() >= self.ends_at):
            if not self.closing and self.ws.open:
                self.told_why = True
                await self.ws.close(1000)

    # ---- sending ----

    def speak(self, sound):
        """`sound`: float32 at 16 kHz. It goes into the next appends, a second in each."""
        self.unsent += sound
        self.talked = True
        self.deltas = self.turns = self.listens = 0
        self.idle = False

    def is_sent(self):
        return self.ready and not self.unsent and not (self.waiting is not None and self.waiting[1])

    def goes_on(self):
        return self.ready and not self.stopping and not self.final and not self.closing

    def streams(self):
        return self.goes_on() and self.ws.open

    async def stream(self):
        """A second of sound every second, whoever speaks: what is to be said, else silence, as an open microphone gives it."""
        await self.until(lambda: self.ready)
        due = time.monotonic()
        while self.streams():
            now = time.monotonic()
            if self.waiting is not None and self.takes_more():
                await self.send_append()
                due = now + APPEND_EVERY
            elif now >= due:
                due = (due if now - due < LATE else now) + APPEND_EVERY
                await self.append_due()
            await asyncio.sleep(POLL)

    async def append_due(self):
        """The newest second takes the place of one that waits."""
        if self.waiting is not None and not self.not_reading:
            self.not_reading = True
            self.report_error("NOT_READING", "the server does not take what it is sent; older speech is dropped")
        speech = bytes(self.unsent[:APPEND_BYTES])
        del self.unsent[:APPEND_BYTES]
        self.waiting = speech.ljust(APPEND_BYTES, b"\0"), bool(speech)
        if self.takes_more():
            await self.send_append()

    async def send_append(self):
        (sound, is_speech), self.waiting = self.waiting, None
        picture = self.pictures[self.appends % len(self.pictures)] if self.pictures else None
        force, self.force_due = self.force_due, False
        if force:
            self.muted_until = time.monotonic() + LISTEN_TIMEOUT
        self.appends += 1
        self.not_reading = False
        self.sent_speech = self.sent_speech or is_speech
        await self.send(build_append(self.dialect, sound, picture, force))

    def force_listen(self):
        """Interrupts the server: what is queued is not heard any more, and the next append tells it."""
        if not self.streams():
            return
        self.force_due = True
        self.listens = 0
        self.muted_until = float("inf")
        self.drop("cancelled")

    async def end(self):
        """Once all is said and the answer was heard, or none came."""
        if not await self.until(self.is_sent):
            return
        said_at = time.monotonic()
        wait = lambda: SETTLE if self.is_answered() else ANSWER_TIMEOUT
        if not await self.until(lambda: not self.player.held and time.monotonic() - max(said_at, self.quiet_at) >= wait()):
            return
        if not self.is_answered():
            self.report_error("NO_ANSWER", "speech was sent, and no turn of the server came")
        await self.close()

    def is_answered(self):
        return not self.player.in_turn and (self.turns > 0 or not self.talked)

    async def close(self):
        """Says that it is the end, and waits for session.closed; what is queued is not heard any more."""
        self.ending = True
        if self.closing or self.over:
            return
        if self.player is not None:
            self.drop(None)
        if self.streams():
            self.stopping = True
            await self.send(build_close())
            if not await self.until(lambda: self.final or not self.ws.open, CLOSED_TIMEOUT):
                self.report_error("CLOSED_TIMEOUT", "no session.closed came after session.close")
        await super().close()

    # ---- receiving ----

    def receive_text(self, text):
        try:
            kind, message = parse_message(self.dialect, text)
        except ValueError:
            self.report_error("", text)  # plain text is for people
            return
        take = {
            "session.queued": self.receive_place,
            "session.queue_update": self.receive_place,
            "session.queue_done": self.receive_queue_done,
            "session.created": self.receive_created,
            "delta": self.receive_delta,
            "listen": self.receive_listen,
            "session.closed": self.receive_closed,
            "error": self.receive_error,
        }.get(kind)
        if take is not None and not self.closing:
            take(message)

    def receive_place(self, message):
        if self.queue_done:
            return
        self.deadline = time.monotonic() + QUEUE_TIMEOUT
        position = count_of(message, "position") or 1
        self.observe("queue", position=position, text=f"place {position} in the queue")

    def receive_queue_done(self, _message):
        if self.queue_done:
            return
        self.queue_done = True
        self.deadline = time.monotonic() + CREATED_TIMEOUT
        self.observe("queue", position=0, text="a worker is there")
        self.update = asyncio.ensure_future(self.send(build_update(self.dialect, INSTRUCTIONS)))

    def receive_created(self, message):
        if self.ready or not self.queue_done:
            return
        self.ready_at = self.quiet_at = time.monotonic()
        self.player = Player(self.ready_at, SAMPLE_BYTES, usual=RATE)
        self.observe("ready", text=text_of(message, "session_id")[:60])

    def receive_delta(self, message):
        if not self.ready or self.final:
            return
        try:
            sound = float_sound_of(message)
        except BadAudio as error:
            self.report_error("BAD_DELTA", error)
            sound = b""
        ends = message.get("end_of_turn") is True
        self.observe(
            "delta",
            samples=len(sound) // SAMPLE_BYTES,
            audio=zlib.crc32(sound) if sound else None,
            final=ends,
            cache=count_of(message, "kv_cache_length"),
            text=text_of(message, "text"),
        )
        if self.stopping or time.monotonic() < self.muted_until:
            return
        if not self.hold(sound, text_of(message, "text"), ends):
            self.ends_at = time.monotonic()

    def receive_listen(self, message):
        if not self.goes_on():  # the close that follows it may have been read already
            return
        self.listens += 1
        if not self.force_due:  # a listen before force_listen has left was for something else
            self.muted_until = 0.0
        self.drop("listen", cache=count_of(message, "kv_cache_length"))

    def receive_closed(self, message):
        if self.final:
            return
        self.final = self.told_why = True
        reason = text_of(message, "reason")
        self.observe("state", code="session-closed", text=reason)
        if reason in LASTING_REASONS:
            self.lasting = True
        else:
            self.report_error("SESSION_CLOSED", reason)
        self.ends_at = time.monotonic() + LINGER

    def receive_error(self, message):
        error = message.get("error")
        if not isinstance(error, dict):
            error = {}
        code, kind = text_of(error, "code"), text_of(error, "type")
        self.report_error(code, text_of(error, "message") + (f" ({kind})" if kind else ""))
        if code in CLOSING_ERRORS:
            self.ends_at = time.monotonic() + LINGER
        elif self.queue_done and not self.ready:
            self.deadline = min(self.deadline, time.monotonic() + CREATED_ERROR_TIMEOUT)
