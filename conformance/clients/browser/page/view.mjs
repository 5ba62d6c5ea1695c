// What the page shows, and its buttons.
import { OUTPUT_RATE } from './sound.mjs';
import { CACHE_TOKENS } from './wire.mjs';
import { element, log, showLevel, showPhase, trouble } from './view-parts.mjs';

export { showLevel, trouble };

const PHASES = { queue: 'Waiting in the queue', ready: 'In a session', closed: 'Not connected', 'backing-off': 'Waiting to try again', connecting: 'Connecting' };
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
