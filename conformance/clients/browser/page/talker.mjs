// What the clients of both protocols share: a session, and another when that is lost and it was told to try again; and what has
// happened so far.
const FIRST_DELAY_MS = 500; // doubled each time
const DELAY_MAX_MS = 30000;
const HEALTHY_MS = 30000; // a session that held for this long begins the count anew
const PASSING_CODES = [1001, 1006, 1011, 1012, 1013, 1014, 1015]; // of a close after which another attempt may go better

// What a plan can wait for. `deltas` (whose sound began to be played), `turns` and `listens` count since the latest say().
class Progress {
  readies = 0;
  deltas = 0;
  turns = 0;
  listens = 0;
  errors = 0;
  closed = 0;
  idle = false; // a turn was over since the latest say(), and nothing is queued
  final = false; // the last word of the server came
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

// A family adds newSession(), leave(session), which is told that it was lost and another follows, and what its users ask for.
export class Talker {
  progress = new Progress();
  session = null;
  leaving = false;
  #times = 0; // attempts in a row after a loss
  #tried = 0;

  // `observe(seen, members, samples)`: what is seen, as ojin-conform has it; `samples` are those of what was heard.
  constructor(observe) {
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
    this.session = this.newSession();
    this.session.open();
    this.#follow(this.session);
  }

  async #follow(session) {
    const { code, told, userClosed } = await session.ended;
    if (session.readyAt !== null && performance.now() - session.readyAt >= HEALTHY_MS) this.#tried = 0;
    const passes = !session.lasting && (told || PASSING_CODES.includes(code)); // `told`: by a message, why it ended
    if (this.#times === 0 || userClosed || !passes) await this.progress.until(() => session.playedOut || this.leaving);
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
    this.leave(session);
    const ms = Math.max(session.retryAfterMs ?? 0, Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** this.#tried++));
    const attempt = `attempt ${this.#tried} of ${this.#times}`;
    this.observe('state', { code: 'backing-off', ms, text: `trying again in ${ms} ms, ${attempt}` });
    await this.progress.until(() => this.leaving, ms);
    if (this.leaving) return false;
    this.progress.final = false;
    this.observe('state', { code: 'connecting', text: `connecting, ${attempt}` });
    this.connect();
    return true;
  }

  get sentAll() {
    return this.session !== null && this.session.sentAll;
  }

  // At once, whatever it is doing. What is queued is not played any more.
  async close() {
    this.leaving = true;
    await this.session?.close();
    this.progress.changed();
    if (this.session !== null) await this.progress.until(() => false);
  }
}
