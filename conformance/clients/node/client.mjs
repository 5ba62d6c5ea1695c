// What a user holds: a session, and when that is lost another, as often as it is told to try.

import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff } from './backoff.mjs';
import { DuplexSession } from './duplex-session.mjs';
import { DOCUMENTED, LATER } from './duplex-wire.mjs';
import { InterviewSession } from './interview-session.mjs';
import { DEPLOYED, DOCUMENTED as INTERVIEW } from './interview-wire.mjs';
import { Session } from './session.mjs';

const HEALTHY_MS = 30000; // a session that held for this long was none of a row of failures
const POLL_MS = 10;

// A family adds newSession(), carryOver() and what its users ask for.
class Client {
  backoff = new Backoff();
  over = false;
  userClosed = false;

  // Its first session is made by connect(), or by whoever asks for it earlier.
  get session() {
    this.current ??= this.newSession();
    return this.current;
  }

  // Comes back once the handshake was answered, or has failed.
  async connect() {
    const first = this.session;
    this.running = this.run();
    await this.until(() => first.opened || first.over);
  }

  // From now on a connection that is lost or refused is tried again, at most `attempts` times in a row.
  reconnect(attempts) {
    this.backoff.attempts = attempts;
  }

  async run() {
    await this.session.run();
    for (let delayMs; (delayMs = this.delayBeforeNextMs()) !== null; ) {
      this.current = this.sessionAfter(this.session);
      const seconds = (delayMs / 1000).toFixed(1);
      this.observe('state', { code: 'backing-off', ms: Math.floor(delayMs), text: `trying again in ${seconds} s` });
      if (await this.until(() => this.userClosed, delayMs)) break;
      const text = `attempt ${this.backoff.tried} of ${this.backoff.attempts}`;
      this.observe('state', { code: 'connecting', text });
      await this.session.run();
    }
    this.over = true;
  }

  // After the session has ended. Null when it ended for good, or there were attempts enough.
  delayBeforeNextMs() {
    const session = this.session;
    if (this.backoff.attempts === 0 || this.userClosed || session.ending || session.lasting) return null;
    if (session.ready && performance.now() - session.readyAt >= HEALTHY_MS) this.backoff.reset();
    const delayMs = this.backoff.nextDelayMs(session.retryAfterMs);
    if (delayMs === null)
      session.reportError('GAVE_UP', `no connection held after ${this.backoff.tried} further attempts`);
    return delayMs;
  }

  // Begins from nothing: what belongs to one session cannot get into the next, but what was never begun.
  sessionAfter(old) {
    const session = this.newSession();
    this.carryOver(old, session);
    return session;
  }

  // As that of a session, but over the sessions.
  async until(condition, timeoutMs = Infinity) {
    const deadline = performance.now() + timeoutMs;
    while (!condition()) {
      if (this.over || performance.now() >= deadline) return false;
      await sleep(POLL_MS);
    }
    return true;
  }

  // Now and for good, whatever it is doing: connecting, talking, or waiting for the next attempt.
  async close() {
    this.userClosed = true;
    await this.session.close();
    await this.running;
  }
}

// Of the Ojin realtime speech API. What is said before the session is ready is sent as soon as it is.
export class OjinClient extends Client {
  constructor(url, key, configId, profile, observe) {
    super();
    this.url = `${url}?config_id=${encodeURIComponent(configId)}`;
    this.headers = { Authorization: key };
    this.earlier = profile === 'oris-1.0-earlier';
    this.observe = observe;
  }

  newSession() {
    return new Session(this.url, this.headers, this.earlier, this.observe);
  }

  // Half a sentence makes no sense in another session. Speech of which nothing was sent is still to be said.
  carryOver(old, session) {
    if (!old.sentSpeech) for (const { audio, params } of old.unsent) session.speak(audio, params);
    else if (old.unsent.length > 0 || !old.idle)
      old.reportError('SPEECH_LOST', 'speech was lost with the connection, and is not sent again');
  }

  // ---- what a user asks for ----

  speak(audio, params) {
    this.session.speak(audio, params);
  }

  async cancel() {
    await this.session.cancel();
  }

  // Sends what is left, then ends the interaction and the session.
  async end() {
    if (await this.until(() => this.session.ready && this.session.isSent())) await this.session.end();
  }
}

// Of families whose sessions end once all is said and was answered. What is said before the session is ready is sent as
// soon as it is.
class ListenerClient extends Client {
  triesAgain = () => this.backoff.attempts > 0;

  speak(sound) {
    this.session.speak(sound);
  }

  // Once all is said and the answer was heard; over the sessions.
  async end() {
    while (!this.over) {
      const session = this.session;
      await session.end();
      await this.until(() => this.session !== session);
    }
  }
}

// Of the full-duplex speech protocol.
export class DuplexClient extends ListenerClient {
  constructor(url, profile, pictures, observe) {
    super();
    const mode = profile.endsWith('audio') ? 'audio' : 'video';
    this.url = `${url}?mode=${mode}`;
    this.dialect = profile.startsWith('duplex-later') ? LATER : DOCUMENTED;
    this.pictures = mode === 'audio' ? [] : pictures;
    this.observe = observe;
  }

  newSession() {
    return new DuplexSession(this.url, this.dialect, this.pictures, this.observe, this.triesAgain);
  }

  // Speech of which a part was said is gone. What the server heard nothing of is still to be said.
  carryOver(old, session) {
    if (!old.sentSpeech && old.unsent.length > 0) session.speak(old.unsent);
    else if (old.sentSpeech && (old.unsent.length > 0 || old.turns === 0))
      old.reportError('SPEECH_LOST', 'speech was not answered, and is not sent again');
  }

  forceListen() {
    this.session.forceListen();
  }
}

// Of the realtime interview API: what is spoken is an answer.
export class InterviewClient extends ListenerClient {
  constructor(url, token, profile, observe) {
    super();
    this.url = `${url}?token=${encodeURIComponent(token)}`;
    this.dialect = profile === 'interview-deployed' ? DEPLOYED : INTERVIEW;
    this.observe = observe;
  }

  newSession() {
    return new InterviewSession(this.url, this.dialect, this.observe, this.triesAgain);
  }

  // A committed answer is the server's. One that was broken off before is said from its beginning.
  carryOver(old, session) {
    session.answers = old.answers;
    if (old.awaitsReply)
      old.reportError('REPLY_LOST', 'the connection was lost before the reply came, and the answer is not said again');
  }

  async cancel() {
    await this.session.cancel();
  }
}
