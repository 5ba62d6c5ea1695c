// What a mock and a scenario have in common: an address for clients, sessions, a journal, findings.
import { execFileSync } from 'node:child_process';

import { FindingsError, judged } from './findings.js';
import { programPath } from './home.js';
import { Journal } from './journal.js';

const CONFIG = 'any-config';
const INTERVIEW = '6f1c1d0e-4b7a-4c58-9d4e-0123456789ab';
const CONFIG_MARK = '{config}';

/** Quirks as the control interface and --quirk take them: 'fade=8 cancel-late=2s' of text, a list, or an object. */
export function quirkWords(quirks) {
  if (quirks === undefined || quirks === null) return [];
  if (typeof quirks === 'string') return quirks.split(/\s+/).filter(Boolean);
  if (Array.isArray(quirks)) return quirks;
  return Object.entries(quirks).map(([name, value]) => (value === true ? name : `${name}=${value === false ? 'off' : value}`));
}

/** A connection as the mock has seen it. */
export class Session {
  #control;

  constructor(control, told) {
    this.#control = control;
    Object.assign(this, told);
  }

  #post(path, body) {
    return this.#control.ask('POST', `sessions/${this.session}/${path}`, { body });
  }

  /** Sends a message: a kind of a `send` step, with its options. */
  async send(kind, options = {}) {
    await this.#post('send', { kind, options });
  }

  /** Plays steps of the script language, a line each. */
  async play(steps) {
    await this.#post('send', { steps });
  }

  async setQuirks(quirks) {
    await this.#post('quirks', { quirks: quirkWords(quirks).join(' ') });
  }

  async setFault(fault) {
    await this.#post('faults', { fault });
  }

  async close(code = 1000, reason = '') {
    await this.#post('close', { code, reason });
  }

  /** What the client has sent, as a WAV file. */
  audio() {
    return this.#control.raw('GET', `sessions/${this.session}/audio.wav`);
  }
}

export class Endpoint {
  #home;
  #secret;

  constructor(control, told, { home, secret }) {
    this.control = control;
    this.#home = home;
    this.#secret = secret;
    this.journal = new Journal(control);
    this.family = told.family;
    this.profile = told.profile;
    this.key = told.key;
    this.config = told.config ?? (told.family === 'interview' ? INTERVIEW : CONFIG);
    this.url = told.url?.replace(CONFIG_MARK, encodeURIComponent(this.config));
  }

  /** The URL with its query; of an interview with a token that is good for an hour. */
  get fullUrl() {
    if (this.family === 'interview') return `${this.url}?token=${this.token()}`;
    if (this.family === 'duplex') return `${this.url}?mode=${this.profile.endsWith('audio') ? 'audio' : 'video'}`;
    return `${this.url}?config_id=${encodeURIComponent(this.config)}`;
  }

  /** A JSON Web Token for a client of the interview protocol; `kind` as `ojin-mock token --help` lists them. */
  token(kind = 'valid') {
    const words = ['token', kind, ...(this.#secret ? ['--jwt-secret', this.#secret] : [])];
    return execFileSync(programPath('ojin-mock', this.#home), words, { encoding: 'utf8' }).trim();
  }

  /** The variables that tell a client of its own process where to connect, as `ojin-mock exec` sets them. */
  env() {
    if (this.family === 'duplex') return { DUPLEX_URL: this.fullUrl };
    if (this.family === 'interview') return { INTERVIEW_URL: this.url, INTERVIEW_ID: this.config, INTERVIEW_TOKEN: this.token() };
    return { OJIN_URL: this.url, OJIN_WS_URL: this.url, OJIN_API_KEY: this.key, OJIN_CONFIG_ID: this.config };
  }

  /** All that are known, the latest first. */
  async sessions() {
    const { sessions } = await this.control.ask('GET', 'sessions');
    return sessions.map((told) => new Session(this.control, told));
  }

  /** One of them, by its number. */
  async session(number) {
    return new Session(this.control, await this.control.ask('GET', `sessions/${number}`));
  }

  /** What clients did against the documents, so far; with `notes` also remarks that break nothing. */
  async findings({ notes = false, ...filter } = {}) {
    const { findings } = await this.control.ask('GET', 'findings', { query: filter });
    return notes ? findings : findings.filter(({ note }) => !note);
  }

  /** Throws a FindingsError unless there are none. `except` lists requirements that may be broken. */
  async assertNoFindings({ except = [] } = {}) {
    const found = judged(await this.findings(), except);
    if (found.length > 0) throw new FindingsError(found);
  }

  /** Has a client asked to be let in, be it in vain? */
  async asked() {
    return (await this.control.ask('GET', 'sessions')).requests > 0;
  }

  /** Waits until all of its sessions are over; false when some are still open after `timeout` ms. */
  async settled({ timeout = 1_000 } = {}) {
    const { requests } = await this.control.ask('GET', 'sessions');
    if (requests === 0) return true;
    try {
      await this.journal.waitFor({ kind: 'end' }, { count: requests, timeout });
      return true;
    } catch (error) {
      if (error.name !== 'JournalTimeout') throw error;
      return (await this.control.ask('GET', 'sessions')).open === 0;
    }
  }

  /** Quirks of the next sessions. */
  async setQuirks(quirks) {
    await this.control.ask('POST', 'quirks', { body: { quirks: quirkWords(quirks).join(' ') } });
  }

  /** The fault of the next sessions; null: none any more. */
  async setFault(fault) {
    if (fault === null) await this.control.ask('DELETE', 'faults');
    else await this.control.ask('POST', 'faults', { body: { fault } });
  }

  /** Forgets journal, findings, and the quirks and faults that were set meanwhile. */
  async reset() {
    await this.control.ask('POST', 'reset');
  }
}
