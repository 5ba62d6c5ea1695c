// A client of the Ojin realtime speech API: a session, and when that is lost another, as often as it is told to try.

import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff } from './backoff.mjs';
import { Session } from './session.mjs';

const HEALTHY_MS = 30000; // a session that held for so long was none of a row of failures
const POLL_MS = 5;

// `observe` is told what happens. What is said before the session is ready is sent as soon as it is.
export class OjinClient {
  backoff = new Backoff();
  over = false;
  userClosed = false;

  constructor(url, key, configId, profile, observe) {
    this.url = `${url}?config_id=${encodeURIComponent(configId)}`;
    this.headers = { Authorization: key };
    this.earlier = profile === 'oris-1.0-earlier';
    this.observe = observe;
    this.session = this.newSession();
  }

  // Begins from nothing: what belongs to one session cannot get into the next.
  newSession() {
    return new Session(this.url, this.headers, this.earlier, this.observe);
  }

  // Comes back once the handshake was answered, or has failed.
  async connect() {
    const first = this.session;
    this.running = this.run();
    await this.until(() => first.opened || first.over);
  }

  // From now on a connection that is lost or refused is tried again, so often in a row at most.
  reconnect(attempts) {
    this.backoff.attempts = attempts;
  }

  async run() {
    await this.session.run();
    for (let delayMs; (delayMs = this.delayBeforeNextMs()) !== null; ) {
      this.session = this.sessionAfter(this.session);
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

  // Half a sentence makes no sense in another session. Speech of which nothing was sent is still to be said.
  sessionAfter(old) {
    const session = this.newSession();
    if (!old.sentSpeech) for (const { audio, params } of old.unsent) session.speak(audio, params);
    else if (old.unsent.length > 0 || !old.idle)
      old.reportError('SPEECH_LOST', 'speech was lost with the connection, and is not sent again');
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

  // Now and for good, whatever it is doing: connecting, talking, or waiting for the next attempt.
  async close() {
    this.userClosed = true;
    await this.session.close();
    await this.running;
  }
}
