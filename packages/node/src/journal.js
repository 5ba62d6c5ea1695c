// The journal of a mock or of a scenario: found, counted, waited for.
import { ControlError } from './control.js';
import { optionsCheck } from './options.js';

const WAIT_ONCE_MAX = 60_000; // ms, as the control interface takes it
const BUSY = 503; // as many wait already as can
const BUSY_PAUSE = 50;
const MARGIN = 10_000;
const SHOWN_SESSIONS = 5;
const WAIT_OPTIONS = ['timeout', 'count'];

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The wait for an entry ended without it; `found` of `count` were there. */
export class JournalTimeout extends Error {
  constructor(message, found) {
    super(message);
    this.name = 'JournalTimeout';
    this.found = found;
  }
}

function queryOf(filter) {
  const { kind, ...rest } = filter;
  return { what: kind, ...rest };
}

const shown = (counts) =>
  Object.entries(counts)
    .map(([name, { messages }]) => (messages === 1 ? name : `${name} (${messages})`))
    .join(', ') || 'nothing';

function sessionShown(session) {
  const closed = [
    session.refused && `refused with ${session.refused}`,
    session.close_from_client && `closed by the client with ${session.close_from_client}`,
    session.close_from_server && `closed by the mock with ${session.close_from_server}`,
  ].filter(Boolean);
  return (
    `  session ${session.session} (${[session.state, ...closed].join(', ')}): ` +
    `received ${shown(session.received)}; sent ${shown(session.sent)}`
  );
}

export class Journal {
  #control;

  constructor(control) {
    this.#control = control;
  }

  /** The entries that match, the oldest first. */
  async entries(filter = {}) {
    return (await this.#control.ask('GET', 'journal', { query: queryOf(filter) })).entries;
  }

  /** How many match. */
  async count(filter = {}) {
    return (await this.#control.ask('GET', 'journal/count', { query: queryOf(filter) })).found;
  }

  /** Forgets all entries. */
  async clear() {
    await this.#control.ask('DELETE', 'journal');
  }

  /** Waits until `count` entries match, those already there included; gives the last of them. */
  async waitFor(filter = {}, options = {}) {
    optionsCheck(options, WAIT_OPTIONS);
    if (WAIT_OPTIONS.some((name) => name in filter)) {
      throw new TypeError('ojin-tools: timeout and count belong into the second argument: waitFor({ kind }, { timeout })');
    }
    const { timeout = 5_000, count = 1 } = options;
    const until = Date.now() + timeout;
    for (;;) {
      const left = Math.min(Math.max(until - Date.now(), 0), WAIT_ONCE_MAX);
      const answer = await this.#waitOnce(filter, count, left);
      if (answer?.met) return (await this.entries({ ...filter, limit: count }))[count - 1];
      if (Date.now() >= until) throw await this.#missed(filter, count, timeout, answer?.found ?? 0);
      if (answer === undefined) await pause(BUSY_PAUSE);
    }
  }

  async #waitOnce(filter, count, ms) {
    const query = { ...queryOf(filter), count, timeout: `${Math.ceil(ms)}ms` };
    try {
      return await this.#control.ask('GET', 'journal/wait', { query, timeout: ms + MARGIN });
    } catch (error) {
      if (error instanceof ControlError && error.status === BUSY) return undefined;
      throw error;
    }
  }

  async #missed(filter, count, timeout, found) {
    const { sessions } = await this.#control.ask('GET', 'sessions');
    const of = filter.session === undefined ? sessions : sessions.filter((one) => one.session === filter.session);
    const lines = of.slice(0, SHOWN_SESSIONS).reverse().map(sessionShown);
    const wanted = count === 1 ? 'no entry' : `${found} of ${count} entries`;
    const seen = lines.length === 0 ? 'no session has come yet' : `seen instead:\n${lines.join('\n')}`;
    return new JournalTimeout(`journal: ${wanted} ${JSON.stringify(filter)} within ${timeout} ms; ${seen}`, found);
  }
}
