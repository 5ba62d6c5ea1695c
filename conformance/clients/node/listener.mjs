// A connection by which sound comes that is played: what the clients of full-duplex speech and of interviews share.

import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, now } from './connection.mjs';

const MAX_HELD_SAMPLES = 300 * 24000;
const MAX_HELD_DELTAS = 16384;
const POLL_MS = 10;

// A family makes the player when its clock begins, calls play(), and says how many bytes a sample has.
export class Listener extends Connection {
  player = null;
  turnText = '';
  quietAt = 0;
  // since the latest speak
  deltas = 0;
  turns = 0;
  idle = false;

  // `triesAgain`: does another session follow when this is lost?
  constructor(url, observe, triesAgain) {
    super(url, {}, observe);
    this.triesAgain = triesAgain;
  }

  isPlayedOut() {
    return this.closing || this.player === null || this.player.held.length === 0; // what came before the end is heard
  }

  receiveEnd(code, reason) {
    if (this.gone) return;
    super.receiveEnd(code, reason);
    if (this.player !== null && this.triesAgain() && !this.lasting) this.drop(null);
  }

  takesMore() {
    return this.ws.bufferedAmount === 0;
  }

  // There is none in these protocols.
  receiveBinary() {}

  // For playing. False when it is too much.
  hold(sound, text, ends) {
    if (this.player.samples + sound.length / this.sampleBytes > MAX_HELD_SAMPLES || this.player.held.length >= MAX_HELD_DELTAS) {
      this.reportError('BUFFER_FULL', 'the server sent more than can be held for playing');
      this.lasting = true;
      return false;
    }
    this.playDue();
    this.player.add(now(), sound, text, ends);
    return true;
  }

  async play() {
    await this.until(() => this.player !== null);
    while (!this.over) {
      this.playDue();
      const due = this.player.nextDue();
      await sleep(due === null ? POLL_MS : Math.min(Math.max(due - now(), 1), 50));
    }
  }

  playDue(least) {
    for (let piece; (piece = this.player.take(now(), least)) !== null; ) {
      this.hear(piece);
      if (piece.sound.length > 0 || piece.turn !== null) this.quietAt = now(); // a delta without sound breaks no silence
    }
  }

  // A real client hands the sound to the sound card here; `at` is where on its clock.
  hear({ at, sound, text, begins, turn }) {
    if (begins) {
      this.turnText += text;
      this.deltas++;
      this.idle = false;
    }
    const samples = sound.length / this.sampleBytes;
    if (samples > 0 || text !== '') this.observe('heard', { at, samples, text: text || undefined }, sound);
    if (turn !== null) this.endTurn(at + samples, turn, true);
  }

  endTurn(at, samples, whole) {
    this.turns++;
    this.idle = this.player.held.length === 0;
    this.observe('turn', { at, samples, final: whole, text: this.turnText });
    this.turnText = '';
  }

  // What is queued is not heard any more.
  drop(seen, members) {
    this.playDue(1); // what was due before was heard before
    const at = this.player.at(now());
    const { dropped, heard } = this.player.drop();
    if (seen !== null) this.observe(seen, { at, samples: dropped, ...members });
    if (heard === null) return;
    this.quietAt = now();
    this.endTurn(at, heard, false);
  }
}
