// One session of the full-duplex speech protocol: one connection. It says what it is given and hears at the same time.

import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { now } from './connection.mjs';
import { crc32 } from './crc32.mjs';
import { SAMPLE_BYTES, buildAppend, buildClose, buildUpdate, floatSoundOf, parseMessage } from './duplex-wire.mjs';
import { Listener } from './listener.mjs';
import { BadAudio, countOf, textOf } from './messages.mjs';
import { Player } from './player.mjs';

const INSTRUCTIONS = 'You are a helpful assistant. Answer briefly.';
const APPEND_BYTES = 16000 * 4; // a second
const APPEND_EVERY_MS = 1000;
const LATE_MS = 200; // later than that, the schedule begins anew: nothing is made up for in a burst
const DELTA_SAMPLES = 24000; // of a middle one: a second

const FIRST_WORD_TIMEOUT_MS = 60000; // of a server that says nothing at all
const QUEUE_TIMEOUT_MS = 600000; // the document promises no updates: as long as a session may last
const CREATED_TIMEOUT_MS = 60000;
const CREATED_ERROR_TIMEOUT_MS = 5000; // the same, once an error came in its place
const CLOSED_TIMEOUT_MS = 5000;
const LINGER_MS = 500; // after the last word of the server its own close is awaited
const LISTEN_TIMEOUT_MS = 5000; // the most that deltas are not played after force_listen, when no listen comes
const ANSWER_TIMEOUT_MS = 20000; // at the end
const SETTLE_MS = 3000; // after an answer, for another
const POLL_MS = 10;

// After these session.closed another session would end the same, and after these errors the server closes.
const LASTING_REASONS = ['stopped', 'timeout', 'context_full'];
const CLOSING_ERRORS = ['service_unavailable', 'queue_full', 'worker_busy', 'worker_connect_failed'];

export class DuplexSession extends Listener {
  sampleBytes = SAMPLE_BYTES;
  queueDone = false;
  stopping = false;
  final = false;
  deadline = Infinity; // for what is waited for before the stream
  endsAt = Infinity; // the server is about to close: when that is done for it
  // sending
  unsent = Buffer.alloc(0); // float32
  waiting = null; // the sound of an append that the server does not take yet, and whether it is speech
  talked = false;
  sentSpeech = false;
  forceDue = false;
  notReading = false;
  appends = 0;
  // receiving and playing
  mutedUntil = 0; // an interruption is on its way
  listens = 0; // since the latest speak

  // `pictures` are shown in turn; none in a mode without.
  constructor(url, dialect, pictures, observe, triesAgain) {
    super(url, observe, triesAgain);
    this.dialect = dialect;
    this.pictures = pictures;
  }

  // ---- from the queue to the stream ----

  begin() {
    this.deadline = now() + FIRST_WORD_TIMEOUT_MS;
    this.awaitSession();
    this.stream();
    this.play();
    this.leaveWhenTold();
  }

  async awaitSession() {
    await this.until(() => this.ready || this.gone || now() >= this.deadline);
    if (this.ready || this.gone || this.endsAt !== Infinity) return;
    const what = this.queueDone ? 'session.created' : 'session.queue_done';
    this.reportError(this.queueDone ? 'CREATED_TIMEOUT' : 'QUEUE_TIMEOUT', `no ${what} came in time`);
    await super.close();
  }

  // After session.closed, or an error after which the server closes: it does that by itself, or it is done for it.
  async leaveWhenTold() {
    if (!(await this.until(() => this.gone || now() >= this.endsAt)) || this.gone || this.closing) return;
    this.toldWhy = true;
    await this.hangUp();
  }

  // ---- sending ----

  // `sound`: float32 at 16 kHz. It goes into the next appends, a second in each.
  speak(sound) {
    this.unsent = Buffer.concat([this.unsent, sound]);
    this.talked = true;
    this.deltas = this.turns = this.listens = 0;
    this.idle = false;
  }

  isSent() {
    return this.ready && this.unsent.length === 0 && !this.waiting?.isSpeech;
  }

  goesOn() {
    return this.ready && !this.stopping && !this.final && !this.closing;
  }

  streams() {
    return this.goesOn() && this.ws.readyState === WebSocket.OPEN;
  }

  // A second of sound every second, whoever speaks: what is to be said, else silence, as an open microphone gives it.
  async stream() {
    await this.until(() => this.ready);
    let due = now();
    while (this.streams()) {
      if (this.waiting !== null && this.takesMore()) {
        this.sendAppend();
        due = now() + APPEND_EVERY_MS;
      } else if (now() >= due) {
        due = (now() - due < LATE_MS ? due : now()) + APPEND_EVERY_MS;
        this.appendDue();
      }
      await sleep(POLL_MS);
    }
  }

  // The newest second takes the place of one that waits.
  appendDue() {
    if (this.waiting !== null && !this.notReading) {
      this.notReading = true;
      this.reportError('NOT_READING', 'the server does not take what it is sent; older speech is dropped');
    }
    const sound = Buffer.alloc(APPEND_BYTES);
    this.waiting = { sound, isSpeech: this.unsent.copy(sound) > 0 };
    this.unsent = this.unsent.subarray(APPEND_BYTES);
    if (this.takesMore()) this.sendAppend();
  }

