"""One connection of a client, on websockets 10.4: what the clients of all families share.

What happens is told to `observe`, a function of a word and members, as ojin-conform reads them.
"""

import asyncio
import ssl
import time

import websockets

from backoff import CLOSE_CODES_THAT_PASS, STATUSES_THAT_PASS, read_retry_after

MAX_RECEIVED_BYTES = 16 * 1024 * 1024
MAX_UNSENT_BYTES = 16 * 1024 * 1024  # beyond it send() waits; who sends on without end has to look at it earlier
OPEN_TIMEOUT = 10
CLOSE_TIMEOUT = 2
POLL = 0.010


class Connection:
    """A family adds converse(), what it does with the connection, and receive_text() and receive_binary()."""

    waits_to_send = True  # send() comes back once the message is on its way

    def __init__(self, url, headers, observe):
        self.url = url
        self.headers = headers
        self.observe = observe
        self.ws = None
        self.ready_at = None
        self.ending = self.closing = self.over = False
        # for who wants to try again
        self.lasting = False  # another attempt would end the same
        self.told_why = False  # the server said what ends the connection: its close code says nothing more
        self.retry_after = 0.0  # seconds, as the server asked

    @property
    def ready(self):
        return self.ready_at is not None

    def report_error(self, code, text):
        self.observe("error", code=str(code or "")[:60], text=str(text or "")[:500])

    async def until(self, condition, timeout=None):
        """Waits for the condition, the end of the session or the timeout; True when it was the first."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not condition():
            if self.over or (deadline is not None and time.monotonic() >= deadline):
                return False
            await asyncio.sleep(POLL)
        return True

    async def run(self):
        """From the handshake to the end of the connection."""
        try:
            if await self.open():
                await self.converse()
            else:
                self.observe("closed", code=1006)
        finally:
            self.over = True

    async def open(self):
        try:
            self.ws = await websockets.connect(
                self.url,
                extra_headers=self.headers,
                max_size=MAX_RECEIVED_BYTES,
                compression=None,  # neither sound nor JPEG shrinks
                write_limit=0 if self.waits_to_send else MAX_UNSENT_BYTES,
                ping_interval=30,
                ping_timeout=10,
                open_timeout=OPEN_TIMEOUT,
                close_timeout=CLOSE_TIMEOUT,
            )
            return True
        except websockets.InvalidStatusCode as error:
            self.lasting = error.status_code not in STATUSES_THAT_PASS
            self.retry_after = read_retry_after(error.headers.get("Retry-After"))
            self.report_error(error.status_code, f"the handshake was refused with HTTP {error.status_code}")
        except (OSError, asyncio.TimeoutError, websockets.InvalidHandshake) as error:
            self.lasting = isinstance(error, ssl.SSLError)  # a certificate does not get better
            self.report_error("NO_CONNECTION", str(error) or "no answer to the handshake")
        return False

    async def send(self, message):
        try:
            await self.ws.send(message)
        except websockets.ConnectionClosed:
            pass  # receive() reports it

    async def receive(self):
        try:
            async for message in self.ws:
                if isinstance(message, str):
                    self.receive_text(message)
                else:
                    self.receive_binary(message)
        except websockets.ConnectionClosed:
            pass
        code = self.ws.close_code or 1006
        if not self.closing and not self.told_why and code not in CLOSE_CODES_THAT_PASS:
            self.lasting = True
        self.observe("closed", code=code, text=(self.ws.close_reason or "")[:100])

    async def do_beside(self, work, main):
        """Awaits `main`, and does `work` meanwhile."""
        tasks = [asyncio.ensure_future(one) for one in work]
        try:
            await main
        finally:
            for task in tasks:
                if not task.cancel() and not task.cancelled():
                    task.result()  # raises what went wrong in it

    async def close(self):
        self.closing = True
        if self.ws is not None:
            await self.ws.close(1000)
            await self.until(lambda: False, CLOSE_TIMEOUT)  # receive() reports it
