import { expect } from 'vitest';
import { ojinTest, test } from 'ojin-tools/vitest';

import { SpeechClient } from './client.js';

test('a cancel reaches the server', async ({ ojin }) => {
  const client = await SpeechClient.open(ojin.fullUrl, ojin.key);
  client.speak();
  await ojin.journal.waitFor({ kind: 'speech' });
  client.cancel();
  await ojin.journal.waitFor({ kind: 'cancelInteraction' }, { timeout: 2000 });
  await client.close();
});

test('each test sees its own session alone', async ({ ojin }) => {
  const client = await SpeechClient.open(ojin.fullUrl, ojin.key);
  await client.close();
  await ojin.settled();
  expect(await ojin.sessions()).toHaveLength(1);
});

const withError = ojinTest({ script: 'accept\nserve until=speech:3\nsend error code=INTERNAL_ERROR\nserve' });

withError('an error of the server is seen', async ({ ojin }) => {
  const client = await SpeechClient.open(ojin.fullUrl, ojin.key);
  client.speak();
  await expect.poll(() => client.error, { timeout: 5000 }).toBe('INTERNAL_ERROR');
  await client.close();
});

// What this one does wrong is wanted.
const withFindings = ojinTest({ findings: ['OJ-CON-02'] });

withFindings('a key with a scheme in front is refused', async ({ ojin }) => {
  await expect(SpeechClient.open(ojin.fullUrl, `Bearer ${ojin.key}`)).rejects.toThrow('401');
});