  sendAppend() {
    const { sound, isSpeech } = this.waiting;
    const picture = this.pictures[this.appends++ % this.pictures.length];
    if (this.forceDue) this.mutedUntil = now() + LISTEN_TIMEOUT_MS;
    this.send(buildAppend(this.dialect, sound, picture, this.forceDue)); // not awaited: takesMore() looks after it
    this.waiting = null;
    this.forceDue = this.notReading = false;
    this.sentSpeech ||= isSpeech;
  }

  // Interrupts the server: what is queued is not heard any more, and the next append tells it.
  forceListen() {
    if (!this.streams()) return;
    this.forceDue = true;
    this.listens = 0;
    this.mutedUntil = Infinity;
    this.drop('cancelled');
  }

  // Once all is said and the answer was heard, or none came.
  async end() {
    if (!(await this.until(() => this.isSent()))) return;
    const saidAt = now();
    const quietMs = () => now() - Math.max(saidAt, this.quietAt);
    const waitMs = () => (this.isAnswered() ? SETTLE_MS : ANSWER_TIMEOUT_MS);
    if (!(await this.until(() => this.player.held.length === 0 && quietMs() >= waitMs()))) return;
    if (!this.isAnswered()) this.reportError('NO_ANSWER', 'speech was sent, and no turn of the server came');
    await this.close();
  }

  isAnswered() {
    return !this.player.inTurn && (this.turns > 0 || !this.talked);
  }

  // Says that it is the end, and waits for session.closed; what is queued is not heard any more.
  async close() {
    this.ending = true;
    if (this.closing || this.over) return;
    if (this.player !== null) this.drop(null);
    if (this.streams()) {
      this.stopping = true;
      this.send(buildClose());
      if (!(await this.until(() => this.final || this.gone, CLOSED_TIMEOUT_MS)))
        this.reportError('CLOSED_TIMEOUT', 'no session.closed came after session.close');
    }
    await super.close();
  }

  // ---- receiving ----

  explain(body) {
    const { code, message } = JSON.parse(body).error;
    return `${code}: ${message}`;
  }

  receiveText(text) {
    let kind, message;
    try {
      [kind, message] = parseMessage(this.dialect, text);
    } catch {
      this.reportError('', text); // plain text is for people
      return;
    }
    if (this.closing) return;
    if (kind === 'session.queued' || kind === 'session.queue_update') this.receivePlace(message);
    else if (kind === 'session.queue_done') this.receiveQueueDone();
    else if (kind === 'session.created') this.receiveCreated(message);
    else if (kind === 'delta') this.receiveDelta(message);
    else if (kind === 'listen') this.receiveListen(message);
    else if (kind === 'session.closed') this.receiveClosed(message);
    else if (kind === 'error') this.receiveError(message.error ?? {});
  }

  receivePlace(message) {
    if (this.queueDone) return;
    this.deadline = now() + QUEUE_TIMEOUT_MS;
    const position = countOf(message, 'position') || 1;
    this.observe('queue', { position, text: `place ${position} in the queue` });
  }

  receiveQueueDone() {
    if (this.queueDone) return;
    this.queueDone = true;
    this.deadline = now() + CREATED_TIMEOUT_MS;
    this.observe('queue', { position: 0, text: 'a worker is there' });
    this.send(buildUpdate(this.dialect, INSTRUCTIONS));
  }

  receiveCreated(message) {
    if (this.ready || !this.queueDone) return;
    this.readyAt = this.quietAt = now();
    this.player = new Player(this.readyAt, SAMPLE_BYTES, DELTA_SAMPLES);
    this.observe('ready', { text: textOf(message, 'session_id').slice(0, 60) });
  }

  receiveDelta(message) {
    if (!this.ready || this.final) return;
    let sound = Buffer.alloc(0);
    try {
      sound = floatSoundOf(message);
    } catch (error) {
      if (!(error instanceof BadAudio)) throw error;
      this.reportError('BAD_DELTA', error.message);
    }
    const text = textOf(message, 'text');
    const final = message.end_of_turn === true;
    const audio = sound.length > 0 ? crc32(sound) : undefined;
    const samples = sound.length / SAMPLE_BYTES;
    this.observe('delta', { samples, audio, final, cache: countOf(message, 'kv_cache_length'), text });
    if (this.stopping || now() < this.mutedUntil) return;
    if (!this.hold(sound, text, final)) this.endsAt = now();
  }

  receiveListen(message) {
    if (!this.goesOn()) return; // the close that follows it may have been read already
    this.listens++;
    if (!this.forceDue) this.mutedUntil = 0; // a listen before force_listen has left was for something else
    this.drop('listen', { cache: countOf(message, 'kv_cache_length') });
  }

  receiveClosed(message) {
    if (this.final) return;
    this.final = this.toldWhy = true;
    const reason = textOf(message, 'reason');
    this.observe('state', { code: 'session-closed', text: reason });
    if (LASTING_REASONS.includes(reason)) this.lasting = true;
    else this.reportError('SESSION_CLOSED', reason);
    this.endsAt = now() + LINGER_MS;
  }

  receiveError(error) {
    const code = textOf(error, 'code');
    const type = textOf(error, 'type');
    this.reportError(code, textOf(error, 'message') + (type === '' ? '' : ` (${type})`));
    if (CLOSING_ERRORS.includes(code)) this.endsAt = now() + LINGER_MS;
    else if (this.queueDone && !this.ready) this.deadline = Math.min(this.deadline, now() + CREATED_ERROR_TIMEOUT_MS);
  }
}
