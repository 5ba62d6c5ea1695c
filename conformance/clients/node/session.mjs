// One session with the Ojin realtime speech API: one connection.

import { setTimeout as sleep } from 'node:timers/promises';
import { errorCanPass } from './backoff.mjs';
import { Connection, now } from './connection.mjs';
import { crc32 } from './crc32.mjs';
import { BadFrame, CHUNK_BYTES, buildMessage, parseFrame } from './wire.mjs';

const SILENCE = 0;
const SPEECH = 1;

const FRAME_BYTES = 1280; // 640 samples, 40 ms
const FRAME_MS = 40;
const BUFFER_FRAMES = 10; // held before playing starts; above it silence is skipped
const MAX_HELD_FRAMES = 4096;
const MAX_HELD_BYTES = 128 * 1024 * 1024;

const EARLIER_CHUNK_BYTES = 5 * 12800; // a multiple of 400 ms
const MESSAGES_PER_SECOND = 6;
const AUDIO_PER_SECOND = MESSAGES_PER_SECOND - 1; // one is kept for control messages
const RATE_WINDOW_MS = 1100; // a little over a second, so that jitter on the way does no harm

const READY_TIMEOUT_MS = 10000;
const FINAL_TIMEOUT_MS = 10000;
const RATE_LIMITED_PAUSE_MS = 1000;
const STALL_TIMEOUT_MS = 10000; // how long it waits for speech after it sent some
const SETTLE_TIMEOUT_MS = 2000; // the most that new speech waits, after a cancel, for the old to end

const sizeOf = (frame) => (frame.audio?.length ?? 0) + (frame.image?.length ?? 0);

export class Session extends Connection {
  refused = false; // an error came in place of sessionReady
  final = false;
  // sending
  unsent = []; // pairs of sound and params
  latestSent = null;
  sending = false;
  sentSpeech = false;
  beginsTurn = false;
  sentAt = [];
  onTheirWay = 0;
  pausedUntil = 0;
  settlingUntil = 0;
  unansweredSince = null; // the first speech sent since the latest speech frame
  // receiving and playing
  buffer = [];
  heldBytes = 0; // of sound and pictures
  full = false; // more came than can be held: the session ends
  ownSpeech = Buffer.alloc(0); // not heard yet
  interaction = null; // of the latest speech frame, since the latest cancel
  cancelled = new Set();
  cancelsUnconfirmed = 0;
  ignoreSpeech = false; // cancelled before its first frame came
  shown = 0; // frames
  speechPlayed = 0; // of them speech, since the latest speak
  idle = false;
  lastSign = 0; // of work towards the final frame

  // `earlier`: the earlier revision: it streams by itself, and its frames hold the sound to play.
  constructor(url, headers, earlier, observe) {
    super(url, headers, observe);
    this.earlier = earlier;
  }

  // ---- connecting ----

  begin() {
    this.awaitReady();
    this.sendSpeech();
    this.watchForStalls();
    this.play();
  }

  isPlayedOut() {
    return !this.final || this.buffer.length === 0; // played to the end even when the server has closed
  }

  async awaitReady() {
    if (!(await this.until(() => this.ready || this.refused || this.gone, READY_TIMEOUT_MS)))
      this.reportError('READY_TIMEOUT', `no sessionReady within ${READY_TIMEOUT_MS / 1000} s`);
    if (this.refused) await this.until(() => this.gone, 1000); // a server that refuses closes by itself
    if (!this.ready) await this.close();
  }

  async close() {
    this.dropAll(); // ends the playing too
    await super.close();
  }

  // ---- sending ----

  maySend(perSecond) {
    this.sentAt = this.sentAt.filter((at) => now() - at < RATE_WINDOW_MS);
    return this.onTheirWay + this.sentAt.length < perSecond;
  }

  async send(message) {
    this.onTheirWay++;
    await super.send(message);
    this.onTheirWay--;
    this.sentAt.push(now()); // only now: what was held up before is followed no sooner for that
  }

  async sendControl(type) {
    if (this.ready && (await this.until(() => this.maySend(MESSAGES_PER_SECOND))))
      await this.send(JSON.stringify({ type, payload: { timestamp: Date.now() } }));
  }

