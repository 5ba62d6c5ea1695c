// Uses the page of the client in a browser as a person would, against a mock whose turns are long: starts a session by keyboard,
// is answered, interrupts, mutes, stops; and looks at whether the page can be read.
//
//   node use_page.mjs CLIENT_FOLDER URL SPEECH.wav
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { assertReadable } from './legible.mjs';

const [folder, url, speech] = process.argv.slice(2);
const { openBrowser } = await import(join(folder, 'browser.mjs'));
const { serve } = await import(join(folder, 'serve.mjs'));
const WAIT_MS = 60000; // only what hangs comes near it

const { origin, server } = await serve();
const browser = await openBrowser({ microphone: speech });

async function open(options) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(WAIT_MS);
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.stack));
  page.on('request', (request) => request.url().startsWith(origin) || said.push(`asks for ${request.url()}`));
  await page.goto(`${origin}/?${new URLSearchParams({ url })}`);
  return { page, said };
}

const shows = (page, id, text) => page.locator(`#${id}`, { hasText: text }).waitFor();

const steps = {
  async 'a session is begun by keyboard'(page) {
    await page.locator('#url').focus();
    await page.keyboard.press('Enter');
    await shows(page, 'phase', 'In a session');
    await shows(page, 'session', /^rt_\d+$/);
    await shows(page, 'place', 'a worker is there');
    assert.ok(await page.locator('#start').isDisabled());
    assert.ok(await page.locator('#camera').evaluate((video) => video.videoWidth > 0 && !video.paused));
  },
  async 'what the microphone hears is answered, and the text shows with the sound'(page) {
    await page.locator('#turns li', { hasText: 'Hello!' }).waitFor();
    await shows(page, 'speaking', 'is speaking');
    assert.match(await page.locator('#turns time').first().textContent(), /^at \d+\.\d s$/);
    assert.ok(await page.locator('#cache').evaluate((meter) => meter.value > 256 && meter.max === 8192));
    assert.match(await page.locator('#cache-text').textContent(), /^[\d,]+ of 8,192 tokens$/);
  },
  async 'an interruption ends what is heard'(page) {
    await page.locator('#interrupt').click();
    await page.locator('#turns li', { hasText: '(cut off)' }).waitFor();
    await shows(page, 'speaking', 'is listening');
  },
  async 'the microphone can be muted'(page) {
    await page.locator('#level').evaluate((meter) => new Promise((done) => {
      const look = () => (meter.value > 0.3 ? done() : setTimeout(look, 20));
      look();
    }));
    await page.locator('#mute').click();
    assert.equal(await page.locator('#mute').getAttribute('aria-pressed'), 'true');
    await page.locator('#level').evaluate((meter) => new Promise((done) => {
      const look = () => (meter.value === 0 ? done() : setTimeout(look, 20));
      look();
    }));
  },
  async 'it can be read while it is used'(page) {
    await assertReadable(page);
  },
  async 'the session ends when it is stopped'(page) {
    await page.locator('#stop').click();
    await shows(page, 'phase', 'Not connected');
    assert.ok(await page.locator('#start').isEnabled());
    assert.ok(await page.locator('#trouble').isHidden());
    assert.match(await page.locator('#log').textContent(), /state code=session-closed text=stoppedclosed code=1000$/);
  },
};

const used = await open({ viewport: { width: 1200, height: 900 }, colorScheme: 'light' });
for (const [sentence, step] of Object.entries(steps)) {
  await step(used.page);
  console.log(`ok: ${sentence}`);
}
assert.deepEqual(used.said, []);

const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
for (const [sentence, width, colorScheme] of [['wide and dark', 1200, 'dark'], ['narrow and light', 360, 'light'], ['narrow and dark', 360, 'dark']]) {
  const other = await open({ viewport: { width, height: 800 }, colorScheme });
  await assertReadable(other.page);
  assert.equal((await ground(other.page)) === (await ground(used.page)), colorScheme === 'light');
  assert.deepEqual(other.said, []);
  console.log(`ok: it is as legible ${sentence}`);
}
await browser.close();
server.close();
