// One session: one WebSocket, from the queue to the close. Messages are taken one after another, each once the one before is
// done with: what response.listen drops is known before the next delta is queued.
//
// What a page cannot see of a WebSocket: why an upgrade was refused (it closes with 1006, whatever the status), pings and pongs.
import { CLOSE_MESSAGE, OUTPUT_RATE, appendMessage, crc32, readMessage, updateMessage } from './wire.mjs';

const OPEN_WAIT_MS = 10000;
const QUEUE_WAIT_MS = 60000; // of a server that says nothing; once it said session.queued, the session's own length
const CREATED_WAIT_MS = 60000;
const CREATED_ERROR_WAIT_MS = 5000; // the same, once an error came in its place
const CLOSED_WAIT_MS = 5000; // for session.closed
const CLOSE_WAIT_MS = 2000; // for the server's close frame
const LINGER_MS = 500; // after session.closed, how long the server's own close is awaited
const LISTEN_WAIT_MS = 5000; // after force_listen was sent, how long deltas are not played
const BACKLOG_POLL_MS = 50;
const CATCH_UP_MS = 800; // between two appends, after a pause of our own
const NOT_READING_MS = 1500; // when nothing could be sent for this long, only the newest of what waits is kept
const WAITING_MAX = 8; // seconds
const HELD_SAMPLES_MAX = 300 * OUTPUT_RATE; // not yet played; beyond it the session ends with an error
const CLOSE_NORMAL = 1000;
const CLOSE_NONE = 1006; // no close frame came
const CLOSING_ERRORS = ['service_unavailable', 'queue_full', 'worker_busy', 'worker_connect_failed'];
const LAST_REASONS = ['timeout', 'context_full', 'stopped']; // another session would be another conversation

export class Session {
  phase = 'connecting'; // queued, creating, streaming, stopping, closing, over
  lasting = false; // another session would end the same
  created = null; // when it was
  spoke = false; // some of what was to be said has been taken
  #texts = new Map(); // of deltas whose sound has not begun
  #deltas = 0;
  #held = 0; // samples not yet played
  #turnText = '';
  #queue = Promise.resolve();
  #forceDue = false;
  #mutedUntil = 0;
  #waiting = []; // seconds not yet sent
  #sentAt = -Infinity;
  #sending = false;
  #notReading = false;
  #userClosed = false;
  #closedCame = false;

  // `observe(seen, members)` is told what happens, `progress` counts it (client.mjs).
  constructor({ url, profile, instructions, microphone, camera, speaker, observe, progress }) {
    Object.assign(this, { url, profile, instructions, microphone, camera, speaker, observe, progress });
    this.ended = new Promise((resolve) => { this.end = resolve; }); // { code }
  }

