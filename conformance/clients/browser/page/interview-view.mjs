// What the page of an interview shows, and its buttons.
import { element, log, showLevel, showPhase, trouble } from './view-parts.mjs';

export { showLevel, trouble };

const WHO = { candidate: 'You', ai: 'Interviewer' };
let partial = null; // the item of a reply whose words still come

export function onstart(start, parameters) {
  for (const name of ['url', 'token', 'profile']) if (parameters.has(name)) element(name).value = parameters.get(name);
  element('where').addEventListener('submit', (event) => {
    event.preventDefault();
    start({ url: element('url').value, token: element('token').value, profileName: element('profile').value });
  });
}

function setAnswering(answering) {
  element('answer').setAttribute('aria-pressed', answering);
  element('answer').textContent = answering ? 'Done' : 'Answer';
}

export function onbuttons({ answer, done, interrupt, stop }) {
  element('answer').onclick = () => {
    const answering = element('answer').getAttribute('aria-pressed') !== 'true';
    setAnswering(answering);
    if (answering) answer();
    else done();
  };
  element('interrupt').onclick = interrupt;
  element('stop').onclick = stop;
}

function setBusy(busy) {
  for (const id of ['start', 'url', 'token', 'profile']) element(id).disabled = busy;
  element('stop').disabled = !busy;
  for (const id of ['answer', 'interrupt']) element(id).disabled = true; // until it is connected
}

export function begin() {
  setBusy(true);
  setAnswering(false);
  showPhase('Connecting', true);
  element('lines').replaceChildren();
  element('trouble').hidden = true;
  partial = null;
}

export function end() {
  setBusy(false);
  setAnswering(false);
  showPhase('Not connected', false);
  showLevel(0);
}

// The words of a reply come with its sound, as they are so far; its transcript takes their place.
function showWords({ code, text, final }) {
  const item = code === 'ai' && partial !== null ? partial : document.createElement('li');
  const who = document.createElement('time');
  who.textContent = WHO[code] ?? 'Somebody';
  item.replaceChildren(who, text);
  element('lines').append(item);
  if (code === 'ai') partial = final ? null : item;
  element('lines').scrollTop = element('lines').scrollHeight;
}

export function show(seen, members) {
  log(seen, members);
  if (seen === 'status') showPhase(members.text || members.code, members.code !== 'disconnected');
  if (seen === 'ready') for (const id of ['answer', 'interrupt']) element(id).disabled = false;
  if (seen === 'transcript') showWords(members);
  if (seen === 'heard') element('speaking').textContent = 'is speaking';
  if (seen === 'turn') element('speaking').textContent = members.final ? 'is listening' : 'was interrupted';
  if (seen === 'result') element('result').textContent = members.text;
  if (seen === 'error') trouble([members.code, members.text].filter(Boolean).join(': '));
  if (seen === 'closed' && members.code !== 1000) trouble(`The connection is closed (${members.code}).`);
}
