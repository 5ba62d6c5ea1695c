// A mock of one's own, as a process, and its scenarios.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { Control } from './control.js';
import { Endpoint, quirkWords } from './endpoint.js';
import { programPath } from './home.js';
import { BEHAVIOUR, OF_A_MOCK, optionsCheck } from './options.js';

const READY_MS = 10_000;
const STOP_MS = 5_000;
const LOG_BYTES_MAX = 65_536;
const LOG_SHOWN = 2_000;

const newKey = () => `key-${randomBytes(12).toString('hex')}`;
const indented = (text) => text.trimEnd().replace(/^/gm, '  ');

/** An endpoint of the same mock with a behaviour, sessions, journal and findings of its own. */
export class Scenario extends Endpoint {
  constructor(control, told, context) {
    super(control, told, context);
    this.id = told.id;
  }

  /** Ends it, and its sessions with 1001. */
  async remove() {
    await this.control.ask('DELETE', `../${this.id}`);
  }
}

async function scenarioAdd(root, { quirks, script, fault, card, family, profile, key, config, seed }, context) {
  const body = { script, fault, card, family, profile, config, seed, key: key ?? newKey() };
  const words = quirkWords(quirks);
  if (words.length > 0) body.quirks = words.join(' ');
  const made = await root.ask('POST', 'scenarios', { body });
  return [root.below(made.control), { ...made, key: body.key, config }];
}

/** A mock that runs already, of this process or of another one. */
export class AttachedMock extends Endpoint {
  #root;
  #context;

  constructor(root, control, told, context) {
    super(control, told, context);
    this.#root = root;
    this.#context = context;
    this.urls = told.urls ?? {};
  }

