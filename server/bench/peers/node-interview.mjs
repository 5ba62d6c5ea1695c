// An interviewer by ws, with the checks that the mock makes of a client: the token (HS256, exp, role, sub), JSON,
// canonical base64, whole samples, and whether somebody speaks. It answers a commit as the mock does, in real time.
//
//   node node-interview.mjs SECRET CANDIDATE REPLY.wav     serves, and prints its port
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { WebSocketServer } from 'ws';

const [secret, candidate, replyFile] = process.argv.slice(2);
const CHUNK_BYTES = 9600;
const CHUNK_MS = 200;
const TRANSCRIPT_MS = 40;
const REPLY_MS = 400;
const POLICY_VIOLATION = 1008;
const UNSUPPORTED = 1003;
const FRAME_SAMPLES = 240;
const LOUD = 300;

const wav = readFileSync(replyFile);
const reply = wav.subarray(wav.indexOf('data') + 8);

function tokenCheck(token) {
  const [head, claims, signature] = token.split('.');
  const mac = createHmac('sha256', secret).update(`${head}.${claims}`).digest();
  const given = Buffer.from(signature ?? '', 'base64url');
  if (JSON.parse(Buffer.from(head, 'base64url')).alg !== 'HS256') return false;
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) return false;
  const { exp, role, sub } = JSON.parse(Buffer.from(claims, 'base64url'));
  return exp > Date.now() / 1000 && role === 'candidate' && sub === candidate;
}

function base64Read(text) {
  const bytes = Buffer.from(text, 'base64');
  if (text.length % 4 !== 0 || bytes.toString('base64') !== text) throw new Error('no canonical base64');
  return bytes;
}

// Energy of each 10 ms, as the mock listens for speech.
function hear(session, bytes) {
  if (bytes.length % 2 !== 0) throw new Error('half a sample');
  const whole = new Uint8Array(bytes.length);
  whole.set(bytes);
  const samples = new Int16Array(whole.buffer);
  for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
    const frame = samples.subarray(at, at + FRAME_SAMPLES);
    let energy = 0;
    for (const sample of frame) energy += sample * sample;
    if (Math.sqrt(energy / frame.length) > LOUD) session.speech += frame.length;
    session.samples += frame.length;
  }
}

const seconds = () => Math.floor(Date.now() / 1000);
const say = (socket, message) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(message));

function answer(socket, session) {
  const start = performance.now();
  const after = (ms, what) => setTimeout(what, Math.max(0, start + ms - performance.now()));
  const told = `An answer of ${(session.speech / 24000).toFixed(1)} seconds.`;
  session.samples = session.speech = 0;
  after(TRANSCRIPT_MS, () => say(socket, { type: 'transcript', speaker: 'candidate', text: told, timestamp: seconds() }));
  const chunk = (n) => {
    const part = reply.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES);
    const final = (n + 1) * CHUNK_BYTES >= reply.length;
    say(socket, { type: 'ai_audio_chunk', audio: part.toString('base64'), transcript: 'Could you', is_final: final });
    if (!final) {
      after(REPLY_MS + (n + 1) * CHUNK_MS, () => chunk(n + 1));
      return;
    }
    say(socket, { type: 'transcript', speaker: 'ai', text: 'Could you tell more about that?', timestamp: seconds() });
    say(socket, { type: 'function_result', function_name: 'evaluate_candidate_answer',
      result: { answer_quality: 'good', next_action: 'continue', follow_up_needed: false, score: 8 } });
  };
  after(REPLY_MS, () => chunk(0));
}

function receive(socket, session, data) {
  const message = JSON.parse(data);
  if (message.type === 'audio_chunk') {
    if (!Number.isInteger(message.timestamp)) throw new Error('no timestamp');
    hear(session, base64Read(message.audio));
  } else if (message.type === 'commit_audio') {
    answer(socket, session);
  }
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, backlog: 1024 }, () => {
  console.log(JSON.stringify({ port: server.address().port }));
});
server.on('connection', (socket, request) => {
  const session = { samples: 0, speech: 0 };
  const token = new URL(request.url, 'ws://localhost').searchParams.get('token');
  socket.on('error', () => {});
  if (token === null || !tokenCheck(token)) {
    socket.close(POLICY_VIOLATION, 'POLICY_VIOLATION');
    return;
  }
  socket.on('message', (data) => {
    try {
      receive(socket, session, data);
    } catch {
      socket.close(UNSUPPORTED);
    }
  });
  say(socket, { type: 'status', status: 'connecting', message: 'Connecting to the interviewer' });
  say(socket, { type: 'status', status: 'connected', message: 'Realtime session initialized' });
});
process.on('SIGTERM', () => process.exit(0));
