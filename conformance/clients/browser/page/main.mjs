// The page: by hand, a form and what becomes of the session; driven (?control=ADDRESS), the plan found there.
import { Camera } from './camera.mjs';
import { Client } from './client.mjs';
import { Reporter, cannotDo, fetchPlan, obey } from './conform.mjs';
import { Microphone } from './microphone.mjs';
import { Speaker } from './speaker.mjs';
import { OUTPUT_RATE, PROFILES, sessionUrl, wavOfPieces } from './wire.mjs';
import * as view from './view.mjs';

const DECLINED = 77;
const BROKEN = 99;

// What a session needs of the machine. `muted`, `processed`: see Microphone.
async function openDevices(profile, { muted = false, processed = true } = {}) {
  const opened = [];
  const keep = async (device) => { opened.push(await device); return opened.at(-1); };
  const close = () => Promise.all(opened.map((device) => device.close()));
  try {
    const microphone = await keep(Microphone.open({ muted, processed }));
    microphone.onlevel = view.showLevel;
    const speaker = await keep(Speaker.open());
    const camera = profile.pictures ? await keep(Camera.open(view.cameraElement())) : null;
    return { devices: { microphone, speaker, camera }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/* ---- by hand ---- */

async function talk({ url, profileName, instructions }) {
  const profile = PROFILES[profileName];
  const { devices, close } = await openDevices(profile);
  const client = new Client({ ...devices, url: sessionUrl(url, profile), profile, instructions, observe: view.show });
  view.onstop(() => client.close());
  view.oninterrupt(() => client.forceListen());
  view.onmute((muted) => devices.microphone.setMuted(muted));
  client.connect();
  await client.progress.until(() => false);
  await close();
}

async function startByHand(choices) {
  view.begin();
  try {
    await talk(choices);
  } catch (error) {
    view.trouble(error.name === 'NotAllowedError' ? 'The browser does not let this page use the microphone or the camera.' : error.message);
  }
  view.end();
}

/* ---- driven ---- */

async function drive(control, { microphoneOpen, soundTo }) {
  const plan = await fetchPlan(control);
  const missing = cannotDo(plan, microphoneOpen);
  if (missing !== undefined) {
    console.log(`cannot do this: ${missing}`);
    return DECLINED;
  }
  const profile = PROFILES[plan.profile];
  if (profile === undefined) throw new Error(`unknown profile ${plan.profile}`);
  const reporter = new Reporter(control);
  const heard = [];
  const observe = (seen, members, samples) => {
    view.show(seen, members);
    if (seen === 'heard' && soundTo !== null) heard.push({ at: members.at, samples });
    reporter.say({ seen, ...members });
  };
  const { devices, close } = await openDevices(profile, { muted: !microphoneOpen, processed: false });
  const client = new Client({ ...devices, url: sessionUrl(plan.url, profile), profile, observe });
  const code = await obey(client, plan);
  if (soundTo !== null) await fetch(soundTo, { method: 'POST', body: wavOfPieces(heard, OUTPUT_RATE) });
  await reporter.flush();
  await close();
  return code;
}

// The launcher that opened the page hears how it ended by conformDone; without one the runner does.
async function startDriven(parameters) {
  const control = parameters.get('control');
  view.begin();
  let code = BROKEN;
  try {
    code = await drive(control, { microphoneOpen: parameters.get('microphone') === 'open', soundTo: parameters.get('sound') });
  } catch (error) {
    view.trouble(error.message);
    console.error(error.stack);
  }
  view.end();
  if (window.conformDone !== undefined) {
    await window.conformDone(code);
    return;
  }
  const reporter = new Reporter(control);
  reporter.say({ done: code });
  await reporter.flush();
}

const parameters = new URLSearchParams(location.search);
if (parameters.has('control')) await startDriven(parameters);
else view.onstart(startByHand, parameters);
