// The loudspeaker's clock: what is heard when, in samples at 24 kHz from the start. Time is an argument, in milliseconds.

const RATE = 24; // samples a millisecond
const PIECE = 2400; // samples handed out at once
const MARGIN_MS = 200; // sound is held back for this long, so that the next delta may come a little late

// Plays what it is given in order and without gaps; a pause between two pieces is silence. It starts when the turn is
// there whole or more than `usual` samples and the margin are, else MARGIN_MS after its first sound, and later by what
// that lacks of `usual`: where deltas of that length come at the pace at which they are played, the next one comes only
// then. When it runs empty in the middle of a turn it waits for the margin again.
export class Player {
  nextAt = 0; // the sample that is played next belongs there at the earliest
  held = []; // deltas
  samples = 0; // held
  runsAt = 0; // not yet running: when it does
  running = false;
  sounds = false; // some sound of the turn that is coming has come
  inTurn = false; // something of a turn came whose end was not played
  turn = 0; // samples played of it

  constructor(now, sampleBytes, usual = 0) {
    this.start = now;
    this.sampleBytes = sampleBytes;
    this.usual = usual;
  }

  // Where the clock stands: not before what was played.
  at(now) {
    return Math.max(this.nextAt, Math.floor((now - this.start) * RATE));
  }

  add(now, sound, text, endOfTurn) {
    const count = sound.length / this.sampleBytes;
    this.samples += count;
    if (!this.running) {
      const runsAt = this.startOfRun(now, count, endOfTurn);
      this.runsAt = this.held.length > 0 ? Math.min(runsAt, this.runsAt) : runsAt;
    }
    this.held.push({ sound, text, endOfTurn, begun: false });
    this.inTurn = true;
    this.sounds = !endOfTurn && (this.sounds || count > 0);
  }

  startOfRun(now, count, endOfTurn) {
    if (endOfTurn || this.samples >= this.usual + MARGIN_MS * RATE) return now;
    const lacks = this.sounds ? 0 : Math.max(0, this.usual - count);
    return now + MARGIN_MS + lacks / RATE;
  }

  // The next stretch that is due, of at least `least` samples unless the delta has no more; null: there is none.
  // `text` is that of the delta which begins with it; `turn`: samples of a turn that ends with it.
  take(now, least = PIECE) {
    if (this.held.length === 0 || (!this.running && now < this.runsAt)) return null;
    if (!this.running) {
      this.running = true;
      this.nextAt = this.at(now);
    }
    const delta = this.held[0];
    const size = Math.min(PIECE, this.at(now) - this.nextAt) * this.sampleBytes;
    if (size < Math.min(least * this.sampleBytes, delta.sound.length)) return null;
    const piece = { at: this.nextAt, sound: delta.sound.subarray(0, size), begins: !delta.begun, text: '', turn: null };
    if (piece.begins) piece.text = delta.text;
    delta.sound = delta.sound.subarray(size);
    delta.begun = true;
    const count = piece.sound.length / this.sampleBytes;
    this.nextAt += count;
    this.samples -= count;
    this.turn += count;
    if (delta.sound.length === 0) this.endDelta(delta, piece);
    return piece;
  }

  endDelta(delta, piece) {
    this.held.shift();
    this.running = this.held.length > 0;
    if (!delta.endOfTurn) return;
    piece.turn = this.turn;
    this.turn = 0;
    this.inTurn = this.held.length > 0;
  }

  // When another piece is; null: nothing is held.
  nextDue() {
    if (this.held.length === 0) return null;
    if (!this.running) return this.runsAt;
    const left = this.held[0].sound.length / this.sampleBytes;
    return this.start + (this.nextAt + Math.min(left, PIECE)) / RATE;
  }

  // All that is held, and the turn with it. `dropped`: samples that are not played any more; `heard`: those played of
  // the turn, null when there was none.
  drop() {
    const was = { dropped: this.samples, heard: this.inTurn ? this.turn : null };
    this.held = [];
    this.samples = this.turn = 0;
    this.running = this.sounds = this.inTurn = false;
    return was;
  }
}