  // One frame of silence starts the stream; the earlier revision starts by itself.
  async openStream() {
    if (!this.earlier) await this.send(buildMessage(Buffer.alloc(FRAME_BYTES)));
  }

  // Whatever its length. The params, if any, go with each message of it.
  speak(audio, params = {}) {
    this.ignoreSpeech = this.idle = false;
    this.speechPlayed = 0;
    this.beginsTurn = true;
    this.unsent.push({ audio, params });
    this.ownSpeech = Buffer.concat([this.ownSpeech, audio]);
  }

  isSent() {
    return this.unsent.length === 0 && !this.sending;
  }

  async sendSpeech() {
    await this.until(() => this.ready);
    await this.openStream();
    const chunkBytes = this.earlier ? EARLIER_CHUNK_BYTES : CHUNK_BYTES;
    while (await this.until(() => this.unsent.length > 0 && this.maySend(AUDIO_PER_SECOND) && !this.isPaused())) {
      const { audio, params } = this.unsent.shift();
      if (audio.length > chunkBytes) this.unsent.unshift({ audio: audio.subarray(chunkBytes), params });
      this.latestSent = { audio: audio.subarray(0, chunkBytes), params };
      this.sending = this.sentSpeech = true;
      this.unansweredSince ??= now();
      await this.send(buildMessage(this.latestSent.audio, { ...this.turnParams(), ...params }));
      this.sending = false;
    }
  }

  // The first message of a turn tells the server which frame is being shown, for a smooth way into speech.
  turnParams() {
    const begins = this.beginsTurn;
    this.beginsTurn = false;
    return begins && this.shown > 0 ? { client_frame_index: this.shown - 1 } : {};
  }

  isPaused() {
    return now() < Math.max(this.pausedUntil, this.settlingUntil);
  }

  // Speech was sent, and for long none came back.
  async watchForStalls() {
    while (await this.until(() => this.unansweredSince !== null && now() - this.unansweredSince > STALL_TIMEOUT_MS)) {
      this.unansweredSince = null;
      this.reportError('STALLED', `no speech within ${STALL_TIMEOUT_MS / 1000} s of what was sent`);
    }
  }

  // After RATE_LIMITED: a pause, then the latest speech again, since that was most likely refused.
  slowDown() {
    this.pausedUntil = now() + RATE_LIMITED_PAUSE_MS;
    if (this.latestSent !== null && !this.ending) this.unsent.unshift(this.latestSent);
    this.latestSent = null;
  }

  async cancel() {
    this.unsent = [];
    this.latestSent = null;
    this.ownSpeech = Buffer.alloc(0);
    this.dropAll();
    if (this.interaction !== null) this.cancelled.add(this.interaction);
    this.ignoreSpeech = this.interaction === null;
    this.interaction = null;
    this.cancelsUnconfirmed++;
    this.unansweredSince = null;
    this.settlingUntil = now() + SETTLE_TIMEOUT_MS; // new speech waits for the old to end
    this.observe('cancelled');
    await this.sendControl('cancelInteraction');
  }

  // Says that it is the end, reads to the final frame, plays what is held, closes.
  async end() {
    this.ending = true;
    await this.sendControl('endInteraction');
    this.lastSign = now();
    await this.until(() => this.final || now() - this.lastSign > FINAL_TIMEOUT_MS);
    if (!this.final && !this.over)
      this.reportError('FINAL_TIMEOUT', `no final frame within ${FINAL_TIMEOUT_MS / 1000} s`);
    await this.until(() => !this.final || this.buffer.length === 0);
    await this.close();
  }

  // ---- receiving ----

  receiveEnd(code, reason) {
    if (!this.gone && !this.final) this.dropAll(); // half of what it was is not played
    super.receiveEnd(code, reason);
  }

  explain(body) {
    return JSON.parse(body).payload.message;
  }

