// What the page shows, and its buttons.
import { OUTPUT_RATE } from './sound.mjs';
import { CACHE_TOKENS } from './wire.mjs';

const LOG_LINES_MAX = 200;
const LEVEL_FLOOR_DB = -60;
const PHASES = { queue: 'Waiting in the queue', ready: 'In a session', closed: 'Not connected', 'backing-off': 'Waiting to try again', connecting: 'Connecting' };
const element = (id) => document.getElementById(id);
const number = (count) => count.toLocaleString('en-GB');
let turn = null; // the item of the turn that is heard

export const cameraElement = () => {
  element('camera').hidden = false;
  return element('camera');
};

/* ---- buttons ---- */

export function onstart(start, parameters) {
  if (parameters.has('url')) element('url').value = parameters.get('url');
  if (parameters.has('profile')) element('profile').value = parameters.get('profile');
  element('where').addEventListener('submit', (event) => {
    event.preventDefault();
    start({ url: element('url').value, profileName: element('profile').value, instructions: element('instructions').value });
  });
}

export function onstop(stop) {
  element('stop').onclick = stop;
}

export function oninterrupt(interrupt) {
  element('interrupt').onclick = interrupt;
}

export function onmute(mute) {
  element('mute').onclick = () => {
    const muted = element('mute').getAttribute('aria-pressed') !== 'true';
    element('mute').setAttribute('aria-pressed', muted);
    mute(muted);
  };
}

function setBusy(busy) {
  element('start').disabled = busy;
  for (const id of ['stop', 'interrupt', 'mute']) element(id).disabled = !busy;
  for (const id of ['url', 'profile', 'instructions']) element(id).disabled = busy;
}

export function begin() {
  setBusy(true);
  showPhase('Connecting', true);
  element('turns').replaceChildren();
  element('trouble').hidden = true;
  showHint('Connecting …');
  element('mute').setAttribute('aria-pressed', false);
  element('place').textContent = element('session').textContent = element('speaking').textContent = '–';
  turn = null;
}

export function end() {
  setBusy(false);
  showPhase(PHASES.closed, false);
  showLevel(0);
  if (!element('hint').hidden) showHint('The session is over, and nothing was said.');
  element('camera').hidden = true;
}

/* ---- what is seen ---- */

// In place of a conversation that has not begun; null: it has.
function showHint(text) {
  element('hint').hidden = text === null;
  element('hint').textContent = text;
}

function showPhase(text, on) {
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

function showCache(tokens) {
  if (tokens === undefined) return;
  element('cache').value = tokens;
  element('cache-text').textContent = `${number(tokens)} of ${number(CACHE_TOKENS)} tokens`;
}

function place(position) {
  element('place').textContent = position > 0 ? number(position) : 'none: a worker is there';
}

// The text of a turn grows as its sound is heard.
function showHeard({ at, text }) {
  element('speaking').textContent = 'is speaking';
  if (turn === null) {
    showHint(null);
    turn = document.createElement('li');
    const when = document.createElement('time');
    when.textContent = `at ${(at / OUTPUT_RATE).toFixed(1)} s`;
    turn.append(when, document.createElement('span'));
    element('turns').append(turn);
  }
  if (text === undefined) return;
  turn.lastChild.append(text);
  element('turns').scrollTop = element('turns').scrollHeight;
}

function endTurn({ final }) {
  if (!final && turn !== null) turn.lastChild.append(' … (cut off)');
  turn = null;
  element('speaking').textContent = 'is listening';
}

function log(seen, members) {
  if (seen === 'heard' && members.text === undefined) return;
  const item = document.createElement('li');
  item.textContent = [seen, ...Object.entries(members).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${value}`)].join(' ');
  element('log').append(item);
  if (element('log').childElementCount > LOG_LINES_MAX) element('log').firstChild.remove();
}

export function show(seen, members) {
  log(seen, members);
  showCache(members.cache);
  if (seen === 'queue') {
    place(members.position);
    showHint(members.text);
  }
  if (seen === 'ready') {
    element('session').textContent = members.text;
    element('speaking').textContent = 'is listening';
    showHint('Say something.');
  }
  if (seen === 'listen') element('speaking').textContent = 'is listening';
  if (seen === 'heard') showHeard(members);
  if (seen === 'turn') endTurn(members);
  if (seen === 'error') trouble([members.code, members.text].filter(Boolean).join(': '));
  if (seen === 'closed' && members.code !== 1000) trouble(`The connection is closed (${members.code}).`);
  const phase = PHASES[members.code] ?? PHASES[seen];
  if (phase !== undefined) showPhase(phase, seen !== 'closed');
}
