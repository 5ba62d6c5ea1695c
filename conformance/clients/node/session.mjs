// A session with the Ojin realtime speech API on ws 8. What happens is printed as observations.

import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { BadFrame, HEADER_BYTES, buildMessage, crc32, parseFrame } from './wire.mjs';

const SILENCE = 0;
const SPEECH = 1;

const FRAME_BYTES = 1280; // 640 samples, 40 ms
const FRAME_MS = 40;
const BUFFER_FRAMES = 10; // held before playing starts; above it silence is skipped

const MAX_MESSAGE_BYTES = 524288;
const CHUNK_BYTES = Math.floor((MAX_MESSAGE_BYTES - HEADER_BYTES) / 2) * 2; // whole samples
const EARLIER_CHUNK_BYTES = 5 * 12800; // a multiple of 400 ms
const MESSAGES_PER_SECOND = 6;
const AUDIO_PER_SECOND = MESSAGES_PER_SECOND - 1; // one is kept for control messages
const RATE_WINDOW_MS = 1100; // a little over a second, so that jitter on the way does no harm

const MAX_RECEIVED_BYTES = 16 * 1024 * 1024;
const READY_TIMEOUT_MS = 10000;
const FINAL_TIMEOUT_MS = 10000;
const CLOSE_TIMEOUT_MS = 2000;
const RATE_LIMITED_PAUSE_MS = 1000;
const STALL_TIMEOUT_MS = 10000;
const SETTLE_TIMEOUT_MS = 2000;
const PING_MS = 30000;
const POLL_MS = 5;

const now = () => performance.now();

function observe(seen, members) {
  console.log(JSON.stringify({ conform: 1, seen, ...members }));
}

// One session.
export class OjinClient {
  ready = false;
  final = false;
  ending = false;
  over = false;
  errors = 0;
  // sending
  unsent = Buffer.alloc(0);
  latestAudio = Buffer.alloc(0);
  sentAt = [];
  pausedUntil = 0;
  settlingUntil = 0;
  unansweredSince = null; // the first speech sent since the latest speech frame
  // receiving and playing
  buffer = [];
  ownSpeech = Buffer.alloc(0); // not heard yet
  interaction = null; // of the latest speech frame, since the latest cancel
  cancelled = new Set();
  cancelsUnconfirmed = 0;
  ignoreSpeech = false; // cancelled before its first frame came
  speechPlayed = 0;
  idle = false;
  lastSign = 0; // of work towards the final frame

  constructor(url, key, configId, profile) {
    this.url = `${url}?config_id=${encodeURIComponent(configId)}`;
    this.headers = { Authorization: key };
    this.earlier = profile === 'oris-1.0-earlier';
  }

  reportError(code, text) {
    this.errors++;
    const clean = Buffer.from(String(text ?? '')).toString(); // no half pairs
    observe('error', { code: String(code ?? '').slice(0, 60), text: clean.slice(0, 500) });
  }

  // Waits for the condition, the end of the connection or the timeout; true when it was the first.
  async until(condition, timeoutMs = Infinity) {
    const deadline = now() + timeoutMs;
    while (!condition()) {
      if (this.over || now() >= deadline) return false;
      await sleep(POLL_MS);
    }
    return true;
  }

  // ---- connecting and closing ----

  async connect() {
    this.ws = new WebSocket(this.url, {
      headers: this.headers,
      maxPayload: MAX_RECEIVED_BYTES,
      perMessageDeflate: false, // neither sound nor JPEG shrinks
      handshakeTimeout: READY_TIMEOUT_MS,
    });
    this.ws.on('unexpected-response', (request, response) => this.receiveRefusal(request, response));
    this.ws.on('error', (error) => this.receiveFailure(error));
    this.ws.on('open', () => this.keepAlive());
    this.ws.on('message', (data, isBinary) => (isBinary ? this.receiveFrame(data) : this.receiveText(String(data))));
    this.ws.on('close', (code, reason) => {
      this.over = true;
      if (this.opened) observe('closed', { code, text: String(reason).slice(0, 100) });
    });
    await this.until(() => this.ready || this.errors > 0, READY_TIMEOUT_MS);
    if (this.ready) {
      this.openStream();
      this.sendSpeech();
      this.watchForStalls();
      this.play();
      return;
    }
    if (this.errors === 0 && !this.over)
      this.reportError('READY_TIMEOUT', `no sessionReady within ${READY_TIMEOUT_MS / 1000} s`);
    await this.until(() => false, 1000); // a server that refuses closes by itself
    await this.close();
  }

  keepAlive() {
    this.opened = true;
    let answered = true;
    this.ws.on('pong', () => (answered = true));
    const timer = setInterval(() => {
      if (!answered) this.ws.terminate();
      answered = false;
      this.ws.ping();
    }, PING_MS);
    this.ws.on('close', () => clearInterval(timer));
  }

  async close() {
    this.buffer = []; // ends the playing too
    if (this.ws === undefined || this.over) return;
    this.ws.close(1000);
    await this.until(() => false, CLOSE_TIMEOUT_MS);
    this.ws.terminate();
  }

  // ---- sending ----

  maySend(perSecond) {
    this.sentAt = this.sentAt.filter((at) => now() - at < RATE_WINDOW_MS);
    return this.sentAt.length < perSecond;
  }

