"""The loudspeaker's clock: what is heard when, in samples at 24 kHz from the start. Time is an argument."""

from collections import deque

RATE = 24000
PIECE = RATE // 10  # samples handed out at once
MARGIN = 0.2  # seconds; sound is held back for this long, so that the next delta may come a little late


class Piece:
    """A stretch that was due. `text` is that of the delta which begins here; `turn`: samples of a turn that ends here."""

    def __init__(self, at, sound, text, begins):
        self.at, self.sound, self.text, self.begins = at, sound, text, begins
        self.turn = None


class Player:
    """Plays what it is given in order and without gaps; a pause between two pieces is silence. It starts when the turn is there
    whole or more than `usual` samples and the margin are, else MARGIN after its first sound, and later by what that lacks of
    `usual`: where deltas of that length come at the pace at which they are played, the next one comes only then. When it runs
    empty in the middle of a turn it waits for the margin again.
    """

    def __init__(self, now, sample_bytes, usual=0):
        self.start = now
        self.sample_bytes = sample_bytes
        self.usual = usual
        self.next_at = 0  # the sample that is played next belongs there at the earliest
        self.held = deque()  # deltas, each [sound, text, end of turn, has begun]
        self.samples = 0  # held
        self.runs_at = None  # not yet running: when it does
        self.running = False
        self.sounds = False  # some sound of the turn that is coming has come
        self.in_turn = False  # something of a turn came whose end was not played
        self.turn = 0  # samples played of it

    def at(self, now):
        """Where the clock stands: not before what was played."""
        return max(self.next_at, int((now - self.start) * RATE))

    def add(self, now, sound, text, end_of_turn):
        count = len(sound) // self.sample_bytes
        self.samples += count
        if not self.running:
            runs_at = self.start_of_run(now, count, end_of_turn)
            self.runs_at = min(runs_at, self.runs_at) if self.held else runs_at
        self.held.append([sound, text, end_of_turn, False])
        self.in_turn = True
        self.sounds = not end_of_turn and (self.sounds or count > 0)

    def start_of_run(self, now, count, end_of_turn):
        if end_of_turn or self.samples >= self.usual + MARGIN * RATE:
            return now
        lacks = max(0, self.usual - count) if not self.sounds else 0
        return now + MARGIN + lacks / RATE

    def take(self, now, least=PIECE):
        """The next stretch that is due, of at least `least` samples unless the delta has no more; None: there is none."""
        if not self.held or (not self.running and now < self.runs_at):
            return None
        if not self.running:
            self.running = True
            self.next_at = self.at(now)
        delta = self.held[0]
        sound, text, end_of_turn, begun = delta
        size = min(PIECE, self.at(now) - self.next_at) * self.sample_bytes
        if size < min(least * self.sample_bytes, len(sound)):
            return None
        piece = Piece(self.next_at, sound[:size], "" if begun else text, not begun)
        delta[0], delta[3] = sound[size:], True
        count = len(piece.sound) // self.sample_bytes
        self.next_at += count
        self.samples -= count
        self.turn += count
        if not delta[0]:
            self.held.popleft()
            self.running = bool(self.held)
            self.runs_at = now
            if end_of_turn:
                piece.turn, self.turn = self.turn, 0
                self.in_turn = bool(self.held)
        return piece

    def next_due(self):
        """When another piece is; None: nothing is held."""
        if not self.held or not self.running:
            return self.runs_at if self.held else None
        left = len(self.held[0][0]) // self.sample_bytes
        return self.start + (self.next_at + min(left, PIECE)) / RATE

    def drop(self):
        """All that is held, and the turn with it: samples that are not played any more, and those heard of the turn; None: there
        was no turn.
        """
        dropped, heard = self.samples, self.turn if self.in_turn else None
        self.held.clear()
        self.samples = self.turn = 0
        self.running = self.sounds = self.in_turn = False
        return dropped, heard
