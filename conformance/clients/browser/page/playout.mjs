// The loudspeaker: the sound of the deltas, played in order and without gaps, on a clock that counts samples from a start.
// Knows nothing of the browser: speaker-worklet.mjs asks it for each block of samples that is due.
//
// It starts when the turn is there whole or more than `usual` samples and a margin are, else a little after its first sound came,
// and later by what that lacks of `usual`: where deltas of that length come at the pace at which they are played, the next one
// comes only then. When it runs empty in the middle of a turn, it waits in the same way.

const PIECE_SAMPLES = 2400; // told at once

export class Playout {
  // `tell` gets { heard: { at, samples, begins: [ids] } } and { turn: { at, samples } }.
  constructor(rate, usual, tell) {
    this.usual = usual;
    this.margin = rate / 5;
    this.tell = tell;
    this.piece = new Float32Array(PIECE_SAMPLES);
    this.start(0);
  }

  // `now`, here and below: samples of the device.
  start(now) {
    this.zero = now;
    this.pieceAt = this.pieceLength = 0;
    this.begins = [];
    this.forget();
  }

  forget() {
    this.queue = []; // { id, samples, played, endOfTurn }
    this.held = 0; // samples not yet played
    this.running = false;
    this.runAt = Infinity;
    this.sounds = false; // some sound of the turn that is coming has come
    this.inTurn = false; // something of a turn came whose end was not played
    this.turnSamples = 0; // played of it
  }

  add(now, { id, samples, endOfTurn }) {
    const first = this.queue.length === 0;
    this.queue.push({ id, samples, played: 0, endOfTurn });
    this.held += samples.length;
    if (!this.running) this.runAt = this.whenToRun(now, samples.length, endOfTurn, first);
    this.inTurn = true;
    this.sounds = !endOfTurn && (this.sounds || samples.length > 0);
  }

  whenToRun(now, count, endOfTurn, first) {
    if (endOfTurn || this.held >= this.usual + this.margin) return now;
    const lacks = this.sounds ? 0 : Math.max(0, this.usual - count);
    return Math.min(now + this.margin + lacks, first ? Infinity : this.runAt);
  }

  // Fills `out` with what is due from `now` on.
  render(now, out) {
    out.fill(0);
    if (!this.running && now >= this.runAt && this.queue.length > 0) this.running = true;
    for (let filled = 0; this.running; ) {
      const delta = this.queue[0];
      const samples = delta.samples.subarray(delta.played, delta.played + out.length - filled);
      if (samples.length === 0 && delta.played < delta.samples.length) return;
      this.note(now + filled - this.zero, delta, samples);
      out.set(samples, filled);
      delta.played += samples.length;
      this.held -= samples.length;
      filled += samples.length;
      if (delta.played === delta.samples.length) this.endDelta(now + filled - this.zero);
    }
  }

  endDelta(at) {
    const { endOfTurn } = this.queue.shift();
    this.flush();
    if (endOfTurn) {
      this.tell({ turn: { at, samples: this.turnSamples } });
      this.turnSamples = 0;
      this.inTurn = this.queue.length > 0;
    }
    if (this.queue.length === 0) {
      this.running = false;
      this.runAt = Infinity;
    }
  }

  note(at, delta, samples) {
    if (!delta.begun) {
      this.flush();
      delta.begun = true;
      this.begins.push(delta.id);
    }
    if (this.pieceLength + samples.length > PIECE_SAMPLES) this.flush();
    if (this.pieceLength === 0) this.pieceAt = at;
    this.piece.set(samples, this.pieceLength);
    this.pieceLength += samples.length;
    this.turnSamples += samples.length;
  }

  // Tells what was played and not yet told.
  flush() {
    if (this.pieceLength === 0 && this.begins.length === 0) return;
    this.tell({ heard: { at: this.pieceAt, samples: this.piece.slice(0, this.pieceLength), begins: this.begins } });
    this.pieceLength = 0;
    this.begins = [];
  }

  // Plays nothing more of what it holds: how many samples that were, and what turn it cut off.
  drop(now) {
    this.flush();
    const dropped = { at: now - this.zero, samples: this.held, inTurn: this.inTurn, turnSamples: this.turnSamples };
    this.forget();
    return dropped;
  }
}
