import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withOjin } from 'ojin-tools/node-test';

import { SpeechClient } from './client.js';

describe('the client', { concurrency: true }, () => {
  test('a cancel reaches the server', withOjin(async (ojin) => {
    const client = await SpeechClient.open(ojin.fullUrl, ojin.key);
    client.speak();
    await ojin.journal.waitFor({ kind: 'speech' });
    client.cancel();
    await ojin.journal.waitFor({ kind: 'cancelInteraction' }, { timeout: 2000 });
    await client.close();
  }));

  test('speech that comes slowly is speech all the same', withOjin({ quirks: 'speech-rate=40' }, async (ojin) => {
    const client = await SpeechClient.open(ojin.fullUrl, ojin.key);
    client.speak();
    await ojin.journal.waitFor({ kind: 'speech' }, { count: 5 });
    await client.close();
    assert.ok(client.frames > 0);
  }));

  // What this one does wrong is wanted.
  test('a key with a scheme in front is refused', withOjin({ findings: ['OJ-CON-02'] }, async (ojin) => {
    await assert.rejects(SpeechClient.open(ojin.fullUrl, `Bearer ${ojin.key}`), /401/);
  }));
});
