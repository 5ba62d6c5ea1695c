"""What a user holds: a session, and when that is lost another, as often as it is told to try."""

import asyncio
import time
import urllib.parse

from backoff import Backoff
from connection import POLL
from duplex_session import DuplexSession
from duplex_wire import DOCUMENTED, LATER
from interview_session import InterviewSession
from interview_wire import DEPLOYED
from interview_wire import DOCUMENTED as INTERVIEW
from session import Session

HEALTHY = 30  # seconds; a session that held for this long was none of a row of failures


class Client:
    """A family adds new_session(), carry_over() and what its users ask for."""

    def __init__(self, observe):
        self.observe = observe
        self.backoff = Backoff(attempts=0)
        self.session = self.new_session()
        self.running = None
        self.over = False

    async def connect(self):
        """Comes back once the handshake was answered, or has failed."""
        self.running = asyncio.ensure_future(self.run())
        first = self.session
        await self.until(lambda: first.ws is not None or first.over)

    def reconnect(self, attempts):
        """From now on a connection that is lost or refused is tried again, at most `attempts` times in a row."""
        self.backoff.attempts = attempts

    async def run(self):
        try:
            await self.session.run()
            while (delay := self.delay_before_next()) is not None:
                self.session = self.session_after(self.session)
                self.observe("state", code="backing-off", ms=int(delay * 1000), text=f"trying again in {delay:.1f} s")
                await asyncio.sleep(delay)
                self.observe("state", code="connecting", text=f"attempt {self.backoff.tried} of {self.backoff.attempts}")
                await self.session.run()
        finally:
            self.over = True

    def delay_before_next(self):
        """After the session has ended. None when it ended for good, or there were attempts enough."""
        session = self.session
        if self.backoff.attempts == 0 or session.ending or session.lasting:
            return None
        if session.ready and time.monotonic() - session.ready_at >= HEALTHY:
            self.backoff.reset()
        delay = self.backoff.next_delay(session.retry_after)
        if delay is None:
            session.report_error("GAVE_UP", f"no connection held after {self.backoff.tried} further attempts")
        return delay

    def session_after(self, old):
        """Begins from nothing: what belongs to one session cannot get into the next, but what was never begun."""
        session = self.new_session()
        self.carry_over(old, session)
        return session

    async def until(self, condition, timeout=None):
        """As that of a session, but over the sessions."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not condition():
            if self.over or (deadline is not None and time.monotonic() >= deadline):
                return False
            await asyncio.sleep(POLL)
        return True

    async def close(self):
        """Now and for good, whatever it is doing: connecting, talking, or waiting for the next attempt."""
        if self.running is None:
            return
        self.backoff.attempts = 0
        await self.session.close()
        self.running.cancel()
        await asyncio.wait([self.running])
        if not self.running.cancelled():
            self.running.result()  # raises what went wrong in it


class OjinClient(Client):
    """Of the Ojin realtime speech API. What is said before the session is ready is sent as soon as it is."""

    def __init__(self, url, key, config_id, profile, observe):
        self.url = f"{url}?config_id={urllib.parse.quote(config_id, safe='')}"
        self.headers = {"Authorization": key}
        self.earlier = profile == "oris-1.0-earlier"
        super().__init__(observe)

    def new_session(self):
        return Session(self.url, self.headers, self.earlier, self.observe)

    def carry_over(self, old, session):
        """Half a sentence makes no sense in another session. Speech of which nothing was sent is still to be said."""
        if not old.sent_speech:
            for audio, params in old.unsent:
                session.speak(audio, params)
        elif old.unsent or not old.idle:
            old.report_error("SPEECH_LOST", "speech was lost with the connection, and is not sent again")

    # ---- what a user asks for ----

    def speak(self, audio, params=None):
        self.session.speak(audio, params)

    async def cancel(self):
        await self.session.cancel()

    async def end(self):
        """Sends what is left, then ends the interaction and the session."""
        if await self.until(lambda: self.session.ready and self.session.is_sent()):
            await self.session.end()


class ListenerClient(Client):
    """Of families whose sessions end once all is said and was answered. What is said before the session is ready is sent as
    soon as it is.
    """

    def tries_again(self):
        return self.backoff.attempts > 0

    def speak(self, sound):
        self.session.speak(sound)

    async def end(self):
        """Once all is said and the answer was heard; over the sessions."""
        while not self.over:
            session = self.session
            await session.end()
            await self.until(lambda session=session: self.session is not session)


class DuplexClient(ListenerClient):
    """Of the full-duplex speech protocol."""

    def __init__(self, url, profile, pictures, observe):
        self.url = f"{url}?mode={'audio' if profile.endswith('audio') else 'video'}"
        self.dialect = LATER if profile.startswith("duplex-later") else DOCUMENTED
        self.pictures = [] if profile.endswith("audio") else pictures
        super().__init__(observe)

    def new_session(self):
        return DuplexSession(self.url, self.dialect, self.pictures, self.observe, self.tries_again)

    def carry_over(self, old, session):
        """Speech of which a part was said is gone. What the server heard nothing of is still to be said."""
        if not old.sent_speech:
            if old.unsent:
                session.speak(old.unsent)
        elif old.unsent or old.turns == 0:
            old.report_error("SPEECH_LOST", "speech was not answered, and is not sent again")

    def force_listen(self):
        self.session.force_listen()


class InterviewClient(ListenerClient):
    """Of the realtime interview API: what is spoken is an answer."""

    def __init__(self, url, token, profile, observe):
        self.url = f"{url}?token={urllib.parse.quote(token, safe='')}"
        self.dialect = DEPLOYED if profile == "interview-deployed" else INTERVIEW
        super().__init__(observe)

    def new_session(self):
        return InterviewSession(self.url, self.dialect, self.observe, self.tries_again)

    def carry_over(self, old, session):
        """A committed answer is the server's. One that was broken off before is said from its beginning."""
        session.answers = old.answers
        if old.awaits_reply:
            old.report_error("REPLY_LOST", "the connection was lost before the reply came, and the answer is not said again")

    async def cancel(self):
        await self.session.cancel()
