#!/usr/bin/env node
// The launcher: starts a headless Chromium with the page of a family, which is the client under test, and ends as the page
// says. The page itself gets its plan and posts what it sees, over HTTP at CONFORM_CONTROL.
//
//   node ojin-browser-client.mjs [--microphone FILE.wav] [--camera FILE.mjpeg]     driven by ojin-conform, a case or --persistent
//   node ojin-browser-client.mjs --serve [PORT]                                          for a browser of one's own, by hand
//
// CONFORM_OUT: a folder for sound.wav, what was heard. Exit: 0 done, 1 an error was seen, 77 cannot do what the plan asks, 99 broken.

import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { cannotDo, fetchPlan, pageOf } from './page/conform.mjs';
import { serve } from './serve.mjs';

const PORT_BY_HAND = 8080;
const DECLINED = 77;
const BROKEN = 99;

function readOptions() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: {
    serve: { type: 'boolean' }, microphone: { type: 'string' }, camera: { type: 'string' }, chromium: { type: 'string' } } });
  return { ...values, port: Number(positionals[0] ?? PORT_BY_HAND) };
}

// One page for case after case: each begins with another document, and nothing of the one before is left in it.
async function openPage(client) {
  client.browser ??= await client.open();
  const page = await client.browser.newPage();
  page.on('console', (message) => console.error(message.text()));
  page.on('pageerror', (error) => client.fail(new Error(`Uncaught ${error.stack}`)));
  page.on('crash', () => client.fail(new Error('Uncaught crash of the page')));
  await page.exposeFunction('conformDone', (code) => client.done(code));
  return page;
}

// Gives the exit of a case. The browser is started for the first that can be done.
async function runCase(client, { control, out, ca }) {
  const { origin, microphoneOpen, sound } = client;
  const plan = await fetchPlan(control);
  const missing = ca ? 'TLS with an authority of the runner\'s own' : cannotDo(plan, microphoneOpen); // a page has no say in whom the browser trusts
  if (missing !== undefined) {
    console.error(`cannot do this: ${missing}`);
    return DECLINED;
  }
  sound.folder = out || null;
  const query = new URLSearchParams({ control, ...(microphoneOpen && { microphone: 'open' }), ...(out && { sound: '/sound' }) });
  const ended = new Promise((done, fail) => Object.assign(client, { done, fail }));
  ended.catch(() => {}); // it is looked at below
  const page = client.page ?? await openPage(client);
  client.page = null; // of one that fails nothing is used again
  page.goto(`${origin}/${pageOf(plan)}?${query}`).catch(client.fail);
  const code = await ended;
  await page.goto('about:blank');
  client.page = page;
  return code;
}

// An exception that nobody caught in the page is a crash of the client; anything else that goes wrong is the adapter's.
function exitOf(error) {
  console.error(error.message);
  return error.message.startsWith('Uncaught') ? 1 : BROKEN;
}

// Cases as lines on standard input, one after another.
async function runMany(client) {
  for await (const line of createInterface({ input: process.stdin })) {
    const done = await runCase(client, JSON.parse(line)).catch(exitOf);
    console.log(JSON.stringify({ conform: 1, done }));
  }
  return 0;
}

async function drive({ microphone, camera, chromium }) {
  import.meta.resolve('playwright-core'); // without it there is no browser; by hand there need be none
  const sound = { folder: null };
  const { origin, server } = await serve(0, (bytes) => {
    mkdirSync(sound.folder, { recursive: true });
    writeFileSync(resolve(sound.folder, 'sound.wav'), bytes);
  });
  const open = async () => {
    const { openBrowser } = await import('./browser.mjs'); // playwright takes longer to load than a plan to be declined
    return openBrowser({ executable: chromium, microphone: microphone && resolve(microphone), camera: camera && resolve(camera) });
  };
  const client = { open, browser: null, page: null, origin, microphoneOpen: microphone !== undefined, sound };
  const { CONFORM_PERSISTENT, CONFORM_CONTROL, CONFORM_OUT, CONFORM_CA } = process.env;
  try {
    if (CONFORM_PERSISTENT) return await runMany(client);
    return await runCase(client, { control: CONFORM_CONTROL, out: CONFORM_OUT, ca: CONFORM_CA });
  } finally {
    await client.browser?.close();
    server.close();
  }
}

const options = readOptions();
if (options.serve) {
  const { origin } = await serve(options.port);
  console.log(`the page is at ${origin}`);
} else if (!process.env.CONFORM_CONTROL && !process.env.CONFORM_PERSISTENT) {
  console.error('not set: CONFORM_CONTROL. Run it by ojin-conform, or with --serve to use the page by hand');
  process.exit(BROKEN);
} else {
  process.exit(await drive(options).catch(exitOf));
}
