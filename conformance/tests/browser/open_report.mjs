// Opens an HTML report in a browser and looks at what a reader would: that it stands alone, that every case is found by what
// became of it, that a failing one's picture has arrows, that the payload shows under the pointer and by keyboard, and that
// it can be read in light and dark, wide and narrow.
//
//   node open_report.mjs PAGE EXPECTED      EXPECTED is JSON:
//     failing      {"name", "requirement"}: a case that fails by a message that breaks the requirement
//     verdicts     {"CASE": "VERDICT", …}: what each case's badge says
//     kinds        {"Failed": N, …}: how many cases each choice of the filter leaves
//     unconnected  a case in which nothing crossed the wire
//     reason       part of the sentence on top
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { assertReadable } from './legible.mjs';

const expected = JSON.parse(process.argv[3]);
const { requirement, name } = expected.failing;
const url = pathToFileURL(process.argv[2]).href;
const WAIT_MS = 60000; // only what hangs comes near it
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'], timeout: WAIT_MS });

async function open(options) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(WAIT_MS);
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.stack));
  page.on('request', (request) => request.url() !== url && said.push(`asks for ${request.url()}`));
  await page.goto(url);
  return { page, said };
}

const caseOf = (page, text) => page.locator('details.case').filter({ has: page.locator('summary b', { hasText: text }) }).first();
const choose = (page, word) => page.locator('#filter label', { hasText: new RegExp(`^${word}$`) }).click();

async function openCase(page, text) {
  const found = caseOf(page, text);
  if (!(await found.evaluate((element) => element.open))) await found.locator('summary').first().click();
  return found;
}

const checks = {
  async 'it opens without a message on the console and without the network'({ page, said }) {
    assert.match(await page.locator('h1').textContent(), /Conformance report/);
    assert.match(await page.locator('header .why').textContent(), new RegExp(expected.reason));
    assert.deepEqual(said, []);
  },

  async 'each case has the badge of its verdict, and the first failure stands open'({ page }) {
    for (const [one, verdict] of Object.entries(expected.verdicts))
      assert.equal(await caseOf(page, one).locator('summary .badge').first().textContent(), verdict, one);
    const failed = page.locator('details.case[data-kind=failed]');
    assert.ok(await failed.first().evaluate((element) => element.open));
  },

  async 'the choices of the filter tell cases apart'({ page }) {
    for (const [word, count] of Object.entries(expected.kinds)) {
      await choose(page, word);
      assert.equal(await page.locator('details.case:not([hidden])').count(), count, word);
    }
    await choose(page, 'All');
  },

  async 'the keyboard goes from failure to failure'({ page }) {
    const failed = await page.locator('details.case[data-kind=failed] > summary b').allTextContents();
    const atHand = () => page.evaluate(() => document.activeElement.querySelector('b').textContent);
    const seen = [];
    for (let n = 0; n <= failed.length; n++) {
      await page.keyboard.press('n');
      seen.push(await atHand());
    }
    assert.deepEqual(seen, [...failed, failed[0]]);
    await page.keyboard.press('p');
    assert.equal(await atHand(), failed.at(-1));
    const { top, below } = await page.evaluate(() => ({ top: document.activeElement.getBoundingClientRect().top,
      below: document.querySelector('.filter').getBoundingClientRect().bottom }));
    assert.ok(top >= below - 1, `${top} is behind the filter, which ends at ${below}`);
  },

  async 'the filter finds the failing case'({ page }) {
    const all = await page.locator('details.case').count();
    assert.ok(all > 1);
    await page.keyboard.press('/');
    await page.keyboard.type(`${requirement} fail`);
    await choose(page, 'Failed');
    const shown = page.locator('details.case:not([hidden])');
    assert.ok((await shown.count()) < all);
    const found = shown.filter({ has: page.locator('summary b', { hasText: name }) });
    assert.equal(await found.count(), 1);
    assert.match(await page.locator('#found').textContent(), new RegExp(`^${await shown.count()} of ${all} cases, 1 of `));
    await openCase(page, name);
  },

  async 'its picture has arrows, bands and the message that fails'({ page }) {
    const picture = caseOf(page, name).locator('svg');
    assert.ok((await picture.locator('.arrow.c').count()) > 3);
    assert.ok((await picture.locator('.arrow.s').count()) > 2);
    assert.match(await picture.textContent(), /upgrade.*(speech|silence) ×\d+/s);
    assert.match(await picture.locator('.item.hit').first().textContent(), new RegExp(`✗ FAIL ${requirement}`));
    for (const box of await picture.locator('.item').evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height)))
      assert.ok(box > 8);
  },

  async 'the payload shows under the pointer'({ page }) {
    assert.ok(await page.locator('#tip').isHidden());
    await caseOf(page, name).locator('.item.hit').first().hover();
    const tip = await page.locator('#tip').textContent();
    assert.match(tip, new RegExp(`FAIL ${requirement}.*expected: .*actual: `, 's'));
    assert.match(tip, /type 01 {2}timestamp [0-9a-f]{16} {2}>params-size 00000007< {2}data [0-9a-f]+/);
    await page.mouse.move(1, 1);
    assert.ok(await page.locator('#tip').isHidden());
  },

  async 'the keyboard goes from message to message, and what it shows stays beside it'({ page }) {
    const picture = caseOf(page, name).locator('svg');
    await picture.locator('.item.hit').first().focus();
    const before = await page.locator('#tip').textContent();
    await page.keyboard.press('ArrowUp');
    assert.ok(await page.locator('#tip').isVisible());
    assert.notEqual(await page.locator('#tip').textContent(), before);
    await page.keyboard.press('End');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))); // it may have scrolled
    assert.ok(await page.locator('#tip').isVisible());
    await page.keyboard.press('Home');
    assert.match(await page.locator('#tip').textContent(), /line \d+: accept|upgrade/);
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('#tip').isHidden());
  },

  async 'the same stands in a table'({ page }) {
    const shown = caseOf(page, name);
    await shown.getByText('The messages as a table').click();
    await shown.locator('.table tbody tr').nth(5).waitFor(); // it is made when it is opened
    assert.match(await shown.locator('.table').textContent(), new RegExp(`FAIL ${requirement} wire`));
  },

  async 'a link to a requirement leads there, through the filter'({ page }) {
    await page.locator('#words').fill('');
    await page.locator('.glance a', { hasText: requirement.replace(/^[A-Z]+-/, '') }).click();
    await page.locator(`tr#${requirement}`).waitFor();
    await choose(page, 'All');
  },

  async 'a case that never connected says so'({ page }) {
    const found = await openCase(page, expected.unconnected);
    assert.equal(await found.locator('.canvas').textContent(), 'Nothing crossed the wire.');
  },
};

const light = await open({ viewport: { width: 1200, height: 900 }, colorScheme: 'light' });
for (const [sentence, check] of Object.entries(checks)) {
  await check(light);
  console.log(`ok: ${sentence}`);
}
await assertReadable(light.page);
assert.deepEqual(light.said, []);

const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
for (const [sentence, width, colorScheme] of [['wide and dark', 1200, 'dark'], ['narrow and light', 360, 'light'], ['narrow and dark', 400, 'dark']]) {
  const other = await open({ viewport: { width, height: 800 }, colorScheme });
  await assertReadable(other.page);
  assert.equal((await ground(other.page)) === (await ground(light.page)), colorScheme === 'light');
  assert.deepEqual(other.said, []);
  console.log(`ok: it is as legible ${sentence}`);
}
await browser.close();