  send(message) {
    if (this.ws.readyState !== WebSocket.OPEN) return; // 'close' reports it
    this.sentAt.push(now());
    this.ws.send(message);
  }

  async sendControl(type) {
    if (await this.until(() => this.maySend(MESSAGES_PER_SECOND)))
      this.send(JSON.stringify({ type, payload: { timestamp: Date.now() } }));
  }

  // One frame of silence starts the stream; the earlier revision starts by itself.
  openStream() {
    if (!this.earlier) this.send(buildMessage(Buffer.alloc(FRAME_BYTES)));
  }

  speak(audio) {
    this.ignoreSpeech = this.idle = false;
    this.speechPlayed = 0;
    this.unsent = Buffer.concat([this.unsent, audio]);
    this.ownSpeech = Buffer.concat([this.ownSpeech, audio]);
  }

  isSent() {
    return this.unsent.length === 0;
  }

  async sendSpeech() {
    const chunkBytes = this.earlier ? EARLIER_CHUNK_BYTES : CHUNK_BYTES;
    const due = () => this.unsent.length > 0 && this.maySend(AUDIO_PER_SECOND) && now() >= Math.max(this.pausedUntil, this.settlingUntil);
    while (await this.until(due)) {
      this.latestAudio = this.unsent.subarray(0, chunkBytes);
      this.unsent = this.unsent.subarray(chunkBytes);
      this.unansweredSince ??= now();
      this.send(buildMessage(this.latestAudio));
    }
  }

  // Speech was sent, and for long none came back.
  async watchForStalls() {
    while (await this.until(() => this.unansweredSince !== null && now() - this.unansweredSince > STALL_TIMEOUT_MS)) {
      this.unansweredSince = null;
      this.reportError('STALLED', `no speech within ${STALL_TIMEOUT_MS / 1000} s of what was sent`);
    }
  }

  // After RATE_LIMITED: a pause, then the latest audio again, since that was most likely refused.
  slowDown() {
    this.pausedUntil = now() + RATE_LIMITED_PAUSE_MS;
    if (this.ending) return;
    this.unsent = Buffer.concat([this.latestAudio, this.unsent]);
    this.latestAudio = Buffer.alloc(0);
  }

  async cancel() {
    this.unsent = this.ownSpeech = this.latestAudio = Buffer.alloc(0);
    this.buffer = [];
    if (this.interaction !== null) this.cancelled.add(this.interaction);
    this.ignoreSpeech = this.interaction === null;
    this.interaction = null;
    this.cancelsUnconfirmed++;
    this.unansweredSince = null;
    this.settlingUntil = now() + SETTLE_TIMEOUT_MS; // new speech waits for the old to end
    observe('cancelled');
    await this.sendControl('cancelInteraction');
  }

  // Sends what is left, says that it is the end, reads to the final frame, plays what is held, closes.
  async end() {
    await this.until(() => this.isSent());
    this.ending = true;
    await this.sendControl('endInteraction');
    this.lastSign = now();
    await this.until(() => this.final || now() - this.lastSign > FINAL_TIMEOUT_MS);
    if (!this.final && !this.over)
      this.reportError('FINAL_TIMEOUT', `no final frame within ${FINAL_TIMEOUT_MS / 1000} s`);
    while (this.final && this.buffer.length > 0) await sleep(POLL_MS); // even when the server has closed by now
    await this.close();
  }

  // ---- receiving ----

  receiveRefusal(request, response) {
    let body = '';
    response.on('data', (data) => (body = (body + data).slice(0, 65536)));
    response.on('close', () => {
      let message = body || `the handshake was refused with HTTP ${response.statusCode}`;
      try {
        message = JSON.parse(body).payload.message ?? message;
      } catch {
        // not JSON: the body as it is
      }
      this.over = true;
      this.reportError(response.statusCode, message);
      request.destroy();
    });
  }

  receiveFailure(error) {
    if (this.over) return;
    this.reportError(this.opened ? 'CONNECTION' : 'NO_CONNECTION', error.message || error.code);
    if (!this.opened) this.over = true;
  }

  receiveText(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      this.reportError('', text);
      return;
    }
    const payload = message?.payload ?? {};
    if (message?.type === 'sessionReady' && !this.ready) {
      this.ready = true;
      const load = typeof payload.load === 'number' ? payload.load : undefined;
      observe('ready', { load, text: JSON.stringify(payload.parameters ?? {}).slice(0, 500) });
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
    if (code === 'RATE_LIMITED') this.slowDown();
  }

  receiveFrame(data) {
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
    if (frame.final) {
      this.final = true;
      if (frame.audio === null && frame.image === null) return;
    }
    this.buffer.push(frame);
  }

  observeFrame(seen, frame, audio) {
    observe(seen, {
      index: frame.index,
      final: frame.final,
      interaction: frame.interaction,
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
      const frame = this.buffer.shift();
      this.show(frame);
      if (frame.index === SILENCE && this.buffer.length > BUFFER_FRAMES) {
        silences++;
        if (silences % 2 === 0 && this.buffer[0].index === SILENCE) this.buffer.shift();
      }
      due += FRAME_MS;
      await sleep(Math.max(0, due - now()));
    }
  }

  // A real client would draw frame.image here and hand the audio to the sound card.
  show(frame) {
    const audio = this.earlier ? frame.audio : this.nextOwnSpeech(frame);
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