  open() {
    this.socket = new WebSocket(this.url);
    this.socket.onopen = () => this.#opened();
    this.socket.onmessage = ({ data }) => this.#inTurn(() => this.#receive(data));
    this.socket.onclose = ({ code, reason }) => this.#inTurn(() => this.#closed(code, reason));
    this.#wait(OPEN_WAIT_MS, () => {
      this.observe('error', { code: 'NO_CONNECTION', text: 'the upgrade was not answered in time' });
      return this.#hangUp();
    });
  }

  #inTurn(step) {
    this.#queue = this.#queue.then(step);
    return this.#queue;
  }

  // One deadline at a time: that of what it waits for now.
  #wait(ms, otherwise) {
    clearTimeout(this.deadline);
    if (ms !== undefined) this.deadline = setTimeout(() => this.#inTurn(otherwise), ms);
  }

  #fail(code, text) {
    this.observe('error', { code, text });
    this.#beginClose(0);
  }

  /* ---- until session.created ---- */

  #opened() {
    if (this.phase !== 'connecting') return;
    this.phase = 'queued';
    this.#wait(QUEUE_WAIT_MS, () => this.#fail('QUEUE_TIMEOUT', 'no session.queue_done came in time'));
  }

  #queued({ position, waitS }) {
    if (this.phase !== 'queued') return;
    const wait = Number.isFinite(waitS) && waitS >= 0 && waitS < this.profile.sessionMs ? `, about ${waitS.toFixed(1)} s` : '';
    this.observe('queue', { position, text: `place ${position} in the queue${wait}` });
    this.#wait(this.profile.sessionMs, () => this.#fail('QUEUE_TIMEOUT', 'no session.queue_done came in time'));
  }

  #queueDone() {
    if (this.phase !== 'queued') return;
    this.phase = 'creating';
    this.observe('queue', { position: 0, text: 'a worker is there' });
    this.socket.send(updateMessage(this.profile, this.instructions));
    this.#wait(CREATED_WAIT_MS, () => this.#fail('CREATED_TIMEOUT', 'no session.created came in time'));
  }

  #created({ id }) {
    if (this.phase !== 'creating') return;
    this.#wait();
    this.phase = 'streaming';
    this.created = performance.now();
    this.speaker.onheard = (heard) => this.#heard(heard);
    this.speaker.onturn = ({ at, samples }) => this.#turn(at, samples, true);
    this.speaker.start();
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

  #receive(data) {
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
    if (this.#held + samples.length > HELD_SAMPLES_MAX) {
      this.lasting = true;
      this.#fail('BUFFER_FULL', 'the server sent more than can be held for playing');
      return;
    }
    const id = this.#deltas++;
    this.#held += samples.length;
    this.#texts.set(id, text);
    this.speaker.add(id, samples, endOfTurn);
  }

  async #listen({ cache }) {
    if (this.phase !== 'streaming') return;
    this.progress.listens++;
    if (!this.#forceDue) this.#mutedUntil = 0; // else it was for something before
    await this.#drop('listen', { cache });
  }

  #error({ code, text }) {
    this.observe('error', { code, text });
    if (CLOSING_ERRORS.includes(code)) this.#beginClose(LINGER_MS); // the server closes with 1013
    else if (this.phase === 'creating')
      this.#wait(CREATED_ERROR_WAIT_MS, () => this.#fail('CREATED_TIMEOUT', 'no session.created came in time'));
  }

  #sessionClosed({ reason }) {
    this.#closedCame = true;
    this.progress.final = true;
    this.observe('state', { code: 'session-closed', text: reason });
    this.lasting = LAST_REASONS.includes(reason);
    if (!this.lasting) this.observe('error', { code: 'SESSION_CLOSED', text: reason });
    this.#beginClose(this.#userClosed ? 0 : LINGER_MS);
  }

  /* ---- what is heard ---- */

  #heard({ at, samples, begins }) {
    const text = begins.map((id) => this.#texts.get(id)).join('');
    for (const id of begins) this.#texts.delete(id);
    this.#held -= samples.length;
    this.#turnText += text;
    this.progress.deltas += begins.length;
    if (begins.length > 0) this.progress.idle = false;
    if (samples.length > 0 || text !== '') this.observe('heard', { at, samples: samples.length, text: text || undefined }, samples);
  }

  #turn(at, samples, whole) {
    const text = this.#turnText;
    this.#turnText = '';
    this.progress.turns++;
    this.progress.idle = this.playedOut;
    this.progress.quietSince = performance.now();
    this.observe('turn', { at, samples, final: whole, text });
  }

  async #drop(seen, members) {
    const { at, samples, inTurn, turnSamples } = await this.speaker.drop();
    this.#texts.clear();
    this.#held = 0;
    if (seen !== null) this.observe(seen, { at, samples, ...members });
    if (inTurn) this.#turn(at, turnSamples, false);
  }

  /* ---- what its user wants ---- */

  // Interrupts: at once here, with the next append there.
  forceListen() {
    return this.#inTurn(async () => {
      if (this.phase !== 'streaming') return;
      this.#forceDue = true;
      this.#mutedUntil = Infinity; // until the append has left, and then for a while
      this.progress.listens = 0;
      await this.#drop('cancelled', {});
    });
  }

  // session.close, or a close frame where there is no session yet.
  close() {
    return this.#inTurn(async () => {
      if (this.#userClosed || this.phase === 'over') return;
      this.#userClosed = this.lasting = true;
      await this.#drop(null, {});
      if (this.phase !== 'streaming') {
        this.#beginClose(0);
        return;
      }
      this.phase = 'stopping';
      this.microphone.stop();
      this.socket.send(CLOSE_MESSAGE);
      this.#wait(CLOSED_WAIT_MS, () => {
        this.observe('error', { code: 'CLOSED_TIMEOUT', text: 'no session.closed came after session.close' });
        this.#beginClose(0);
      });
    });
  }

  /* ---- the end ---- */

  #beginClose(lingerMs) {
    if (this.phase === 'closing' || this.phase === 'over') return;
    this.phase = 'closing';
    this.microphone.stop();
    this.#wait(lingerMs, () => {
      this.socket.close(CLOSE_NORMAL);
      this.#wait(CLOSE_WAIT_MS, () => this.#hangUp());
    });
  }

  // Without waiting for anybody. Chromium closes the connection by itself a little later.
  #hangUp() {
    this.socket.onclose = null;
    this.socket.close(CLOSE_NORMAL);
    return this.#closed(CLOSE_NONE, '');
  }

  async #closed(code, reason) {
    if (this.phase === 'over') return;
    this.#wait();
    this.microphone.stop();
    this.socket.onmessage = null;
    this.phase = 'over';
    this.progress.closed++;
    this.observe('closed', { code, text: reason || undefined });
    this.end({ code, closedCame: this.#closedCame, userClosed: this.#userClosed });
  }

  // What is queued is not played any more.
  cut() {
    return this.#inTurn(() => this.#drop(null, {}));
  }

  get playedOut() {
    return this.#texts.size === 0 && this.#held === 0;
  }
}
