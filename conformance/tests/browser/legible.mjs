// Can a page be read: contrast, width, and nothing cut off?
import assert from 'node:assert/strict';

const CONTRAST_MIN = 4.5; // as WCAG 2 asks of text

// The least contrast of a text with what is behind it, over what is shown, and where.
function leastContrast() {
  const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const ground = parse(getComputedStyle(at).backgroundColor);
      if (ground.length < 4 || ground[3] > 0.99) return ground;
    }
    return [255, 255, 255];
  };
  let least = { contrast: 21, text: '' };
  for (const element of document.querySelectorAll('main *, header *, .filter *')) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join('');
    if (!text || element.closest('script, noscript, :disabled') || element.getClientRects().length === 0) continue;
    const drawn = element.closest('svg');
    const [a, b] = [light(parse(getComputedStyle(element)[drawn ? 'fill' : 'color'])), light(behind(drawn || element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < least.contrast) least = { contrast, text, name: element.tagName + '.' + element.getAttribute('class') };
  }
  return least;
}

export async function assertReadable(page) {
  await page.evaluate(() => document.querySelectorAll('details').forEach((element) => { element.open = true; }));
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflow <= 0, `it is ${overflow} pixels too wide`);
  const least = await page.evaluate(leastContrast);
  assert.ok(least.contrast >= CONTRAST_MIN, JSON.stringify(least));
  const cut = await page.evaluate(() => [...document.querySelectorAll('dt, summary, .badge, button, label')]
    .filter((element) => element.getClientRects().length > 0 && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
    .map((element) => element.textContent.slice(0, 60)));
  assert.deepEqual(cut, []);
}
