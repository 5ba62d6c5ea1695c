// One session of the realtime interview API: one connection. It says its answers, and hears the replies.

import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { now } from './connection.mjs';
import { crc32 } from './crc32.mjs';
import { CANCEL, PONG, RATE, SAMPLE_BYTES, buildChunk, buildCommit, parseMessage } from './interview-wire.mjs';
import { Listener } from './listener.mjs';
import { BadAudio, soundOf, textOf } from './messages.mjs';
import { Player } from './player.mjs';

const CHUNK_SAMPLES = 3600; // 150 ms, the middle of what the document recommends
const CHUNK_BYTES = CHUNK_SAMPLES * SAMPLE_BYTES;
const LATE_MS = 100; // later than that, the schedule begins anew: nothing is made up for in a burst

const CONNECTED_TIMEOUT_MS = 10000;
const TAKE_TIMEOUT_MS = 10000; // of a server that takes nothing of what is sent
const REPLY_TIMEOUT_MS = 20000; // for the reply, and for each next chunk of it
const REPLY_ERROR_TIMEOUT_MS = 5000; // the same, once an error came in its place
const SETTLE_MS = 1000; // when it is to end, how long it listens after the last that came

const SERVICE_RESTART = 1012;
const RESTART_DELAY_MS = 5000;
const STATUSES = ['connecting', 'connected', 'disconnected'];

const msOf = (sound) => (sound.length / SAMPLE_BYTES / RATE) * 1000;

export class InterviewSession extends Listener {
  sampleBytes = SAMPLE_BYTES;
  answers = []; // not yet committed
  awaitsReply = false; // to the latest commit: its is_final did not come
  replyDeadline = 0;
  replyOpen = false; // a chunk came that was not the last of its reply
  muted = false; // what comes belongs to a reply that was interrupted
  final = false; // the end of a reply came since the latest speak

  constructor(url, dialect, observe, triesAgain) {
    super(url, observe, triesAgain);
    this.dialect = dialect;
  }

  begin() {
    this.player = new Player(now(), SAMPLE_BYTES);
    this.awaitConnected();
    this.sayAnswers();
    this.watchForReply();
    this.play();
  }

  async awaitConnected() {
    if ((await this.until(() => this.ready || this.gone, CONNECTED_TIMEOUT_MS)) || this.over) return;
    this.reportError('CONNECTED_TIMEOUT', `no status connected within ${CONNECTED_TIMEOUT_MS / 1000} s`);
    await this.close();
  }

  receiveEnd(code, reason) {
    super.receiveEnd(code, reason);
    if (code === SERVICE_RESTART) this.retryAfterMs = RESTART_DELAY_MS;
  }

  explain(body) {
    const message = JSON.parse(body);
    return `${message[this.dialect.errorCode]}: ${message.message}`;
  }

  // ---- answers ----

  // `sound`: integers at 24 kHz. It is an answer, said once those before it are.
  speak(sound) {
    this.answers.push(sound);
    this.deltas = this.turns = 0;
    this.idle = this.final = false;
  }

  isSent() {
    return this.ready && this.answers.length === 0;
  }

  talks() {
    return this.ready && !this.closing && this.ws.readyState === WebSocket.OPEN;
  }

  async sayAnswers() {
    while (await this.until(() => this.talks() && this.answers.length > 0))
      if (await this.say(this.answers[0])) this.commit();
  }

  // As a microphone gives it: each chunk once its sound was said. False when it was broken off.
  async say(answer) {
    let due = now();
    for (let at = 0; at < answer.length; at += CHUNK_BYTES) {
      const chunk = answer.subarray(at, at + CHUNK_BYTES);
      due = Math.max(due, now() - LATE_MS) + msOf(chunk);
      await sleep(Math.max(0, due - now()));
      if (!(await this.until(() => !this.talks() || this.takesMore(), TAKE_TIMEOUT_MS))) {
        this.reportError('NOT_READING', 'the server does not take what it is sent');
        await this.close();
      }
      if (!this.talks()) return false;
      this.send(buildChunk(this.dialect, chunk)); // not awaited: takesMore() looks after it
      this.quietAt = now();
    }
    return true;
  }

