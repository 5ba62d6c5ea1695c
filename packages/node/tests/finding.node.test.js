// Fails twice: by a finding alone, and by an assertion with the finding below it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOjin } from 'ojin-tools/node-test';

import { SpeechClient } from './client.js';

async function speak(ojin) {
  await ojin.setQuirks('bearer-keys');
  const client = await SpeechClient.open(ojin.fullUrl, `Bearer ${ojin.key}`);
  await client.close();
}

test('speaks', withOjin(speak));
test('is not judged', withOjin({ findings: false }, speak));
test('fails', withOjin(async (ojin) => {
  await speak(ojin);
  assert.fail('the reason of the test');
}));
