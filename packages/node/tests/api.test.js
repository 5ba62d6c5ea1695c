// The API, against mocks of its own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { attachMock, FindingsError, startMock } from 'ojin-tools';
import { withOjin } from 'ojin-tools/node-test';
import WebSocket from 'ws';

import { SpeechClient } from './client.js';

const SMALL = { size: '320x240' };

/** A folder like a bundle, with a program in place of the mock. */
function homeWith(t, text) {
  const home = mkdtempSync(join(tmpdir(), 'ojin-home-'));
  t.after(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'ojin-mock'), text);
  return home;
}

describe('a mock that does not start', () => {
  test('is missing', async () => {
    await assert.rejects(startMock({ home: '/nowhere' }), /ojin-mock is missing: there is no \/nowhere\/bin\/ojin-mock/);
  });

  test('is no program', async (t) => {
    await assert.rejects(startMock({ home: homeWith(t, 'x') }), /not executable/);
  });

  test('was given an option that does not exist', async () => {
    await assert.rejects(startMock({ quirk: 'fade' }), /there is no option quirk; expected quirks, script/);
  });

  test('ends with wrong options', async () => {
    await assert.rejects(startMock({ quirks: 'no-such-quirk' }), /exit status 2.*It said:[^]*no-such-quirk/);
  });

  test('is not ready in time', async (t) => {
    const home = homeWith(t, '#!/bin/sh\necho waiting for a disk >&2\nexec sleep 60\n');
    chmodSync(join(home, 'bin', 'ojin-mock'), 0o755);
    await assert.rejects(startMock({ home, readyTimeout: 500 }), /not ready within 500 ms[^]*waiting for a disk/);
  });

  test('has a script with a mistake', async () => {
    await assert.rejects(startMock({ ...SMALL, script: 'accept\nserv' }), (error) => {
      assert.deepEqual([error.name, error.status, error.line], ['ControlError', 400, 2]);
      return true;
    });
  });
});

