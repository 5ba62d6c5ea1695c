// A full-duplex server that listens and never speaks, by ws, with the checks that the mock makes of an append:
// JSON, canonical base64, finite samples, a JPEG that decodes.
//
//   node node-duplex.mjs        serves, and prints its port
//   node node-duplex.mjs FILE   prints what the parts of these checks cost, in microseconds an append; FILE
//                               holds appends one after another, each behind its length, four bytes, big-endian
//
// The decoder is sharp's, libjpeg as the mock's, and makes an eighth of the lines and columns, as the mock's
// does.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { WebSocketServer } from 'ws';

const SAMPLES_MIN = 4000;
const SAMPLES_A_SECOND = 16000;
const TOKENS_A_SECOND = 13;
const TOKENS_A_PICTURE = 64;
const PICTURE_COLUMNS = 80; // of 640
const REPEATS = 20;

sharp.concurrency(1);
sharp.cache(false);

function base64Read(text) {
  const bytes = Buffer.from(text, 'base64');
  if (text.length % 4 !== 0 || bytes.toString('base64') !== text) throw new Error('no canonical base64');
  return bytes;
}

function samplesCheck(bytes) {
  const whole = new Uint8Array(bytes.length);
  whole.set(bytes);
  const samples = new Float32Array(whole.buffer);
  if (samples.length < SAMPLES_MIN || !samples.every(Number.isFinite)) throw new Error('no samples');
  return samples.length;
}

async function pictureCheck(bytes) {
  await sharp(bytes, { failOn: 'warning' }).resize(PICTURE_COLUMNS).greyscale().raw().toBuffer();
}

async function appendCheck(message) {
  const samples = samplesCheck(base64Read(message.audio));
  for (const picture of message.video_frames ?? []) await pictureCheck(base64Read(picture));
  return samples;
}

async function receive(socket, session, data) {
  const message = JSON.parse(data);
  if (message.type === 'session.update') {
    socket.send(JSON.stringify({ type: 'session.created', session_id: `rt_${Date.now()}`, prompt_length: 256 }));
  } else if (message.type === 'input_audio_buffer.append') {
    const samples = await appendCheck(message);
    session.tokens += TOKENS_A_SECOND * samples / SAMPLES_A_SECOND + TOKENS_A_PICTURE * message.video_frames.length;
    socket.send(JSON.stringify({ type: 'response.listen', kv_cache_length: Math.round(session.tokens) }));
  }
}

function serve() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, backlog: 1024 }, () => {
    console.log(JSON.stringify({ port: server.address().port }));
  });
  server.on('connection', (socket) => {
    const session = { tokens: 256 };
    socket.on('error', () => {});
    socket.on('message', (data) => receive(socket, session, data).catch(() => socket.close(1003)));
    socket.send(JSON.stringify({ type: 'session.queue_done' }));
  });
  process.on('SIGTERM', () => process.exit(0));
}

function recordedRead(file) {
  const recorded = readFileSync(file);
  const messages = [];
  for (let at = 0; at < recorded.length;) {
    const end = at + 4 + recorded.readUInt32BE(at);
    messages.push(recorded.subarray(at + 4, end));
    at = end;
  }
  return messages;
}

async function measure(file) {
  const messages = recordedRead(file);
  const took = { json: 0, base64: 0, jpeg: 0 };
  const cpu = () => { const { user, system } = process.cpuUsage(); return user + system; };
  for (let n = 0; n < REPEATS; n++) {
    for (const message of messages) {
      const start = cpu();
      const append = JSON.parse(message);
      const parsed = cpu();
      samplesCheck(base64Read(append.audio));
      const picture = base64Read(append.video_frames[0]);
      const decoded = cpu();
      await pictureCheck(picture);
      took.json += parsed - start;
      took.base64 += decoded - parsed;
      took.jpeg += cpu() - decoded;
    }
  }
  const each = (us) => (us / REPEATS / messages.length).toFixed(1);
  console.log(`json ${each(took.json)} base64 ${each(took.base64)} jpeg ${each(took.jpeg)}`);
}

if (process.argv[2] === undefined) serve();
else await measure(process.argv[2]);
