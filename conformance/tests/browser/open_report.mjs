// Opens an HTML report in a browser and looks at what a reader would: that it stands alone, that a failing case is found,
// that its picture has arrows, and that the payload shows under the pointer and by keyboard.
//
//   node open_report.mjs PAGE REQUIREMENT CASE      CASE fails by a message that breaks REQUIREMENT
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [file, requirement, name] = process.argv.slice(2);
const url = pathToFileURL(file).href;
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

const checks = {
  async 'it opens without a message on the console and without the network'({ page, said }) {
    assert.match(await page.locator('h1').textContent(), /Conformance report/);
    assert.deepEqual(said, []);
  },

  async 'the filter finds the failing case'({ page }) {
    const all = await page.locator('details.case').count();
    assert.ok(all > 1);
    await page.keyboard.press('/');
    await page.keyboard.type(`${requirement} fail`);
    await page.locator('label', { hasText: /^Failed$/ }).click();
    const shown = page.locator('details.case:not([hidden])');
    assert.ok((await shown.count()) < all);
    const found = shown.filter({ has: page.locator('summary b', { hasText: name }) });
    assert.equal(await found.count(), 1);
    assert.match(await page.locator('#found').textContent(), new RegExp(`^${await shown.count()} of ${all} cases, 1 of `));
    if (!(await found.evaluate((element) => element.open))) await found.locator('summary').first().click();
  },

  async 'its picture has arrows, bands and the message that fails'({ page }) {
    const picture = page.locator('details.case:not([hidden])', { hasText: name }).locator('svg');
    assert.ok((await picture.locator('.arrow.c').count()) > 3);
    assert.ok((await picture.locator('.arrow.s').count()) > 2);
    assert.match(await picture.textContent(), /upgrade.*(speech|silence) ×\d+/s);
    assert.match(await picture.locator('.item.hit').first().textContent(), new RegExp(`✗ FAIL ${requirement}`));
  },

  async 'the payload shows under the pointer'({ page }) {
    assert.ok(await page.locator('#tip').isHidden());
    await page.locator('.item.hit').first().hover();
    const tip = await page.locator('#tip').textContent();
    assert.match(tip, new RegExp(`FAIL ${requirement}.*expected: .*actual: `, 's'));
    assert.match(tip, /type 01 {2}timestamp [0-9a-f]{16} {2}>params-size 00000007< {2}data [0-9a-f]+/);
    await page.mouse.move(1, 1);
    assert.ok(await page.locator('#tip').isHidden());
  },

  async 'the keyboard goes from message to message'({ page }) {
    await page.locator('.item.hit').first().focus();
    const before = await page.locator('#tip').textContent();
    await page.keyboard.press('ArrowUp');
    assert.ok(await page.locator('#tip').isVisible());
    assert.notEqual(await page.locator('#tip').textContent(), before);
    await page.keyboard.press('Home');
    assert.match(await page.locator('#tip').textContent(), /line \d+: accept|upgrade/);
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('#tip').isHidden());
  },

  async 'the same stands in a table'({ page }) {
    const shown = page.locator('details.case:not([hidden])', { hasText: name });
    await shown.getByText('The messages as a table').click();
    await shown.locator('.table tbody tr').nth(5).waitFor(); // it is made when it is opened
    assert.match(await shown.locator('.table').textContent(), new RegExp(`FAIL ${requirement} wire`));
  },

  async 'a link to a requirement leads there, through the filter'({ page }) {
    await page.locator('#words').fill('');
    await page.locator('.glance a', { hasText: requirement.replace(/^[A-Z]+-/, '') }).click();
    await page.locator(`tr#${requirement}`).waitFor();
  },
};

const light = await open({ viewport: { width: 1200, height: 900 }, colorScheme: 'light' });
for (const [sentence, check] of Object.entries(checks)) {
  await check(light);
  console.log(`ok: ${sentence}`);
}
assert.deepEqual(light.said, []);

const narrow = await open({ viewport: { width: 400, height: 800 }, colorScheme: 'dark' });
const overflow = await narrow.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
assert.ok(overflow <= 0, `it is ${overflow} pixels too wide for a narrow window`);
const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
assert.notEqual(await ground(narrow.page), await ground(light.page));
assert.deepEqual(narrow.said, []);
console.log('ok: it fits a narrow window, and is dark where that is preferred');
await browser.close();
