// Fails three times: by a finding alone, by an assertion with the finding below it, and by a client that never connects.
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
test('never connects', withOjin(() => {}));
test('has no client', withOjin({ expectConnection: false }, () => {}));
test('is refused', withOjin({ findings: ['OJ-CON-02'] }, async (ojin) => {
  await assert.rejects(SpeechClient.open(ojin.fullUrl, 'another-key'), /401/);
}));