  /** Makes an endpoint of its own: url, key, journal and findings that no other test sees. */
  async scenario(options = {}) {
    optionsCheck(options, BEHAVIOUR);
    return new Scenario(...(await scenarioAdd(this.#root, options, this.#context)), this.#context);
  }
}

/** A mock that this process has started. */
export class Mock extends AttachedMock {
  #child;
  #secret;

  constructor(child, root, control, told, context) {
    super(root, control, told, context);
    this.#child = child;
    this.pid = child.pid;
    this.port = child.ready.port;
    this.controlUrl = child.ready.control;
    this.ca = child.ready.ca;
    this.#secret = context.secret;
  }

  /** What it has written to its log so far, its latest 64 KB. */
  get log() {
    return this.#child.said;
  }

  /** What another process attaches to it with: attachMock(JSON.parse(text)), or OJIN_TOOLS_MOCK. */
  handle() {
    const { url, urls, family, profile, key } = this;
    return { control: this.controlUrl, ca: this.ca, jwtSecret: this.#secret, url, urls, family, profile, key };
  }

  /** Ends it, and all of its sessions with 1001. */
  async stop() {
    await this.#child.stop();
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.stop();
  }
}

/** The process. It ends with this one however that ends, since its standard input is closed then. */
class Child {
  said = '';
  ended = undefined;
  #words;
  #process;
  #exit;
  #stopping = false;

  constructor(path, words, env, onLog) {
    this.#words = [path, ...words];
    // In a session of its own: a Ctrl-C is for this process, which then ends the mock.
    this.#process = spawn(path, [...words, '--until-stdin-closes'], { stdio: ['pipe', 'pipe', 'pipe'], env, detached: true });
    this.pid = this.#process.pid;
    this.#exit = new Promise((resolve) => {
      this.#process.on('error', (error) => {
        this.ended = `could not be started: ${error.message}`;
        resolve();
      });
      this.#process.on('close', (code, signal) => {
        this.ended ??= signal === null ? `exit status ${code}` : `signal ${signal}`;
        resolve();
      });
    });
    this.#process.stdin.on('error', () => {}); // it is gone: `close` says so
    this.#process.stderr.setEncoding('utf8').on('data', (text) => {
      this.said = (this.said + text).slice(-LOG_BYTES_MAX);
      onLog?.(text);
    });
  }

  quoted() {
    const said = this.said === '' ? 'It said nothing.' : `It said:\n${indented(this.said.slice(-LOG_SHOWN))}`;
    return `${said}\n  command: ${this.#words.join(' ')}`;
  }

  /** Its ready line. */
  ready = undefined;
  async begin(timeout) {
    let line = '';
    const first = new Promise((resolve) => {
      this.#process.stdout.setEncoding('utf8').on('data', (text) => {
        line += text;
        if (line.includes('\n')) resolve('ready');
      });
    });
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, timeout, 'late');
    });
    const came = await Promise.race([first, late, this.#exit]);
    clearTimeout(timer);
    if (came === 'ready') {
      this.ready = JSON.parse(line);
      for (const one of [this.#process, ...this.#process.stdio]) one.unref();
      return;
    }
    const ended = this.ended;
    this.#process.kill('SIGKILL');
    throw new Error(
      came === 'late'
        ? `ojin-mock was not ready within ${timeout} ms. ${this.quoted()}`
        : `ojin-mock ended (${ended}) before it was ready. ${this.quoted()}`,
    );
  }

  /** A sentence when it has ended. */
  gone() {
    if (this.ended === undefined) return undefined;
    return this.#stopping ? 'the mock was stopped already' : `the mock has ended (${this.ended}). ${this.quoted()}`;
  }

  async stop() {
    this.#stopping = true;
    if (this.ended !== undefined) return;
    this.#process.ref();
    this.#process.stdin.end();
    this.#process.kill('SIGTERM');
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_MS);
    await this.#exit;
    clearTimeout(timer);
    if (this.ended === 'signal SIGKILL') throw new Error(`ojin-mock did not stop within ${STOP_MS} ms. ${this.quoted()}`);
  }
}

function wordsOf({ port = 0, listen, family, profile, quirks, fault, config, seed, speed, size, tls, workers, queue, args = [] }) {
  const words = ['--port', String(port)];
  const add = (name, value) => {
    for (const one of [value].flat()) if (one !== undefined) words.push(`--${name}`, String(one));
  };
  add('listen', listen);
  add('family', family === undefined ? undefined : [family].flat().join(','));
  add('profile', profile);
  add('quirk', quirkWords(quirks));
  add('fault', fault);
  add('config', config);
  add('seed', seed);
  add('speed', speed);
  add('size', size);
  add('workers', workers);
  add('queue', queue);
  if (tls) words.push(tls === true ? '--tls' : `--tls=${tls}`);
  return [...words, ...args];
}

/** Starts a mock on a free port; it is ready when the promise is kept. */
export async function startMock(options = {}) {
  optionsCheck(options, OF_A_MOCK);
  const { home, script, card, key = newKey(), env = {}, readyTimeout = READY_MS, onLog } = options;
  const path = programPath('ojin-mock', home);
  const child = new Child(path, wordsOf(options), { ...process.env, ...env, OJIN_MOCK_KEY: key }, onLog);
  await child.begin(readyTimeout);
  const { ready } = child;
  const ca = ready.ca === undefined ? undefined : readFileSync(ready.ca);
  const context = { home, secret: ready.jwt_secret ?? env.OJIN_MOCK_JWT_SECRET };
  const root = new Control(ready.control, { ca, gone: () => child.gone() });
  let [control, told] = [root, { ...ready, family: Object.keys(ready.urls)[0], key, config: options.config }];
  if (script !== undefined || card !== undefined) {
    try {
      const { family, profile } = options;
      const one = [family, profile].map((given) => (Array.isArray(given) ? given[0] : given));
      const [below, made] = await scenarioAdd(
        root,
        { ...options, family: one[0], profile: one[1], fault: undefined, key, script, card },
        context,
      );
      [control, told] = [below, { ...made, urls: { ...ready.urls, [made.family]: made.url } }];
    } catch (error) {
      await child.stop();
      throw error;
    }
  }
  return new Mock(child, root, control, told, context);
}

/** A mock that runs already: its control URL, or what mock.handle() gave. Without the latter only its scenarios have a url. */
export async function attachMock(given) {
  const handle = typeof given === 'string' ? { control: given } : given;
  const base = handle.control.endsWith('/') ? handle.control : `${handle.control}/`;
  const root = new Control(base, { ca: handle.ca === undefined ? undefined : readFileSync(handle.ca) });
  await root.ask('GET', 'health');
  return new AttachedMock(root, root, handle, { secret: handle.jwtSecret });
}
