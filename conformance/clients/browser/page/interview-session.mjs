// One session of a realtime interview. Its phases: connecting, joining, talking, closing, over.
import { Conversation } from './conversation.mjs';
import { CANCEL_MESSAGE, PONG_MESSAGE, chunkMessage, commitMessage, readMessage } from './interview-wire.mjs';
import { crc32 } from './sound.mjs';

const CONNECTED_WAIT_MS = 10000;
const TAKE_WAIT_MS = 10000; // of a server that takes nothing of what is sent
const REPLY_WAIT_MS = 20000; // for the reply, and for each next chunk of it
const REPLY_ERROR_WAIT_MS = 5000; // the same, once an error came in its place
const BACKLOG_POLL_MS = 50;
const CATCH_UP_MS = 110; // between two chunks, after a pause of our own: never more than ten a second
const SERVICE_RESTART = 1012;
const RESTART_WAIT_MS = 5000;

export class InterviewSession extends Conversation {
  answers = []; // not yet committed: samples, or null for what the microphone hears
  awaitsReply = false; // to the latest commit: its is_final did not come
  quietSince = performance.now(); // since when nothing came or was said
  #saying = false; // the first answer is being said
  #waiting = []; // { chunk, last } not yet sent
  #sending = false;
  #sentAt = -Infinity;
  #replyOpen = false; // a chunk came that was not the last of its reply
  #muted = false; // what comes belongs to a reply that was interrupted

  constructor({ profile, ...talker }) {
    super(talker);
    this.profile = profile;
  }

  opened() {
    if (this.phase !== 'connecting') return;
    this.phase = 'joining';
    this.startSpeaker();
    this.microphone.onchunk = (chunk, last) => this.#chunk(chunk, last);
    this.wait(CONNECTED_WAIT_MS, () => this.fail('CONNECTED_TIMEOUT', 'no status connected came in time'));
  }

  /* ---- answers, one after another ---- */

  answer(samples) {
    this.answers.push(samples);
    this.#sayNext();
  }

  get sentAll() {
    return this.phase === 'talking' && this.answers.length === 0;
  }

  #sayNext() {
    if (this.phase !== 'talking' || this.#saying || this.answers.length === 0) return;
    this.#saying = true;
    if (this.answers[0] === null) this.microphone.listen();
    else this.microphone.say(this.answers[0]);
  }

  #chunk(chunk, last) {
    if (this.phase !== 'talking') return;
    this.#waiting.push({ chunk, last });
    if (!this.#sending) this.#send();
  }

  // What the server does not take waits, and is made up for one after another.
  async #send() {
    this.#sending = true;
    while (this.#waiting.length > 0 && this.phase === 'talking') {
      const blocked = this.socket.bufferedAmount > 0;
      const pauseMs = blocked ? BACKLOG_POLL_MS : this.#sentAt + CATCH_UP_MS - performance.now();
      if (blocked && performance.now() - this.#sentAt > TAKE_WAIT_MS) this.fail('NOT_READING', 'the server does not take what it is sent');
      else if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      else this.#say(this.#waiting.shift());
    }
    this.#sending = false;
  }

  #say({ chunk, last }) {
    if (chunk.length > 0) this.socket.send(chunkMessage(this.profile, chunk));
    this.#sentAt = this.quietSince = performance.now();
    if (last) this.#commit();
  }

  #commit() {
    this.socket.send(commitMessage(this.profile));
    this.answers.shift();
    this.#saying = this.#muted = false;
    this.progress.turns = 0;
    this.#awaitReply(true, REPLY_WAIT_MS);
    this.#sayNext();
    this.progress.changed();
  }

  #awaitReply(awaits, ms) {
    this.awaitsReply = awaits;
    this.wait(awaits ? ms : undefined, () => {
      this.observe('error', { code: 'NO_REPLY', text: 'an answer was committed, and no whole reply came in time' });
      this.#replyOpen = false;
      return this.#giveUpReply(null);
    });
  }

  // Nobody has to wait for it any more, also when nothing of it came.
  async #giveUpReply(seen) {
    const { turns } = this.progress;
    const awaited = this.awaitsReply;
    this.#awaitReply(false);
    await this.drop(seen, {});
    if (awaited) this.progress.turns = turns + 1;
    this.progress.changed();
  }

  // What is queued is not heard any more, nor what still comes of the reply.
  cancel() {
    return this.inTurn(async () => {
      if (this.phase !== 'talking') return;
      this.#muted = this.#muted || this.awaitsReply || this.#replyOpen;
      this.socket.send(CANCEL_MESSAGE);
      await this.#giveUpReply('cancelled');
    });
  }

  /* ---- what the server says ---- */

  receive(data) {
    if (this.phase === 'closing' || this.phase === 'over') return undefined;
    this.quietSince = performance.now();
    const message = typeof data === 'string' ? readMessage(this.profile, data) : { kind: 'unknown' };
    switch (message.kind) {
      case 'status': return this.#status(message);
      case 'chunk': return this.#reply(message);
      case 'transcript': return this.observe('transcript', { code: message.speaker, text: message.text, final: true });
      case 'result': return this.observe('result', { code: message.name, text: message.text });
      case 'error': return this.#error(message);
      case 'ping': return this.socket.send(PONG_MESSAGE);
      case 'plain': return this.observe('error', { code: '', text: message.text });
      default: return undefined; // what is not known is ignored
    }
  }

  #status({ status, text }) {
    this.observe('status', { code: status, text });
    if (status !== 'connected' || this.phase !== 'joining') return;
    this.wait();
    this.phase = 'talking';
    this.readyAt = performance.now();
    this.observe('ready', { text });
    this.#sayNext();
  }

  #reply({ samples, bytes, text, last, fault }) {
    const ignored = this.#muted;
    this.observe('delta', { samples: samples.length, audio: bytes.length > 0 ? crc32(bytes) : undefined, final: last, text });
    if (fault !== undefined) this.observe('error', { code: 'BAD_CHUNK', text: fault });
    this.#replyOpen = !last;
    if (last) {
      this.#muted = false;
      this.progress.final = true;
    }
    if (this.awaitsReply) this.#awaitReply(!last || ignored, REPLY_WAIT_MS);
    if (ignored) return;
    if (text !== '') this.observe('transcript', { code: 'ai', text, final: false });
    this.play(samples, text, last);
  }

  #error({ code, text }) {
    this.observe('error', { code, text });
    if (this.awaitsReply) this.#awaitReply(true, REPLY_ERROR_WAIT_MS);
  }

  /* ---- the end ---- */

  close() {
    return this.inTurn(async () => {
      if (this.userClosed || this.phase === 'over') return;
      this.userClosed = this.lasting = true;
      await this.drop(null, {});
      this.beginClose(0);
    });
  }

  closed(code, reason) {
    if (code === SERVICE_RESTART) this.retryAfterMs = RESTART_WAIT_MS;
    return super.closed(code, reason);
  }
}
