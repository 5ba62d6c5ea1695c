// A session of either protocol: one WebSocket, from the upgrade to the close. Messages are taken one after another, each once the
// one before is done with: what is dropped is known before the next sound is queued.
//
// What a page cannot see of a WebSocket: why an upgrade was refused (it closes with 1006, whatever the status), pings and pongs.
import { OUTPUT_RATE } from './sound.mjs';

const OPEN_WAIT_MS = 10000;
const CLOSE_WAIT_MS = 2000; // for the server's close frame
const HELD_SAMPLES_MAX = 300 * OUTPUT_RATE; // not yet played; beyond it the session ends with an error
const CLOSE_NORMAL = 1000;
const CLOSE_NONE = 1006; // no close frame came

// A family adds opened(), receive(data), close(), and its phases between these: connecting, closing, over.
export class Conversation {
  phase = 'connecting';
  lasting = false; // another session would end the same
  told = false; // by a message, why it ends
  readyAt = null;
  retryAfterMs = 0;
  userClosed = false;
  texts = new Map(); // of deltas whose sound has not begun
  deltas = 0;
  held = 0; // samples not yet played
  turnText = '';
  queue = Promise.resolve();

  // `observe(seen, members)` is told what happens, `progress` counts it (talker.mjs).
  constructor({ url, microphone, speaker, observe, progress }) {
    Object.assign(this, { url, microphone, speaker, observe, progress });
    this.ended = new Promise((resolve) => { this.end = resolve; }); // { code, told, userClosed }
  }

  open() {
    this.socket = new WebSocket(this.url);
    this.socket.onopen = () => this.opened();
    this.socket.onmessage = ({ data }) => this.inTurn(() => this.receive(data));
    this.socket.onclose = ({ code, reason }) => this.inTurn(() => this.closed(code, reason));
    this.wait(OPEN_WAIT_MS, () => {
      this.observe('error', { code: 'NO_CONNECTION', text: 'the upgrade was not answered in time' });
      return this.hangUp();
    });
  }

  inTurn(step) {
    this.queue = this.queue.then(step);
    return this.queue;
  }

  // One deadline at a time: that of what it waits for now.
  wait(ms, otherwise) {
    clearTimeout(this.deadline);
    if (ms !== undefined) this.deadline = setTimeout(() => this.inTurn(otherwise), ms);
  }

  fail(code, text) {
    this.observe('error', { code, text });
    this.beginClose(0);
  }

  /* ---- what is heard ---- */

  startSpeaker() {
    this.speaker.onheard = (heard) => this.heard(heard);
    this.speaker.onturn = ({ at, samples }) => this.turn(at, samples, true);
    this.speaker.start();
  }

  // For playing. Ends the session when it is too much.
  play(samples, text, endOfTurn) {
    if (this.held + samples.length > HELD_SAMPLES_MAX) {
      this.lasting = true;
      this.fail('BUFFER_FULL', 'the server sent more than can be held for playing');
      return;
    }
    const id = this.deltas++;
    this.held += samples.length;
    this.texts.set(id, text);
    this.speaker.add(id, samples, endOfTurn);
  }

  heard({ at, samples, begins }) {
    const text = begins.map((id) => this.texts.get(id)).join('');
    for (const id of begins) this.texts.delete(id);
    this.held -= samples.length;
    this.turnText += text;
    this.progress.deltas += begins.length;
    if (begins.length > 0) this.progress.idle = false;
    if (samples.length > 0 || text !== '') this.observe('heard', { at, samples: samples.length, text: text || undefined }, samples);
  }

  turn(at, samples, whole) {
    const text = this.turnText;
    this.turnText = '';
    this.progress.turns++;
    this.progress.idle = this.playedOut;
    this.progress.quietSince = performance.now();
    this.observe('turn', { at, samples, final: whole, text });
  }

  async drop(seen, members) {
    const { at, samples, inTurn, turnSamples } = await this.speaker.drop();
    this.texts.clear();
    this.held = 0;
    if (seen !== null) this.observe(seen, { at, samples, ...members });
    if (inTurn) this.turn(at, turnSamples, false);
  }

  /* ---- the end ---- */

  beginClose(lingerMs) {
    if (this.phase === 'closing' || this.phase === 'over') return;
    this.phase = 'closing';
    this.microphone.stop();
    this.wait(lingerMs, () => {
      this.socket.close(CLOSE_NORMAL);
      this.wait(CLOSE_WAIT_MS, () => this.hangUp());
    });
  }

  // Without waiting for anybody. Chromium closes the connection by itself a little later.
  hangUp() {
    this.socket.onclose = null;
    this.socket.close(CLOSE_NORMAL);
    return this.closed(CLOSE_NONE, '');
  }

  async closed(code, reason) {
    if (this.phase === 'over') return;
    this.wait();
    this.microphone.stop();
    this.socket.onmessage = null;
    this.phase = 'over';
    this.progress.closed++;
    this.observe('closed', { code, text: reason || undefined });
    this.end({ code, told: this.told, userClosed: this.userClosed });
  }

  // What is queued is not played any more.
  cut() {
    return this.inTurn(() => this.drop(null, {}));
  }

  get playedOut() {
    return this.texts.size === 0 && this.held === 0;
  }
}
