// Chromium with devices that are none: its microphone hears a WAV, its camera sees pictures, its loudspeaker is silent.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium';
const START_WAIT_MS = 60000;

// Pictures one after another are what a camera file is. Folder and file are the caller's to remove.
function cameraFile(folder, into) {
  const names = readdirSync(folder).filter((name) => /\.jpe?g$/i.test(name)).sort();
  if (names.length === 0) throw new Error(`no JPEG in ${folder}`);
  const file = join(into, 'camera.mjpeg');
  writeFileSync(file, Buffer.concat(names.map((name) => readFileSync(join(folder, name)))));
  return file;
}

// `microphone`: a WAV, or none for the device's own beeps; `camera`: a folder of JPEGs, or none for its own test picture.
export async function openBrowser({ executable = EXECUTABLE, microphone, camera, headless = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ojin-browser-'));
  const args = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', '--autoplay-policy=no-user-gesture-required',
    '--mute-audio', '--disable-gpu', '--no-sandbox'];
  if (microphone) args.push(`--use-file-for-fake-audio-capture=${microphone}`);
  if (camera) args.push(`--use-file-for-fake-video-capture=${cameraFile(camera, folder)}`);
  const browser = await chromium.launch({ executablePath: executable, headless, args, timeout: START_WAIT_MS });
  return { browser, async close() {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  } };
}