  receiveText(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      this.receiveError('', text);
      return;
    }
    const payload = message?.payload ?? {};
    if (message?.type === 'sessionReady' && !this.ready) {
      this.readyAt = now();
      const load = typeof payload.load === 'number' ? payload.load : undefined;
      this.observe('ready', { load, text: JSON.stringify(payload.parameters ?? {}).slice(0, 500) });
    } else if (message?.type === 'errorResponse') {
      this.receiveError(payload.code, payload.message);
    }
  }

  receiveError(code, text) {
    if (code === 'CANCELLED' && this.cancelsUnconfirmed > 0) {
      this.cancelsUnconfirmed--; // the answer to our own cancel
      this.settlingUntil = 0;
      return;
    }
    this.reportError(code, text);
    this.refused = !this.ready;
    if (code === 'RATE_LIMITED') this.slowDown();
    if (!errorCanPass(code)) this.lasting = true;
  }

  receiveBinary(data) {
    let frame;
    try {
      frame = parseFrame(data);
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      this.reportError('BAD_FRAME', error.message);
      return;
    }
    this.observeFrame('frame', frame, frame.audio);
    if (frame.index === SPEECH) {
      this.lastSign = now();
      this.unansweredSince = null;
      if (this.ignoreSpeech) this.cancelled.add(frame.interaction);
      if (this.cancelled.has(frame.interaction)) return;
      this.interaction = frame.interaction;
    } else {
      this.settlingUntil = 0;
    }
    if (frame.final && !this.cancelled.has(frame.interaction)) { // a stray one ends nothing
      this.final = true;
      if (frame.audio === null && frame.image === null) return;
    }
    this.hold(frame);
  }

  // For playing, unless it is too much.
  hold(frame) {
    if (this.full) return;
    if (this.buffer.length >= MAX_HELD_FRAMES || this.heldBytes + sizeOf(frame) > MAX_HELD_BYTES) {
      this.reportError('BUFFER_FULL', 'more frames came than can be held for playing');
      this.full = this.lasting = true;
      this.close();
      return;
    }
    this.buffer.push(frame);
    this.heldBytes += sizeOf(frame);
  }

  nextFrame() {
    const frame = this.buffer.shift();
    this.heldBytes -= sizeOf(frame);
    return frame;
  }

  dropAll() {
    this.buffer = [];
    this.heldBytes = 0;
  }

  observeFrame(seen, frame, audio) {
    this.observe(seen, {
      index: frame.index,
      final: frame.final,
      interaction: frame.interaction,
      timestamp: String(frame.timestamp), // a number of JSON does not hold 64 bits
      audio: audio === null ? undefined : crc32(audio),
      image: frame.image === null ? undefined : crc32(frame.image),
    });
  }

  // ---- playing ----

  // Shows 25 frames a second, counted from the first one so that errors do not add up.
  async play() {
    if (!(await this.until(() => this.buffer.length >= BUFFER_FRAMES || this.final))) return;
    let due = now();
    let silences = 0;
    for (;;) {
      if (this.buffer.length === 0) {
        if (!(await this.until(() => this.buffer.length > 0))) return;
        due = now(); // starved: the clock starts anew
      }
      const frame = this.nextFrame();
      this.show(frame);
      if (frame.index === SILENCE && this.buffer.length > BUFFER_FRAMES) {
        silences++;
        if (silences % 2 === 0 && this.buffer[0].index === SILENCE) this.nextFrame();
      }
      due += FRAME_MS;
      await sleep(Math.max(0, due - now()));
    }
  }

  // A real client would draw frame.image here and hand the audio to the sound card.
  show(frame) {
    const audio = this.earlier ? frame.audio : this.nextOwnSpeech(frame);
    this.shown++;
    if (frame.index === SPEECH) this.speechPlayed++;
    else if (this.speechPlayed > 0) this.idle = true;
    this.observeFrame('played', frame, audio);
  }

  // Our own speech runs along with the speech frames; silence frames are silent.
  nextOwnSpeech(frame) {
    if (frame.index !== SPEECH || this.ownSpeech.length === 0) return null;
    const audio = Buffer.alloc(FRAME_BYTES);
    this.ownSpeech.copy(audio);
    this.ownSpeech = this.ownSpeech.subarray(FRAME_BYTES);
    return audio;
  }
}
