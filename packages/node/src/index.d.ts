/** Stand-ins for realtime speech services, as tests of a client use them. Times are in milliseconds. */

export type Family = 'ojin' | 'duplex' | 'interview';

/** 'cancel-late=2s fade', ['cancel-late=2s', 'fade'] or { 'cancel-late': '2s', fade: true }; see `ojin-mock --list quirks`. */
export type Quirks = string | string[] | Record<string, string | number | boolean>;

/** What sessions do. At most one of script, fault and card. */
export interface Behaviour {
  quirks?: Quirks;
  /** Steps of the script language, a line each, or a whole script; see SCRIPTS.md of the mock. */
  script?: string;
  /** 'drop=10'; see `ojin-mock --list faults`. */
  fault?: string;
  /** 'mock.drop=10'; see `ojin-mock --list cards`. */
  card?: string;
  /** The only API key to accept; a random one unless given. */
  key?: string;
  /** The only config_id, or interview, to accept; any unless given. */
  config?: string;
  seed?: number;
}

export interface ScenarioOptions extends Behaviour {
  /** That of the profile or the script, or else the first that the mock serves, unless given. */
  family?: Family;
  profile?: string;
}

export interface MockOptions extends Behaviour {
  /** The families to serve; all unless given. */
  family?: Family | Family[];
  /** At most one for each family. */
  profile?: string | string[];
  /** Of the programs: a folder with bin/, lib/ and share/. OJIN_TOOLS_HOME, or the package's own, unless given. */
  home?: string;
  /** A free one unless given. */
  port?: number;
  listen?: string;
  /** Of the pictures: '320x240'. */
  size?: string;
  /** Divides the documented limits and waits. */
  speed?: number;
  tls?: boolean | 'expired' | 'not-yet-valid' | 'self-signed' | 'wrong-host';
  workers?: number;
  queue?: number;
  /** Further options of ojin-mock. */
  args?: string[];
  /** Added to its environment. */
  env?: Record<string, string>;
  /** 10,000 unless given. */
  readyTimeout?: number;
  /** Called with what it writes to its log. */
  onLog?: (text: string) => void;
}

/** Which entries of a journal are meant; all that is given has to hold. */
export interface JournalFilter {
  /** What it is: a label ('audio'), a type ('cancelInteraction'), an event ('close') or a kind of entry ('finding'). */
  kind?: string;
  session?: number;
  family?: Family;
  direction?: 'client' | 'server';
  label?: string;
  event?: 'request' | 'response' | 'text' | 'binary' | 'ping' | 'pong' | 'close' | 'violation' | 'end';
  type?: string;
  requirement?: string;
  /** What its line holds. */
  text?: string;
  /** Entries whose `n` is that or more. */
  since?: number;
  /** The most entries to return, the oldest first; 1000 unless given. */
  limit?: number;
}

export interface JournalEntry {
  n: number;
  /** Since the start of the mock. */
  at_us: number;
  connection: number;
  kind: string;
  label?: string;
  from?: 'client' | 'server';
  event?: string;
  text?: string;
  code?: number;
  [member: string]: unknown;
}

export interface Journal {
  /** Entries that match, the oldest first. */
  entries(filter?: JournalFilter): Promise<JournalEntry[]>;
  count(filter?: JournalFilter): Promise<number>;
  /** Waits until `count` (1) entries match, those already there included, and gives the last of them. After `timeout` (5000) it throws a JournalTimeout that says what was seen. */
  waitFor(filter?: JournalFilter, options?: { timeout?: number; count?: number }): Promise<JournalEntry>;
  clear(): Promise<void>;
}

/** What a client did against the documents. */
export interface Finding {
  /** The line that the mock prints. */
  text: string;
  session: number;
  family: Family | null;
  at_us: number;
  /** The number of its journal entry. */
  n: number;
  /** Breaks nothing. */
  note: boolean;
  /** null: the mock had to answer with an error that no requirement names; the members below are absent then. */
  requirement: string | null;
  level?: 'MUST' | 'SHOULD' | 'MAY';
  party?: 'client' | 'server';
  expected?: string;
  actual?: string;
  statement?: string;
  source?: string;
}

export interface Counts {
  [label: string]: { messages: number; bytes: number };
}

/** A connection as the mock has seen it. */
export interface Session {
  session: number;
  family: Family;
  state: 'asking' | 'joining' | 'open' | 'closing' | 'over' | 'refused';
  peer: string;
  path: string;
  config_id: string;
  refused: number | null;
  close_from_client: number | null;
  close_from_server: number | null;
  received: Counts;
  sent: Counts;
  findings: number;
  notes: number;
  audio_bytes: number;
  [member: string]: unknown;

