#!/usr/bin/env node
// The wire tier: a program that knows nothing of the suite. It finds the service in its environment, speaks a file, ends.

import { Session } from './session.mjs';

const { OJIN_URL, OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO, CONFORM_PROFILE } = process.env;
const session = new Session(OJIN_URL, OJIN_API_KEY, OJIN_CONFIG_ID, undefined, CONFORM_PROFILE);
await session.connect();
if (session.ready) {
  if (OJIN_AUDIO) session.speak(OJIN_AUDIO);
  await session.end();
} else {
  await session.until(() => false, 2000); // a server that refuses closes by itself
  await session.close();
}
process.exitCode = session.failed ? 1 : 0;
