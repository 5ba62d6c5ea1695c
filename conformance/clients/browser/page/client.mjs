// What a user of the full-duplex protocol holds.
import { Session } from './session.mjs';
import { Talker } from './talker.mjs';

const ANSWER_WAIT_MS = 20000; // when it is to end, how long an answer is waited for
const SETTLE_MS = 3000; // and how long after the answer another
const INSTRUCTIONS = 'You are a helpful assistant. Answer in one or two short sentences.';

export class Client extends Talker {
  #talked = false;

  constructor({ url, profile, instructions = INSTRUCTIONS, microphone, camera = null, speaker, observe }) {
    super(observe);
    Object.assign(this, { url, profile, instructions, microphone, camera, speaker });
  }

  newSession() {
    return new Session(this);
  }

  // Half a sentence makes no sense in another session.
  leave(session) {
    if (!session.spoke) return;
    if (!this.microphone.saidAll || this.progress.turns === 0)
      this.observe('error', { code: 'SPEECH_LOST', text: 'speech was not answered, and is not sent again' });
    this.microphone.forget();
  }

  // Samples at 16 kHz, said in place of what the microphone hears.
  say(samples) {
    Object.assign(this.progress, { deltas: 0, turns: 0, listens: 0, idle: false });
    this.#talked = true;
    this.microphone.say(samples);
  }

  // Interrupts the server.
  async forceListen() {
    await this.session?.forceListen();
  }

  // session.close, once everything to be said is sent and was answered, or no answer came.
  async end() {
    await this.progress.until(() => this.sentAll);
    const sentAt = performance.now();
    while (!this.progress.over) {
      const answered = this.session.playedOut && (this.progress.turns > 0 || !this.#talked);
      const left = Math.max(sentAt, this.progress.quietSince) + (answered ? SETTLE_MS : ANSWER_WAIT_MS) - performance.now();
      if (left <= 0) {
        if (!answered) this.observe('error', { code: 'NO_ANSWER', text: 'speech was sent, and no turn of the server came' });
        break;
      }
      const { turns } = this.progress;
      await this.progress.until(() => this.progress.turns > turns, left);
    }
    await this.close();
  }
}
