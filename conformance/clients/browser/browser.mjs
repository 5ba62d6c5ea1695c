// Chromium with devices that are none: its microphone hears a WAV, its camera sees pictures, its loudspeaker is silent.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium';
const START_WAIT_MS = 60000;
const FOLDER = 'ojin-browser-'; // and the id of the process that uses it
const place = tmpdir();

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch { /* the browser is still at work there: the next one looks after it */ }
}

// Of launchers that were ended by force.
function removeOld() {
  for (const name of readdirSync(place))
    if (name.startsWith(FOLDER) && !existsSync(`/proc/${name.slice(FOLDER.length)}`)) remove(join(place, name));
}

// `microphone`: a WAV, or none for the device's own beeps; `camera`: JPEGs one after another in a file *.mjpeg, or a *.y4m, or
// none for its own test picture.
export async function openBrowser({ executable = EXECUTABLE, microphone, camera } = {}) {
  const args = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream=fps=5', '--autoplay-policy=no-user-gesture-required',
    '--mute-audio', '--disable-gpu', '--no-sandbox'];
  if (microphone) args.push(`--use-file-for-fake-audio-capture=${microphone}`);
  if (camera) args.push(`--use-file-for-fake-video-capture=${camera}`);
  removeOld();
  const folder = process.env.TMPDIR = join(place, `${FOLDER}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.on('exit', () => remove(folder));
  process.on('SIGTERM', () => process.exit(128 + 15));
  return chromium.launch({ executablePath: executable, args, timeout: START_WAIT_MS, handleSIGTERM: false });
}
