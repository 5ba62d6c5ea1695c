// What a user of the protocol holds: a session, and another when that is lost and it was told to try again.
import { Session } from './session.mjs';

const FIRST_DELAY_MS = 500; // doubled each time
const DELAY_MAX_MS = 30000;
const HEALTHY_MS = 30000; // a session that held for this long begins the count anew
const ANSWER_WAIT_MS = 20000; // when it is to end, how long an answer is waited for
const SETTLE_MS = 3000; // and how long after the answer another
const PASSING_CODES = [1001, 1006, 1011, 1012, 1013, 1014, 1015]; // of a close after which another attempt may go better
const INSTRUCTIONS = 'You are a helpful assistant. Answer in one or two short sentences.';

// What a plan can wait for. `deltas` (whose sound began to be played), `turns` and `listens` count since the latest say().
class Progress {
  readies = 0;
  deltas = 0;
  turns = 0;
  listens = 0;
  errors = 0;
  closed = 0;
  idle = false; // a turn was over since the latest say(), and nothing is queued
  final = false; // session.closed came
  over = false;
  quietSince = 0;
  #waiters = new Set();

  changed() {
    for (const look of this.#waiters) look();
  }

  // Until `condition` holds, it is over, or `ms` have passed.
  until(condition, ms = Infinity) {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiters.delete(look);
        resolve();
      };
      const look = () => (this.over || condition()) && finish();
      const timer = Number.isFinite(ms) ? setTimeout(finish, Math.max(0, ms)) : undefined;
      this.#waiters.add(look);
      look();
    });
  }
}

export class Client {
  progress = new Progress();
  session = null;
  #times = 0; // attempts in a row after a loss
  #tried = 0;
  #talked = false;
  #leaving = false;

  // `observe(seen, members, samples)`: what is seen, as ojin-conform has it; `samples` are those of what was heard.
  constructor({ url, profile, instructions = INSTRUCTIONS, microphone, camera = null, speaker, observe }) {
    Object.assign(this, { url, profile, instructions, microphone, camera, speaker });
    this.observe = (seen, members, samples) => {
      if (seen === 'error') this.progress.errors++;
      if (seen === 'ready') this.progress.readies++;
      observe(seen, members, samples);
      this.progress.changed();
    };
  }

  // From here on a lost connection is tried again up to `times` times in a row.
  reconnect(times) {
    this.#times = times;
  }

  connect() {
    this.session = new Session(this);
    this.session.open();
    this.#follow(this.session);
  }

  async #follow(session) {
    const { code, closedCame, userClosed } = await session.ended;
    if (session.created !== null && performance.now() - session.created >= HEALTHY_MS) this.#tried = 0;
    const passes = closedCame ? !session.lasting : PASSING_CODES.includes(code) && !session.lasting;
    if (this.#times === 0 || userClosed || !passes) await this.progress.until(() => session.playedOut || this.#leaving);
    else if (await this.#backOff(session)) return;
    this.progress.over = true;
    this.progress.changed();
  }

  // False: it gave up.
  async #backOff(session) {
    if (this.#tried >= this.#times) {
      this.observe('error', { code: 'GAVE_UP', text: `no connection held after ${this.#tried} further attempts` });
      return false;
    }
    await session.cut();
    if (session.spoke) { // half a sentence makes no sense in another session
      if (!this.microphone.saidAll || this.progress.turns === 0)
        this.observe('error', { code: 'SPEECH_LOST', text: 'speech was not answered, and is not sent again' });
      this.microphone.forget();
    }
    const ms = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** this.#tried++);
    const attempt = `attempt ${this.#tried} of ${this.#times}`;
    this.observe('state', { code: 'backing-off', ms, text: `trying again in ${ms} ms, ${attempt}` });
    await this.progress.until(() => this.#leaving, ms);
    if (this.#leaving) return false;
    this.progress.final = false;
    this.observe('state', { code: 'connecting', text: `connecting, ${attempt}` });
    this.connect();
    return true;
  }

  // Samples at 16 kHz, said in place of what the microphone hears.
  say(samples) {
    Object.assign(this.progress, { deltas: 0, turns: 0, listens: 0, idle: false });
    this.#talked = true;
    this.microphone.say(samples);
  }

  get sentAll() {
    return this.session !== null && this.session.sentAll;
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

  // session.close and what follows. What is queued is not played any more.
  async close() {
    this.#leaving = true;
    await this.session?.close();
    this.progress.changed();
    if (this.session !== null) await this.progress.until(() => false);
  }
}
