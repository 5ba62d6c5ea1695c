// One session of full-duplex speech, from the queue to the close.
import { Conversation } from './conversation.mjs';
import { crc32 } from './sound.mjs';
import { CLOSE_MESSAGE, appendMessage, readMessage, updateMessage } from './wire.mjs';

const QUEUE_WAIT_MS = 60000; // of a server that says nothing; once it said session.queued, the session's own length
const CREATED_WAIT_MS = 60000;
const CREATED_ERROR_WAIT_MS = 5000; // the same, once an error came in its place
const CLOSED_WAIT_MS = 5000; // for session.closed
const LINGER_MS = 500; // after session.closed, how long the server's own close is awaited
const LISTEN_WAIT_MS = 5000; // after force_listen was sent, how long deltas are not played
const BACKLOG_POLL_MS = 50;
const CATCH_UP_MS = 800; // between two appends, after a pause of our own
const NOT_READING_MS = 1500; // when nothing could be sent for this long, only the newest of what waits is kept
const WAITING_MAX = 8; // seconds
const CLOSING_ERRORS = ['service_unavailable', 'queue_full', 'worker_busy', 'worker_connect_failed'];
const LAST_REASONS = ['timeout', 'context_full', 'stopped']; // another session would be another conversation

// Its phases: connecting, queued, creating, streaming, stopping, closing, over.
export class Session extends Conversation {
  spoke = false; // some of what was to be said has been taken
  #forceDue = false;
  #mutedUntil = 0;
  #waiting = []; // seconds not yet sent
  #sentAt = -Infinity;
  #sending = false;
  #notReading = false;

  constructor({ profile, instructions, camera, ...talker }) {
    super(talker);
    Object.assign(this, { profile, instructions, camera });
  }

  /* ---- until session.created ---- */

  opened() {
    if (this.phase !== 'connecting') return;
    this.phase = 'queued';
    this.wait(QUEUE_WAIT_MS, () => this.fail('QUEUE_TIMEOUT', 'no session.queue_done came in time'));
  }

