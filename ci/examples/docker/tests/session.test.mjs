// The client's own test: a whole session, after which the mock has found nothing wrong. Put your client beside it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('a session breaks no requirement', async () => {
  const client = spawnSync('node', ['my-client.mjs'], { encoding: 'utf8', timeout: 60_000 });
  const answer = await fetch(`${process.env.MOCK_CONTROL}/findings`);
  const { found, findings } = await answer.json();
  assert.equal(found, 0, findings.map((finding) => finding.text).join('\n'));
  assert.equal(client.status, 0, client.stderr);
});
