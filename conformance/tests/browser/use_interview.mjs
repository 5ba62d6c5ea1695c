// Uses the page of an interview as a person would, against a mock that hears an answer out until it is committed: starts,
// answers, is replied to, interrupts, stops; and looks at whether the page can be read.
//
//   node use_interview.mjs CLIENT_FOLDER URL TOKEN SPEECH.wav
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { assertReadable } from './legible.mjs';

const [folder, url, token, speech] = process.argv.slice(2);
const { openBrowser } = await import(join(folder, 'browser.mjs'));
const { serve } = await import(join(folder, 'serve.mjs'));
const WAIT_MS = 60000; // only what hangs comes near it

const { origin, server } = await serve();
const browser = await openBrowser({ microphone: speech });
const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: 'light' });
page.setDefaultTimeout(WAIT_MS);
const said = [];
page.on('console', (message) => said.push(message.text()));
page.on('pageerror', (error) => said.push(error.stack));
await page.goto(`${origin}/interview.html?${new URLSearchParams({ url, token })}`);

const shows = (id, text) => page.locator(`#${id}`, { hasText: text }).waitFor();

const steps = {
  async 'an interview is begun by keyboard'() {
    await page.locator('#token').focus();
    await page.keyboard.press('Enter');
    await page.locator('#answer:enabled').waitFor();
    assert.ok(await page.locator('#start').isDisabled());
  },
  async 'an answer is given and replied to, with words and an evaluation'() {
    await page.locator('#answer').click();
    await shows('answer', 'Done');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await page.locator('#answer').click();
    await shows('answer', 'Answer');
    await page.locator('#lines li', { hasText: 'You' }).waitFor();
    await page.locator('#lines li', { hasText: 'Interviewer' }).waitFor();
    await shows('speaking', 'is speaking');
  },
  async 'an interruption ends what is heard'() {
    await page.locator('#interrupt').click();
    await shows('speaking', 'was interrupted');
  },
  async 'it can be read while it is used'() {
    await assertReadable(page);
  },
  async 'the interview ends when it is stopped'() {
    await page.locator('#stop').click();
    await shows('phase', 'Not connected');
    assert.ok(await page.locator('#trouble').isHidden());
    assert.match(await page.locator('#log').textContent(), /closed code=1000$/);
  },
};

for (const [sentence, step] of Object.entries(steps)) {
  await step();
  console.log(`ok: ${sentence}`);
}
assert.deepEqual(said, []);
await browser.close();
server.close();