  /** Sends a message: the kind of a `send` step and its options. */
  send(kind: string, options?: Record<string, unknown>): Promise<void>;
  /** Plays steps of the script language, a line each. */
  play(steps: string): Promise<void>;
  setQuirks(quirks: Quirks): Promise<void>;
  setFault(fault: string): Promise<void>;
  /** 1000 unless given. */
  close(code?: number, reason?: string): Promise<void>;
  /** What the client has sent, as a WAV file. */
  audio(): Promise<Buffer>;
}

/** What a mock and a scenario have in common. */
export interface Endpoint {
  /** Where clients connect, without a query. */
  readonly url: string;
  /** With the query that its family asks for. */
  readonly fullUrl: string;
  readonly family: Family;
  readonly profile: string;
  /** Of the families that have API keys. */
  readonly key: string;
  /** The config_id, or the interview, that a client can ask for. */
  readonly config: string;
  readonly journal: Journal;
  /** A JSON Web Token of the interview family; kinds as `ojin-mock token --help` lists them. */
  token(kind?: string): string;
  /** The variables that tell a client in a process of its own where to connect. */
  env(): Record<string, string>;
  /** All that are known, the latest first. */
  sessions(): Promise<Session[]>;
  session(number: number): Promise<Session>;
  /** So far; some are found only when a session ends. */
  findings(filter?: { notes?: boolean; session?: number; requirement?: string; since?: number }): Promise<Finding[]>;
  /** Throws a FindingsError unless there are none but those of the requirements in `except`. */
  assertNoFindings(options?: { except?: string[] }): Promise<void>;
  /** Has a client asked to be let in, be it in vain? */
  asked(): Promise<boolean>;
  /** Waits until all of its sessions are over, 1000 unless given; false when some still are open. */
  settled(options?: { timeout?: number }): Promise<boolean>;
  setQuirks(quirks: Quirks): Promise<void>;
  /** null: none any more. */
  setFault(fault: string | null): Promise<void>;
  reset(): Promise<void>;
}

export interface Scenario extends Endpoint {
  readonly id: string;
  /** Ends it, and its sessions with 1001. */
  remove(): Promise<void>;
}

export interface AttachedMock extends Endpoint {
  /** Of each family. */
  readonly urls: Partial<Record<Family, string>>;
  /** Makes an endpoint with a behaviour, sessions, a journal and findings of its own. */
  scenario(options?: ScenarioOptions): Promise<Scenario>;
}

export interface Mock extends AttachedMock {
  readonly pid: number;
  readonly port: number;
  readonly controlUrl: string;
  /** The file with the certificate to trust, with `tls`. */
  readonly ca?: string;
  /** The latest 64 KB of its log. */
  readonly log: string;
  /** What another process attaches with. */
  handle(): MockHandle;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface MockHandle {
  control: string;
  [member: string]: unknown;
}

/** Starts a mock on a free port; ready when the promise is kept. It ends with this process, even when that is killed. */
export function startMock(options?: MockOptions): Promise<Mock>;
/** A mock that runs already: its control URL, or what mock.handle() gave. By a control URL only its scenarios have a url. */
export function attachMock(mock: string | MockHandle): Promise<AttachedMock>;
/** The mock of OJIN_TOOLS_MOCK (a control URL, or the JSON of mock.handle()), or one that this process starts once. */
export function sharedMock(options?: MockOptions): Promise<AttachedMock>;

export interface TestOptions extends ScenarioOptions {
  /** true (default): a finding fails the test; false: none does; a list: those requirements may be broken. */
  findings?: boolean | string[];
  /** true (default): a test in which no client connects, be it in vain, fails. */
  expectConnection?: boolean;
  /** How long sessions may take to end after the test; 1000 unless given. */
  settle?: number;
  /** Of the shared mock, where it is not started yet. */
  mock?: MockOptions;
}

/** A test function for node:test, Mocha or Jest, with a scenario of its own. */
export function withOjin<Given extends unknown[]>(fn: (ojin: Scenario, ...given: Given) => unknown): (...given: Given) => Promise<void>;
export function withOjin<Given extends unknown[]>(
  options: TestOptions,
  fn: (ojin: Scenario, ...given: Given) => unknown,
): (...given: Given) => Promise<void>;

export class ControlError extends Error {
  status?: number;
  line?: number;
  column?: number;
}
export class JournalTimeout extends Error {
  found: number;
}
export class FindingsError extends Error {
  findings: Finding[];
}
/** A test ended, and no client had connected. */
export class NoConnectionError extends Error {}

/** The folder of the bundle. */
export function bundleHome(home?: string): string;
/** The path of ojin-mock, ojin-client or ojin-conform. */
export function programPath(name: 'ojin-mock' | 'ojin-client' | 'ojin-conform', home?: string): string;
