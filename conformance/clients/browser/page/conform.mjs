// The adapter: what lets ojin-conform drive these clients. The plan and the observations go over HTTP, to and from the
// address of the case (CONFORM_CONTROL), which the launcher or whoever opens the page puts into its own address.
const STEPS = ['connect', 'speak', 'end', 'wait', 'close', 'reconnect'];
const FAMILIES = {
  duplex: { page: 'index.html', steps: [...STEPS, 'force-listen'], lacks: [] },
  interview: { page: 'interview.html', steps: [...STEPS, 'cancel'], lacks: ['listen'] },
};
const familyOf = ({ profile = '' }) => FAMILIES[profile.startsWith('interview') ? 'interview' : 'duplex'];

// What a step waits for: has it happened, `count` times where it can be counted?
const CONDITIONS = {
  ready: ({ progress }, count) => progress.readies >= count,
  speech: ({ progress }, count) => progress.deltas >= count,
  turn: ({ progress }, count) => progress.turns >= count,
  sent: (client) => client.sentAll,
  idle: ({ progress }) => progress.idle,
  final: ({ progress }) => progress.final,
  error: ({ progress }) => progress.errors > 0,
  closed: ({ progress }) => progress.closed > 0,
  listen: ({ progress }, count) => progress.listens >= count,
};

export async function fetchPlan(control) {
  return (await fetch(`${control}plan`)).json();
}

// The page that is the client of a plan's family.
export const pageOf = (plan) => familyOf(plan).page;

// Posts observations, each batch once the one before has arrived: their order is kept.
export class Reporter {
  #lines = [];
  #posting = null;

  constructor(control) {
    this.control = control;
  }

  say(members) {
    this.#lines.push(JSON.stringify({ conform: 1, ...members }));
    this.#posting ??= this.#post().finally(() => { this.#posting = null; });
  }

  async #post() {
    while (this.#lines.length > 0) {
      const body = this.#lines.splice(0).map((line) => `${line}\n`).join('');
      const answer = await fetch(`${this.control}observations`, { method: 'POST', body });
      if (!answer.ok) throw new Error(`an observation was refused: ${await answer.text()}`);
    }
  }

  async flush() {
    while (this.#posting !== null) await this.#posting;
  }
}

// What of the plan this client cannot do: a step, or what one waits for; undefined: nothing. One with an open microphone says
// what that hears, and no files.
export function cannotDo(plan, microphoneOpen) {
  const family = familyOf(plan);
  const knows = (word) => family.steps.includes(word) && !(word === 'speak' && microphoneOpen);
  const waits = (name) => Object.hasOwn(CONDITIONS, name) && !family.lacks.includes(name);
  const steps = plan.steps.map((step) => step.do).filter((word) => !knows(word));
  const conditions = plan.steps.map((step) => step.after?.split(':')[0]).filter((name) => name !== undefined && !waits(name));
  return [...steps, ...conditions].at(0);
}

function happened(client, after) {
  const [name, count = '1'] = after.split(':');
  return () => CONDITIONS[name](client, Number(count));
}

async function doStep(client, step) {
  if (step.do === 'connect') client.connect();
  else if (step.do === 'speak') client.say(await client.microphone.decode(await (await fetch(step.file)).arrayBuffer()));
  else if (step.do === 'force-listen') await client.forceListen();
  else if (step.do === 'cancel') await client.cancel();
  else if (step.do === 'end') await client.end();
  else if (step.do === 'wait') await client.progress.until(() => false, step.ms);
  else if (step.do === 'close') await client.close();
}

// Does what the plan asks. Returns as the exit of a client of one case would be.
export async function obey(client, plan) {
  const { progress } = client;
  const deadline = performance.now() + (plan.limit_ms || Infinity);
  for (const step of plan.steps) if (step.do === 'reconnect') client.reconnect(step.times); // before the first attempt
  for (const step of plan.steps) {
    if (step.after !== undefined) await progress.until(happened(client, step.after), deadline - performance.now());
    if (progress.over || performance.now() >= deadline) break;
    await doStep(client, step);
  }
  await client.close();
  return progress.errors > 0 ? 1 : 0;
}

const DECLINED = 77;
const BROKEN = 99;

// What a page does that is driven (?control=ADDRESS): `open(plan, { microphoneOpen, observe })` gives the client and what closes
// its devices, `keep(heard)` the WAV of what was heard, pieces { at, samples }.
async function drive(control, parameters, { open, keep, show }) {
  const plan = await fetchPlan(control);
  const microphoneOpen = parameters.get('microphone') === 'open';
  const soundTo = parameters.get('sound');
  const missing = cannotDo(plan, microphoneOpen);
  if (missing !== undefined) {
    console.log(`cannot do this: ${missing}`);
    return DECLINED;
  }
  const reporter = new Reporter(control);
  const heard = [];
  const observe = (seen, members, samples) => {
    show(seen, members);
    if (seen === 'ready') heard.length = 0; // a new session has a new clock
    if (seen === 'heard' && soundTo !== null) heard.push({ at: members.at, samples });
    reporter.say({ seen, ...members });
  };
  const { client, close } = await open(plan, { microphoneOpen, observe });
  const code = await obey(client, plan);
  if (soundTo !== null) await fetch(soundTo, { method: 'POST', body: keep(heard) });
  await reporter.flush();
  await close();
  return code;
}

// The launcher that opened the page hears how it ended by conformDone; without one the runner does.
export async function startDriven(parameters, page) {
  const control = parameters.get('control');
  let code = BROKEN;
  try {
    code = await drive(control, parameters, page);
  } catch (error) {
    page.trouble(error.message);
    console.error(error.stack);
  }
  if (window.conformDone !== undefined) {
    await window.conformDone(code);
    return;
  }
  const reporter = new Reporter(control);
  reporter.say({ done: code });
  await reporter.flush();
}
