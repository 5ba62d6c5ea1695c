// Fail: the client of one puts a scheme in front of the key, that of the other never connects.
import { ojinTest, test } from 'ojin-tools/vitest';

import { SpeechClient } from './client.js';

test('speaks', async ({ ojin }) => {
  await ojin.setQuirks('bearer-keys');
  const client = await SpeechClient.open(ojin.fullUrl, `Bearer ${ojin.key}`);
  await client.close();
});

test('never connects', ({ ojin }) => void ojin.url);
ojinTest({ expectConnection: false })('has no client', ({ ojin }) => void ojin.url);
