#!/usr/bin/env node
// A client of the Ojin realtime speech API on ws 8, with an adapter for ojin-conform.
//
// Where to go comes from the environment: OJIN_URL (without its query), OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO.
// CONFORM_PLAN says what to do; without it the client speaks OJIN_AUDIO and ends. What it sees goes to standard
// output, one JSON object a line. Exit: 0 done, 1 an error was seen, 77 cannot do what the plan asks.

import { readFileSync } from 'node:fs';
import { OjinClient } from './session.mjs';
import { UnsupportedAudio, readSpeech } from './wire.mjs';

class CannotDo extends Error {}

function conditionOf(client, after) {
  const [name, count] = after.split(':');
  const conditions = {
    ready: () => client.ready,
    speech: () => client.speechPlayed >= Number(count ?? 1),
    sent: () => client.isSent(),
    idle: () => client.idle,
    final: () => client.final,
    error: () => client.errors > 0,
    closed: () => client.over,
  };
  if (!(name in conditions)) throw new CannotDo(`after ${after}`);
  return conditions[name];
}

const STEPS = ['connect', 'speak', 'cancel', 'end', 'wait', 'close'];

async function doStep(client, step) {
  if (step.do === 'connect') await client.connect();
  else if (step.do === 'speak') client.speak(readSpeech(step.file));
  else if (step.do === 'cancel') await client.cancel();
  else if (step.do === 'end') await client.end();
  else if (step.do === 'wait') await client.until(() => false, step.ms ?? 0);
  else if (step.do === 'close') await client.close();
}

async function runPlan(client, plan) {
  const unknown = plan.steps.find((step) => !STEPS.includes(step.do));
  if (unknown !== undefined) throw new CannotDo(unknown.do); // told before anything is begun
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
const client = new OjinClient(env.OJIN_URL, env.OJIN_API_KEY, env.OJIN_CONFIG_ID, env.CONFORM_PROFILE);
try {
  await runPlan(client, readPlan(env));
} catch (error) {
  if (error instanceof UnsupportedAudio) {
    client.reportError('UNSUPPORTED_AUDIO', error.message);
  } else if (error instanceof CannotDo) {
    console.error(`cannot do this: ${error.message}`);
    process.exitCode = 77;
  } else {
    throw error;
  }
} finally {
  await client.close();
}
process.exitCode ??= client.errors > 0 ? 1 : 0;
