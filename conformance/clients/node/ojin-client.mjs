#!/usr/bin/env node
// The adapter: lets ojin-conform drive the client of this folder. These lines are what it takes for any client library.
//
// Where to go comes from the environment: OJIN_URL (without its query), OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO.
// CONFORM_PLAN says what to do; without it the client speaks OJIN_AUDIO and ends. What it sees goes to standard
// output, one JSON object a line. Exit: 0 done, 1 an error was seen, 77 cannot do what the plan asks.

import { readFileSync } from 'node:fs';
import { OjinClient } from './client.mjs';
import { UnsupportedAudio, readSpeech } from './wire.mjs';

class CannotDo extends Error {}

const STEPS = ['connect', 'speak', 'cancel', 'end', 'wait', 'close', 'reconnect'];
const seenSoFar = { ready: 0, error: 0, closed: 0 };

function observe(seen, members) {
  if (seen in seenSoFar) seenSoFar[seen]++;
  console.log(JSON.stringify({ conform: 1, seen, ...members }));
}

function conditionOf(client, after) {
  const [name, count] = after.split(':');
  const conditions = {
    ready: () => seenSoFar.ready >= Number(count ?? 1),
    speech: () => client.session.speechPlayed >= Number(count ?? 1),
    sent: () => client.session.isSent(),
    idle: () => client.session.idle,
    final: () => client.session.final,
    error: () => seenSoFar.error > 0,
    closed: () => seenSoFar.closed > 0,
  };
  if (!(name in conditions)) throw new CannotDo(`after ${after}`);
  return conditions[name];
}

async function doStep(client, step) {
  if (step.do === 'connect') await client.connect();
  else if (step.do === 'speak') client.speak(readSpeech(step.file), step.params);
  else if (step.do === 'cancel') await client.cancel();
  else if (step.do === 'end') await client.end();
  else if (step.do === 'wait') await client.until(() => false, step.ms ?? 0);
  else if (step.do === 'close') await client.close();
}

async function runPlan(client, plan) {
  const unknown = plan.steps.find((step) => !STEPS.includes(step.do));
  if (unknown !== undefined) throw new CannotDo(unknown.do); // told before anything is begun
  for (const step of plan.steps) if (step.do === 'reconnect') client.reconnect(step.times); // before the first attempt
  const deadline = performance.now() + plan.limit_ms;
  for (const step of plan.steps) {
    if (step.after !== undefined) await client.until(conditionOf(client, step.after), deadline - performance.now());
    if (client.over || performance.now() >= deadline) break;
    await doStep(client, step);
  }
}

function readPlan(env) {
  if (env.CONFORM_PLAN) return JSON.parse(readFileSync(env.CONFORM_PLAN, 'utf8'));
  return { limit_ms: 600000, steps: [{ do: 'connect' }, { do: 'speak', file: env.OJIN_AUDIO ?? '' }, { do: 'end' }] };
}

const env = process.env;
const missing = ['OJIN_URL', 'OJIN_API_KEY', 'OJIN_CONFIG_ID'].filter((name) => env[name] === undefined);
if (missing.length > 0) {
  console.error(`not set: ${missing.join(', ')}`);
  process.exit(99);
}
const client = new OjinClient(env.OJIN_URL, env.OJIN_API_KEY, env.OJIN_CONFIG_ID, env.CONFORM_PROFILE, observe);
try {
  await runPlan(client, readPlan(env));
} catch (error) {
  if (error instanceof UnsupportedAudio) {
    observe('error', { code: 'UNSUPPORTED_AUDIO', text: error.message });
  } else if (error instanceof CannotDo) {
    console.error(`cannot do this: ${error.message}`);
    process.exitCode = 77;
  } else {
    throw error;
  }
} finally {
  await client.close();
}
process.exitCode ??= seenSoFar.error > 0 ? 1 : 0;
