"""A connection by which sound comes that is played: what the clients of full-duplex speech and of interviews share."""

import asyncio
import time

from connection import POLL, Connection

MAX_HELD_SAMPLES = 300 * 24000
MAX_HELD_DELTAS = 16384


class Listener(Connection):
    """A family makes the player when its clock begins, and says how many bytes a sample has."""

    waits_to_send = False  # what the server does not take is looked at before
    sample_bytes = None

    def __init__(self, url, observe, tries_again):
        super().__init__(url, {}, observe)
        self.tries_again = tries_again  # does another session follow when this one is lost?
        self.player = None
        self.turn_text = ""
        self.quiet_at = 0.0
        # since the latest speak
        self.deltas = self.turns = 0
        self.idle = False

    async def receive_and_play(self):
        await self.receive()
        if self.player is not None and self.tries_again() and not self.lasting:
            self.drop(None)
        while self.player is not None and self.player.held and not self.closing:  # what came before the end is heard
            await asyncio.sleep(POLL)

    def takes_more(self):
        return self.ws.transport.get_write_buffer_size() == 0

    def receive_binary(self, data):
        """There is none in these protocols."""

    def hold(self, sound, text, ends):
        """For playing. False when it is too much."""
        if self.player.samples + len(sound) // self.sample_bytes > MAX_HELD_SAMPLES or len(self.player.held) >= MAX_HELD_DELTAS:
            self.report_error("BUFFER_FULL", "the server sent more than can be held for playing")
            self.lasting = True
            return False
        self.play_due()
        self.player.add(time.monotonic(), sound, text, ends)
        return True

    async def play(self):
        await self.until(lambda: self.player is not None)
        while not self.over:
            self.play_due()
            due = self.player.next_due()
            await asyncio.sleep(POLL if due is None else min(max(due - time.monotonic(), 0.0), 0.05))

    def play_due(self, **least):
        now = time.monotonic()
        while (piece := self.player.take(now, **least)) is not None:
            self.hear(piece)
            if piece.sound or piece.turn is not None:  # a delta without sound breaks no silence
                self.quiet_at = now

    def hear(self, piece):
        """A real client hands the sound to the sound card here; `at` is where on its clock."""
        if piece.begins:
            self.turn_text += piece.text
            self.deltas += 1
            self.idle = False
        samples = len(piece.sound) // self.sample_bytes
        if samples or piece.text:
            self.observe("heard", at=piece.at, samples=samples, text=piece.text or None, sound=piece.sound)
        if piece.turn is not None:
            self.end_turn(piece.at + samples, piece.turn, True)

    def end_turn(self, at, samples, whole):
        text, self.turn_text = self.turn_text, ""
        self.turns += 1
        self.idle = not self.player.held
        self.observe("turn", at=at, samples=samples, final=whole, text=text)

    def drop(self, seen, **members):
        """What is queued is not heard any more."""
        self.play_due(least=1)  # what was due before was heard before
        at = self.player.at(time.monotonic())
        dropped, heard = self.player.drop()
        if seen is not None:
            self.observe(seen, at=at, samples=dropped, **members)
        if heard is not None:
            self.quiet_at = time.monotonic()
            self.end_turn(at, heard, False)
