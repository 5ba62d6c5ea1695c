// The client's own test: a whole session, after which the mock has found nothing wrong. Put your client beside it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const ask = async (path) => (await fetch(`${process.env.MOCK_CONTROL}/${path}`)).json();

test('a session breaks no requirement', async () => {
  const client = spawnSync('node', ['my-client.mjs'], { encoding: 'utf8', timeout: 60_000 });
  const { requests } = await ask('sessions');
  assert.notEqual(requests, 0, `the client did not connect: ${client.stderr}`);
  // A session may end after the client's exit, and some findings are made only then.
  const { met } = await ask(`journal/wait?what=end&count=${requests}&timeout=10s`);
  const { found, findings } = await ask('findings');
  assert.equal(found, 0, findings.map((finding) => finding.text).join('\n'));
  assert.ok(met, 'the client left a session open');
  assert.equal(client.status, 0, client.stderr);
});
