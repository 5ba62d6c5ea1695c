// The page: by hand, a form and what becomes of the session; driven (?control=ADDRESS), the plan found there.
import { Camera } from './camera.mjs';
import { Client } from './client.mjs';
import { startDriven } from './conform.mjs';
import { SecondsMicrophone } from './microphone.mjs';
import { Speaker } from './speaker.mjs';
import { OUTPUT_RATE, wavOfPieces } from './sound.mjs';
import { INPUT_RATE, PROFILES, sessionUrl } from './wire.mjs';
import * as view from './view.mjs';

// What a session needs of the machine. `muted`, `processed`: see Microphone.
async function openDevices(profile, { muted = false, processed = true } = {}) {
  const opened = [];
  const keep = async (device) => { opened.push(await device); return opened.at(-1); };
  const close = () => Promise.all(opened.map((device) => device.close()));
  try {
    const microphone = await keep(SecondsMicrophone.open({ rate: INPUT_RATE, muted, processed }));
    microphone.onlevel = view.showLevel;
    const speaker = await keep(Speaker.open(OUTPUT_RATE));
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

async function openDriven(plan, { microphoneOpen, observe }) {
  const profile = PROFILES[plan.profile];
  if (profile === undefined) throw new Error(`unknown profile ${plan.profile}`);
  const { devices, close } = await openDevices(profile, { muted: !microphoneOpen, processed: false });
  return { client: new Client({ ...devices, url: sessionUrl(plan.url, profile), profile, observe }), close };
}

const parameters = new URLSearchParams(location.search);
if (parameters.has('control')) {
  view.begin();
  await startDriven(parameters, { open: openDriven, keep: (heard) => wavOfPieces(heard, OUTPUT_RATE), show: view.show, trouble: view.trouble });
  view.end();
} else {
  view.onstart(startByHand, parameters);
}
