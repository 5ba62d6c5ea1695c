// What a candidate holds: an interview, over the sessions.
import { InterviewSession } from './interview-session.mjs';
import { Talker } from './talker.mjs';

const SETTLE_MS = 1000; // when it is to end, how long it listens after the last that came

export class InterviewClient extends Talker {
  constructor({ url, profile, microphone, speaker, observe }) {
    super(observe);
    Object.assign(this, { url, profile, microphone, speaker });
  }

  newSession() {
    const session = new InterviewSession(this);
    session.answers = this.session?.answers ?? [];
    return session;
  }

  // A committed answer is the server's. One that was broken off before is said from its beginning, unless nobody has it.
  leave(session) {
    session.answers = session.answers.filter((samples) => samples !== null);
    if (session.awaitsReply) this.observe('error', { code: 'REPLY_LOST', text: 'the connection was lost before the reply came, and the answer is not said again' });
  }

  // Samples at 24 kHz are an answer; null: what the microphone hears until done().
  say(samples) {
    Object.assign(this.progress, { deltas: 0, turns: 0, idle: false, final: false });
    this.session.answer(samples);
  }

  listen() {
    this.say(null);
  }

  done() {
    this.microphone.done();
  }

  // Interrupts the reply.
  async cancel() {
    await this.session?.cancel();
  }

  // Once all answers are committed and the last reply was heard, or none came.
  async end() {
    this.done();
    while (!this.progress.over) {
      const { session } = this;
      const quiet = session.sentAll && !session.awaitsReply && session.playedOut;
      const since = Math.max(session.quietSince, this.progress.quietSince);
      const left = quiet ? since + SETTLE_MS - performance.now() : SETTLE_MS / 10;
      if (left <= 0) break;
      await this.progress.until(() => false, left);
    }
    await this.close();
  }
}