  #queued({ position, waitS }) {
    if (this.phase !== 'queued') return;
    const wait = Number.isFinite(waitS) && waitS >= 0 && waitS < this.profile.sessionMs ? `, about ${waitS.toFixed(1)} s` : '';
    this.observe('queue', { position, text: `place ${position} in the queue${wait}` });
    this.wait(this.profile.sessionMs, () => this.fail('QUEUE_TIMEOUT', 'no session.queue_done came in time'));
  }

  #queueDone() {
    if (this.phase !== 'queued') return;
    this.phase = 'creating';
    this.observe('queue', { position: 0, text: 'a worker is there' });
    this.socket.send(updateMessage(this.profile, this.instructions));
    this.wait(CREATED_WAIT_MS, () => this.fail('CREATED_TIMEOUT', 'no session.created came in time'));
  }

  #created({ id }) {
    if (this.phase !== 'creating') return;
    this.wait();
    this.phase = 'streaming';
    this.readyAt = performance.now();
    this.startSpeaker();
    this.microphone.onsecond = (second, speech) => this.#second(second, speech);
    this.microphone.start();
    this.observe('ready', { text: id });
  }

  /* ---- a second every second ---- */

  #second(samples, speech) {
    if (this.phase !== 'streaming') return;
    this.spoke ||= speech > 0;
    this.#waiting.push(samples);
    const late = this.#waiting.length > 1 && performance.now() - this.#sentAt > NOT_READING_MS;
    if (late && !this.#notReading) this.observe('error', { code: 'NOT_READING', text: 'the server does not take what it is sent; older sound is dropped' });
    this.#notReading ||= late;
    this.#waiting = this.#waiting.slice(late ? -1 : -WAITING_MAX);
    if (!this.#sending) this.#send();
  }

  async #send() {
    this.#sending = true;
    while (this.#waiting.length > 0 && this.phase === 'streaming') {
      const pauseMs = this.socket.bufferedAmount > 0 ? BACKLOG_POLL_MS : this.#sentAt + CATCH_UP_MS - performance.now();
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      else this.#append();
    }
    this.#sending = false;
    this.progress.changed();
  }

  #append() {
    const force = this.#forceDue;
    const picture = this.profile.pictures ? this.camera.take() : null;
    this.socket.send(appendMessage(this.profile, this.#waiting.shift(), picture, force));
    this.#sentAt = performance.now();
    this.#notReading = false;
    if (!force) return;
    this.#forceDue = false;
    this.#mutedUntil = performance.now() + LISTEN_WAIT_MS;
  }

  get sentAll() {
    return this.microphone.saidAll && this.#waiting.length === 0;
  }

  /* ---- what the server says ---- */

  receive(data) {
    if (this.phase === 'closing' || this.phase === 'over') return undefined;
    const message = typeof data === 'string' ? readMessage(this.profile, data) : { kind: 'unknown' };
    switch (message.kind) {
      case 'queued': return this.#queued(message);
      case 'queue-done': return this.#queueDone();
      case 'created': return this.#created(message);
      case 'delta': return this.#delta(message);
      case 'listen': return this.#listen(message);
      case 'closed': return this.#sessionClosed(message);
      case 'error': return this.#error(message);
      case 'plain': return this.observe('error', { code: '', text: message.text });
      default: return undefined; // what is not known is ignored
    }
  }

  #delta({ samples, bytes, text, endOfTurn, cache, fault }) {
    if (this.phase !== 'streaming' && this.phase !== 'stopping') return;
    this.observe('delta', { samples: samples.length, audio: bytes.length > 0 ? crc32(bytes) : undefined, final: endOfTurn, cache, text });
    if (fault !== undefined) this.observe('error', { code: 'BAD_DELTA', text: fault });
    if (this.phase !== 'streaming' || performance.now() < this.#mutedUntil) return;
    this.play(samples, text, endOfTurn);
  }

  async #listen({ cache }) {
    if (this.phase !== 'streaming') return;
    this.progress.listens++;
    if (!this.#forceDue) this.#mutedUntil = 0; // else it was for something before
    await this.drop('listen', { cache });
  }

  #error({ code, text }) {
    this.observe('error', { code, text });
    if (CLOSING_ERRORS.includes(code)) this.beginClose(LINGER_MS); // the server closes with 1013
    else if (this.phase === 'creating')
      this.wait(CREATED_ERROR_WAIT_MS, () => this.fail('CREATED_TIMEOUT', 'no session.created came in time'));
  }

  #sessionClosed({ reason }) {
    this.told = true;
    this.progress.final = true;
    this.observe('state', { code: 'session-closed', text: reason });
    this.lasting = LAST_REASONS.includes(reason);
    if (!this.lasting) this.observe('error', { code: 'SESSION_CLOSED', text: reason });
    this.beginClose(this.userClosed ? 0 : LINGER_MS);
  }

  /* ---- what its user wants ---- */

  // Interrupts: at once here, with the next append there.
  forceListen() {
    return this.inTurn(async () => {
      if (this.phase !== 'streaming') return;
      this.#forceDue = true;
      this.#mutedUntil = Infinity; // until the append has left, and then for a while
      this.progress.listens = 0;
      await this.drop('cancelled', {});
    });
  }

  // session.close, or a close frame where there is no session yet.
  close() {
    return this.inTurn(async () => {
      if (this.userClosed || this.phase === 'over') return;
      this.userClosed = this.lasting = true;
      await this.drop(null, {});
      if (this.phase !== 'streaming') {
        this.beginClose(0);
        return;
      }
      this.phase = 'stopping';
      this.microphone.stop();
      this.socket.send(CLOSE_MESSAGE);
      this.wait(CLOSED_WAIT_MS, () => {
        this.observe('error', { code: 'CLOSED_TIMEOUT', text: 'no session.closed came after session.close' });
        this.beginClose(0);
      });
    });
  }
}
