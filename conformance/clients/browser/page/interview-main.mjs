// The page of an interview: by hand, a form and what is said; driven (?control=ADDRESS), the plan found there.
import { startDriven } from './conform.mjs';
import { InterviewClient } from './interview-client.mjs';
import * as view from './interview-view.mjs';
import { INPUT_RATE, PROFILES, sessionUrl } from './interview-wire.mjs';
import { AnswersMicrophone } from './microphone.mjs';
import { OUTPUT_RATE, wavOfPieces } from './sound.mjs';
import { Speaker } from './speaker.mjs';

async function openDevices(options) {
  const microphone = await AnswersMicrophone.open({ rate: INPUT_RATE, ...options });
  microphone.onlevel = view.showLevel;
  const speaker = await Speaker.open(0);
  return { devices: { microphone, speaker }, close: () => Promise.all([microphone.close(), speaker.close()]) };
}

async function interview({ url, token, profileName }) {
  const { devices, close } = await openDevices({});
  const client = new InterviewClient({ ...devices, url: sessionUrl(url, token), profile: PROFILES[profileName], observe: view.show });
  view.onbuttons({ answer: () => client.listen(), done: () => client.done(), interrupt: () => client.cancel(), stop: () => client.close() });
  client.connect();
  await client.progress.until(() => false);
  await close();
}

async function startByHand(choices) {
  view.begin();
  try {
    await interview(choices);
  } catch (error) {
    view.trouble(error.name === 'NotAllowedError' ? 'The browser does not let this page use the microphone.' : error.message);
  }
  view.end();
}

// With an open microphone the answer is what that hears, from the status connected until the plan's end.
async function openDriven(plan, { microphoneOpen, observe }) {
  const { devices, close } = await openDevices({ muted: !microphoneOpen, processed: false });
  const { url, key, profile } = plan;
  const client = new InterviewClient({ ...devices, url: sessionUrl(url, key), profile: PROFILES[profile], observe: (seen, members, samples) => {
    observe(seen, members, samples);
    if (microphoneOpen && seen === 'ready') client.listen();
  } });
  return { client, close };
}

const parameters = new URLSearchParams(location.search);
if (parameters.has('control')) {
  view.begin();
  await startDriven(parameters, { open: openDriven, keep: (heard) => wavOfPieces(heard, OUTPUT_RATE), show: view.show, trouble: view.trouble });
  view.end();
} else {
  view.onstart(startByHand, parameters);
}
