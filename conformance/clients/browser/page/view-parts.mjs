// What both pages show in the same way.
const LOG_LINES_MAX = 200;
const LEVEL_FLOOR_DB = -60;

export const element = (id) => document.getElementById(id);

export function showPhase(text, on) {
  element('phase').textContent = text;
  element('phase').classList.toggle('on', on);
}

export function trouble(text) {
  element('trouble').textContent = text;
  element('trouble').hidden = false;
}

export function showLevel(peak) {
  element('level').value = peak > 0 ? Math.max(0, 1 - (20 * Math.log10(peak)) / LEVEL_FLOOR_DB) : 0;
}

// Sound is heard ten times a second: of that, what has words.
export function log(seen, members) {
  if (seen === 'heard' && members.text === undefined) return;
  const item = document.createElement('li');
  item.textContent = [seen, ...Object.entries(members).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${value}`)].join(' ');
  element('log').append(item);
  if (element('log').childElementCount > LOG_LINES_MAX) element('log').firstChild.remove();
}
