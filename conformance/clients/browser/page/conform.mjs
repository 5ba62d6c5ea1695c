// The adapter: what lets ojin-conform drive this client. The plan and the observations go over HTTP, to and from the
// address of the case (CONFORM_CONTROL), which the launcher or whoever opens the page puts into its own address.
const STEPS = ['connect', 'speak', 'force-listen', 'end', 'wait', 'close', 'reconnect'];

// What a step waits for: has it happened, `count` times where it can be counted?
const CONDITIONS = {
  ready: ({ progress }, count) => progress.readies >= count,
  speech: ({ progress }, count) => progress.deltas >= count,
  listen: ({ progress }, count) => progress.listens >= count,
  turn: ({ progress }, count) => progress.turns >= count,
  sent: (client) => client.sentAll,
  idle: ({ progress }) => progress.idle,
  final: ({ progress }) => progress.final,
  error: ({ progress }) => progress.errors > 0,
  closed: ({ progress }) => progress.closed > 0,
};

export async function fetchPlan(control) {
  return (await fetch(`${control}plan`)).json();
}

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
  const steps = plan.steps.map((step) => step.do).filter((word) => !STEPS.includes(word) || (word === 'speak' && microphoneOpen));
  const conditions = plan.steps.map((step) => step.after?.split(':')[0]).filter((name) => name !== undefined && !Object.hasOwn(CONDITIONS, name));
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
