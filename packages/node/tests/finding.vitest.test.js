// Fails: its client puts a scheme in front of the key.
import { test } from 'ojin-tools/vitest';

import { SpeechClient } from './client.js';

test('speaks', async ({ ojin }) => {
  await ojin.setQuirks('bearer-keys');
  const client = await SpeechClient.open(ojin.fullUrl, `Bearer ${ojin.key}`);
  await client.close();
});
