// What lets ojin-conform drive a client: it obeys a plan, and says what is seen. Nothing else here knows of the suite.
//
// CONFORM_PLAN says what to do; without it the client speaks a file and ends. What it sees goes to standard
// output, one JSON object a line. Exit: 0 done, 1 an error was seen, 77 cannot do what the plan asks, 99 not set up.
// With CONFORM_PERSISTENT each line of standard input is a case, plan and all, and ends with a line `done`.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { trust } from './connection.mjs';
import { SpeakerFile, UnsupportedAudio } from './sound.mjs';

export class CannotDo extends Error {}

// No half pairs, which no JSON holds.
const clean = (name, value) => (typeof value === 'string' ? Buffer.from(value).toString() : value);

// A family adds its own steps and conditions, and newClient().
export class Adapter {
  needs = {}; // variables that have to be set, and what a task calls them
  mayHave = {}; // ... and those that need not
  audio = ''; // the variable with the file to speak when there is no plan
  steps = ['connect', 'end', 'wait', 'close', 'reconnect'];
  seenSoFar = { ready: 0, error: 0, closed: 0 };
  over = false;

  observe(seen, members) {
    if (this.over) return;
    if (seen in this.seenSoFar) this.seenSoFar[seen]++;
    console.log(JSON.stringify({ conform: 1, seen, ...members }, clean));
  }

  conditions(count) {
    return {
      ready: () => this.seenSoFar.ready >= count,
      sent: () => this.client.session.isSent(),
      idle: () => this.client.session.idle,
      final: () => this.client.session.final,
      error: () => this.seenSoFar.error > 0,
      closed: () => this.seenSoFar.closed > 0,
    };
  }

  conditionOf(after) {
    const [name, count] = after.split(':');
    const conditions = this.conditions(Number(count ?? 1));
    if (!(name in conditions)) throw new CannotDo(`after ${after}`);
    return conditions[name];
  }

  checkStep(step) {
    if (!this.steps.includes(step.do)) throw new CannotDo(step.do);
    if (step.after !== undefined) this.conditionOf(step.after);
  }

  async doStep(step) {
    if (step.do === 'connect') await this.client.connect();
    else if (step.do === 'end') await this.client.end();
    else if (step.do === 'wait') await this.client.until(() => false, step.ms ?? 0);
    else if (step.do === 'close') await this.client.close();
  }

  async runPlan(plan) {
    const client = this.client;
    for (const step of plan.steps) this.checkStep(step); // told before anything is begun
    for (const step of plan.steps) if (step.do === 'reconnect') client.reconnect(step.times); // before the first attempt
    const deadline = performance.now() + (plan.limit_ms ?? 600000);
    for (const step of plan.steps) {
      if (step.after !== undefined) await client.until(this.conditionOf(step.after), deadline - performance.now());
      if (client.over || performance.now() >= deadline) break;
      await this.doStep(step);
    }
  }

  readPlan(env) {
    if (env.CONFORM_PLAN) return JSON.parse(readFileSync(env.CONFORM_PLAN, 'utf8'));
    return { steps: [{ do: 'connect' }, { do: 'speak', file: env[this.audio] ?? '' }, { do: 'end' }] };
  }

  // The exit code.
  async main(env, plan) {
    const missing = Object.keys(this.needs).filter((name) => env[name] === undefined);
    if (missing.length > 0) {
      console.error(`not set: ${missing.join(', ')}`);
      return 99;
    }
    this.client = this.newClient(env);
    try {
      await this.runPlan(plan ?? this.readPlan(env));
    } catch (error) {
      if (error instanceof CannotDo) {
        console.error(`cannot do this: ${error.message}`);
        return 77;
      }
      if (!(error instanceof UnsupportedAudio)) throw error;
      this.observe('error', { code: 'UNSUPPORTED_AUDIO', text: error.message });
    } finally {
      await this.client.close();
    }
    return this.seenSoFar.error > 0 ? 1 : 0;
  }

  // What would be set if the process were the task's alone.
  environmentOf(task) {
    const names = { CONFORM_OUT: 'out', CONFORM_PROFILE: 'profile', ...this.needs, ...this.mayHave };
    return Object.fromEntries(Object.entries(names).map(([name, member]) => [name, task[member]]));
  }

  // One case, or those that come on standard input. The exit code.
  static async run() {
    if (!process.env.CONFORM_PERSISTENT) return new this().main(process.env);
    for await (const line of createInterface({ input: process.stdin })) {
      const task = JSON.parse(line);
      const adapter = new this();
      if (task.ca) trust(readFileSync(task.ca)); // NODE_EXTRA_CA_CERTS is read once a process
      const done = await adapter.main(adapter.environmentOf(task), task);
      adapter.over = true;
      console.log(JSON.stringify({ conform: 1, done }));
    }
    return 0;
  }
}

// Of a client that plays sound by its own clock: what was heard is left in CONFORM_OUT.
export class ListenerAdapter extends Adapter {
  speaker = null;

  openSpeaker(env, sampleBytes) {
    if (!env.CONFORM_OUT) return;
    mkdirSync(env.CONFORM_OUT, { recursive: true });
    this.speaker = new SpeakerFile(join(env.CONFORM_OUT, 'sound.wav'), sampleBytes);
  }

  observe(seen, members, sound) {
    if (seen === 'ready') this.speaker?.begin();
    if (sound !== undefined) this.speaker?.write(members.at, sound); // what is told to be heard can be found in the file
    super.observe(seen, members);
  }

  conditions(count) {
    return {
      ...super.conditions(count),
      speech: () => this.client.session.deltas >= count,
      turn: () => this.client.session.turns >= count,
    };
  }

  checkStep(step) {
    super.checkStep(step);
    if (step.params !== undefined) throw new CannotDo('speak with params');
  }
}