  commit() {
    this.answers.shift();
    this.turns = 0;
    this.muted = false;
    this.awaitsReply = true;
    this.replyDeadline = now() + REPLY_TIMEOUT_MS;
    this.send(buildCommit(this.dialect));
  }

  // Interrupts the reply: what is queued is not heard any more, nor what still comes of it.
  async cancel() {
    if (!this.talks()) return;
    this.muted = this.muted || this.awaitsReply || this.replyOpen;
    this.giveUpReply('cancelled');
    await this.send(CANCEL);
  }

  // Nobody has to wait for it any more, also when nothing of it came.
  giveUpReply(seen) {
    const turns = this.turns;
    this.drop(seen);
    if (this.awaitsReply) this.turns = turns + 1;
    this.awaitsReply = false;
  }

  async watchForReply() {
    while (await this.until(() => this.awaitsReply && now() >= this.replyDeadline)) {
      this.reportError('NO_REPLY', 'an answer was committed, and no whole reply came in time');
      this.replyOpen = false;
      this.giveUpReply(null);
    }
  }

  // Once all is said and the last reply was heard, or none came.
  async end() {
    const isQuiet = () => this.isSent() && !this.awaitsReply && this.player.held.length === 0;
    if (await this.until(() => isQuiet() && now() - this.quietAt >= SETTLE_MS)) await this.close();
  }

  // What is queued is not heard any more.
  async close() {
    this.ending = true;
    if (this.player !== null && !this.closing && !this.over) this.drop(null);
    await super.close();
  }

  // ---- receiving ----

  receiveText(text) {
    if (this.closing) return;
    this.quietAt = now();
    let type, message;
    try {
      [type, message] = parseMessage(this.dialect, text);
    } catch {
      this.reportError('', text); // plain text is for people
      return;
    }
    if (type === 'status') this.receiveStatus(message);
    else if (type === 'ai_audio_chunk') this.receiveChunk(message);
    else if (type === 'transcript') this.receiveTranscript(message);
    else if (type === 'function_result') this.receiveResult(message);
    else if (type === 'error') this.receiveError(message);
    else if (type === 'ping' && this.dialect.pings) this.send(PONG);
  }

  receiveStatus(message) {
    const status = textOf(message, 'status');
    const text = textOf(message, 'message');
    if (!STATUSES.includes(status)) return;
    this.observe('status', { code: status, text });
    if (status !== 'connected' || this.ready) return;
    this.readyAt = now();
    this.observe('ready', { text });
  }

  receiveChunk(message) {
    let sound = Buffer.alloc(0);
    try {
      sound = soundOf(message, SAMPLE_BYTES);
    } catch (error) {
      if (!(error instanceof BadAudio)) throw error;
      this.reportError('BAD_CHUNK', error.message);
    }
    const text = textOf(message, 'transcript');
    const final = message.is_final === true;
    const audio = sound.length > 0 ? crc32(sound) : undefined;
    const ignored = this.muted;
    this.observe('delta', { samples: sound.length / SAMPLE_BYTES, audio, final, text });
    this.replyOpen = !final;
    this.replyDeadline = now() + REPLY_TIMEOUT_MS;
    if (final) {
      this.final = true;
      this.muted = false;
      this.awaitsReply &&= ignored;
    }
    if (ignored) return;
    if (text !== '') this.observe('transcript', { code: 'ai', text, final: false });
    if (!this.hold(sound, text, final)) this.close();
  }

  receiveTranscript(message) {
    if (typeof message.text !== 'string') return;
    const { speaker, speakers } = this.dialect;
    const who = textOf(message, speaker);
    const code = Object.hasOwn(speakers, who) ? speakers[who] : '';
    this.observe('transcript', { code, text: message.text, final: true });
  }

  receiveResult(message) {
    this.observe('result', { code: textOf(message, 'function_name'), text: JSON.stringify(message.result) ?? '' });
  }

  receiveError(message) {
    this.reportError(textOf(message, this.dialect.errorCode), textOf(message, 'message'));
    if (this.awaitsReply) this.replyDeadline = Math.min(this.replyDeadline, now() + REPLY_ERROR_TIMEOUT_MS);
  }
}