describe('a mock', () => {
  let mock;
  before(async () => {
    mock = await startMock({ ...SMALL, profile: 'oris-1.0-earlier', quirks: { 'speech-rate': 40 }, key: 'key-of-this-test' });
  });
  after(() => mock.stop());

  test('says what it is', () => {
    assert.deepEqual([mock.family, mock.profile, mock.key], ['ojin', 'oris-1.0-earlier', 'key-of-this-test']);
    assert.match(mock.url, /^ws:\/\/127\.0\.0\.1:\d+\/realtime$/);
    assert.deepEqual(Object.keys(mock.urls), ['ojin', 'duplex', 'interview']);
  });

  test('serves, and its sessions can be reached into', async () => {
    const client = await SpeechClient.open(mock.fullUrl, mock.key);
    const [session] = await mock.sessions();
    assert.equal(session.state, 'open');
    assert.deepEqual(session.quirks, { 'speech-rate': 40 });
    await session.send('error', { code: 'INTERNAL_ERROR' });
    client.speak();
    await mock.journal.waitFor({ kind: 'audio', session: session.session });
    assert.equal((await session.audio()).subarray(0, 4).toString(), 'RIFF');
    const closed = once(client.socket, 'close');
    await session.close(4001, 'enough');
    assert.equal((await closed)[0], 4001);
    assert.equal(client.error, 'INTERNAL_ERROR');
  });

  test('a wait that is in vain says what was seen', async () => {
    const one = await mock.scenario();
    await assert.rejects(one.journal.waitFor({ kind: 'cancelInteraction' }, { timeout: 10 }), /no session has come yet/);
    await assert.rejects(one.journal.waitFor({ kind: 'cancelInteraction', timeout: 10 }), /belong into the second argument/);
    await assert.rejects(one.journal.waitFor({ kind: 'cancelInteraction' }, { timeot: 10 }), /there is no option timeot/);
    const client = await SpeechClient.open(one.fullUrl, one.key);
    await assert.rejects(one.journal.waitFor({ kind: 'cancelInteraction' }, { timeout: 50 }), (error) => {
      assert.equal(error.name, 'JournalTimeout');
      assert.match(error.message, /no entry \{"kind":"cancelInteraction"\} within 50 ms; seen instead:\n {2}session 1 \(open\): received upgrade.*; sent .*ready/);
      return true;
    });
    await client.close();
    assert.equal(await one.settled(), true);
    await one.remove();
    await assert.rejects(one.sessions(), { name: 'ControlError', status: 404 });
  });

  test('scenarios see nothing of each other', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => mock.scenario()));
    const clients = await Promise.all(all.map((one) => SpeechClient.open(one.fullUrl, one.key)));
    clients[0].cancel();
    await all[0].journal.waitFor({ type: 'cancelInteraction' });
    for (const [n, one] of all.entries()) {
      assert.equal((await one.sessions()).length, 1);
      assert.equal(await one.journal.count({ kind: 'cancelInteraction' }), n === 0 ? 1 : 0);
    }
    assert.equal(new Set(all.map(({ key }) => key)).size, 4);
    await Promise.all(clients.map((client) => client.close()));
  });

  test('findings have the text that the mock prints', async () => {
    await assert.rejects(mock.scenario({ quirk: 'bearer-keys' }), /there is no option quirk/);
    await assert.rejects(withOjin({ quirk: 'fade' }, () => {})(), /there is no option quirk/);
    const one = await mock.scenario({ quirks: 'bearer-keys' });
    const client = await SpeechClient.open(one.fullUrl, `Bearer ${one.key}`);
    await client.close();
    await one.settled();
    const [finding] = await one.findings({ requirement: 'OJ-CON-02' });
    assert.match(finding.text, /^OJ-CON-02 MUST: expected .*; got .*\(connection 1, /);
    await assert.rejects(one.assertNoFindings(), (error) => error instanceof FindingsError && error.message.includes(finding.text));
    await one.assertNoFindings({ except: (await one.findings()).map(({ requirement }) => requirement) });
  });

  test('the other families are served too, and told to clients', async () => {
    for (const family of ['duplex', 'interview']) {
      const one = await mock.scenario({ family });
      const socket = new WebSocket(one.fullUrl);
      await once(socket, 'message');
      socket.close();
      await one.settled();
      assert.equal((await one.sessions())[0].family, family);
      assert.deepEqual(await one.findings({ requirement: family === 'duplex' ? 'DX-CON-01' : 'IV-CON-01' }), []);
      assert.ok(Object.keys(one.env()).every((name) => name.startsWith(family.toUpperCase())));
    }
  });

  test('another process attaches to it', async () => {
    const same = await attachMock(JSON.parse(JSON.stringify(mock.handle())));
    assert.equal(same.url, mock.url);
    const one = await (await attachMock(mock.controlUrl)).scenario({ profile: 'oris-1.0' });
    const client = await SpeechClient.open(one.fullUrl, one.key);
    await client.close();
    await one.settled();
    assert.deepEqual(await one.findings(), []);
  });

  test('behaviour can be changed', async () => {
    await mock.setFault('plain-text=broken');
    await mock.setFault(null);
    await mock.setQuirks({ fade: true });
    await mock.reset();
    assert.deepEqual(await mock.journal.entries(), []);
  });
});

test('a script is played at the mock’s own url', async () => {
  const mock = await startMock({ ...SMALL, script: 'accept\nsend text text="mine"\nclose code=4002' });
  const socket = new WebSocket(mock.fullUrl, { headers: { Authorization: mock.key } });
  assert.equal((await once(socket, 'message'))[0].toString(), 'mine');
  assert.equal((await once(socket, 'close'))[0], 4002);
  await mock.journal.waitFor({ kind: 'end' });
  await mock.stop();
  await mock.stop();
  await assert.rejects(mock.sessions(), /the mock was stopped already/);
});

test('a mock that is gone is told', async () => {
  const mock = await startMock(SMALL);
  process.kill(mock.pid, 'SIGKILL');
  await assert.rejects(async () => {
    for (;;) await mock.sessions();
  }, /ended|does not answer/);
});

test('wss is served', async () => {
  const mock = await startMock({ ...SMALL, tls: true });
  assert.match(mock.url, /^wss:/);
  assert.deepEqual(await mock.sessions(), []);
  await mock.stop();
});
