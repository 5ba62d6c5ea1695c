// What is on the wire of the full-duplex protocol: messages built and read, base64, sound and its checksum. No state.

export const INPUT_RATE = 16000; // mono float32, little-endian, as all sound here
export const OUTPUT_RATE = 24000;
export const APPEND_SAMPLES = INPUT_RATE; // one second
export const CACHE_TOKENS = 8192; // the session ends there
const PATH = '/v1/realtime';
const SAMPLE_BYTES = 4;

const DOCUMENTED = { update: ['session.update', 'session', 'instructions'], append: ['input_audio_buffer.append', null],
  delta: 'response.output_audio.delta', listen: 'response.listen' };
const LATER = { update: ['session.init', 'payload', 'system_prompt'], append: ['input.append', 'input'], delta: 'response.output.delta', listen: null };

export const PROFILES = {
  video: { mode: 'video', pictures: true, sessionMs: 300000, words: DOCUMENTED },
  audio: { mode: 'audio', pictures: false, sessionMs: 600000, words: DOCUMENTED },
  'duplex-later': { mode: 'video', pictures: true, sessionMs: 300000, words: LATER },
  'duplex-later-audio': { mode: 'audio', pictures: false, sessionMs: 600000, words: LATER },
};

// `url` may lack its path and its mode.
export function sessionUrl(url, profile) {
  const full = new URL(url);
  if (full.pathname === '/') full.pathname = PATH;
  if (!full.searchParams.has('mode')) full.searchParams.set('mode', profile.mode);
  return full.href;
}

/* ---- base64 ---- */

const AT_ONCE = 0x8000; // arguments of a call

export function toBase64(bytes) {
  let binary = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE) binary += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return btoa(binary);
}

// null: not as an encoder writes it. atob alone would let spaces and missing padding through.
export function fromBase64(text) {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/* ---- sound ---- */

export function bytesOfSamples(samples) {
  const view = new DataView(new ArrayBuffer(samples.length * SAMPLE_BYTES));
  for (let i = 0; i < samples.length; i++) view.setFloat32(i * SAMPLE_BYTES, samples[i], true);
  return new Uint8Array(view.buffer);
}

function samplesOfBytes(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / SAMPLE_BYTES }, (_, i) => view.getFloat32(i * SAMPLE_BYTES, true));
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

export function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/* ---- what the client says ---- */

function within(name, members) {
  return name === null ? members : { [name]: members };
}

export function updateMessage(profile, instructions) {
  const [type, object, member] = profile.words.update;
  return JSON.stringify({ type, ...within(object, { [member]: instructions }) });
}

// `picture`: a JPEG in base64, or null.
export function appendMessage(profile, samples, picture, forceListen) {
  const [type, object] = profile.words.append;
  const members = { audio: toBase64(bytesOfSamples(samples)), force_listen: forceListen };
  if (picture !== null) members.video_frames = [picture];
  return JSON.stringify({ type, ...within(object, members) });
}

export const CLOSE_MESSAGE = JSON.stringify({ type: 'session.close', reason: 'user_stop' });

/* ---- what the server says ---- */

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value) => (typeof value === 'string' ? value : '');
const COUNT_MAX = 0xffffffff; // what is beyond is taken for that
const countOf = (value) => (Number.isInteger(value) && value >= 0 ? Math.min(value, COUNT_MAX) : undefined);

// { bytes, samples } of a delta, and what is wrong with it. Null or nothing is no fault: there is no sound then.
function readAudio(value) {
  const nothing = { bytes: new Uint8Array(), samples: new Float32Array() };
  if (value === undefined || value === null) return nothing;
  const bytes = typeof value === 'string' ? fromBase64(value) : null;
  if (bytes === null) return { ...nothing, fault: 'audio: expected base64' };
  if (bytes.length % SAMPLE_BYTES !== 0) return { ...nothing, fault: `audio: expected whole samples of 4 bytes, found ${bytes.length} bytes` };
  const samples = samplesOfBytes(bytes);
  return samples.every(Number.isFinite) ? { bytes, samples } : { ...nothing, fault: 'audio: expected finite samples' };
}

function readError({ code, message, type }) {
  const sentence = [textOf(message), textOf(type) && `(${type})`];
  return { kind: 'error', code: textOf(code), text: sentence.filter(Boolean).join(' ') };
}

const READERS = {
  'session.queued': (message) => ({ kind: 'queued', position: countOf(message.position) || 1, waitS: message.estimated_wait_s }),
  'session.queue_update': (message) => READERS['session.queued'](message),
  'session.queue_done': () => ({ kind: 'queue-done' }),
  'session.created': (message) => ({ kind: 'created', id: textOf(message.session_id) }),
  'session.closed': (message) => ({ kind: 'closed', reason: textOf(message.reason) }),
  error: ({ error }) => readError(isObject(error) ? error : {}),
};

function readOutput(profile, message) {
  const cache = countOf(message.kv_cache_length ?? message.metrics?.kv_cache_length);
  const later = profile.words.listen === null;
  if (message.type === profile.words.listen || (later && message.kind === 'listen')) return { kind: 'listen', cache };
  if (later && message.kind !== 'text' && message.kind !== 'audio') return { kind: 'unknown' };
  return { kind: 'delta', cache, text: textOf(message.text), endOfTurn: message.end_of_turn === true, ...readAudio(message.audio) };
}

// { kind: queued, queue-done, created, delta, listen, closed, error, unknown, or plain (no JSON at all), … }
export function readMessage(profile, text) {
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return { kind: 'plain', text };
  }
  if (!isObject(message)) return { kind: 'unknown' };
  if (typeof message.type !== 'string') return { kind: 'unknown' };
  if (message.type === profile.words.delta || message.type === profile.words.listen) return readOutput(profile, message);
  return Object.hasOwn(READERS, message.type) ? READERS[message.type](message) : { kind: 'unknown' };
}

/* ---- sound files ---- */

// The samples of a 16 bit mono WAV at 16 kHz; null: it is none.
export function samplesOfWav(buffer) {
  const view = new DataView(buffer);
  const tag = (at) => String.fromCharCode(...new Uint8Array(buffer, at, 4));
  const isOurs = (at) => view.getUint16(at, true) === 1 && view.getUint16(at + 2, true) === 1 && view.getUint32(at + 4, true) === INPUT_RATE
    && view.getUint16(at + 14, true) === 16;
  if (buffer.byteLength < 12 || tag(0) !== 'RIFF' || tag(8) !== 'WAVE') return null;
  let ours = false;
  for (let at = 12; at + 8 <= buffer.byteLength; ) {
    const length = Math.min(view.getUint32(at + 4, true), buffer.byteLength - at - 8);
    if (tag(at) === 'fmt ' && length >= 16) ours = isOurs(at + 8);
    if (tag(at) === 'data') return ours ? Float32Array.from({ length: length >> 1 }, (_, i) => view.getInt16(at + 8 + 2 * i, true) / 32768) : null;
    at += 8 + length + (length & 1);
  }
  return null;
}

// A mono float32 WAV of pieces { at, samples }, silent between them.
export function wavOfPieces(pieces, rate) {
  const count = pieces.reduce((most, { at, samples }) => Math.max(most, at + samples.length), 0);
  const all = new Float32Array(count);
  for (const { at, samples } of pieces) all.set(samples, at);
  const data = bytesOfSamples(all);
  const file = new Uint8Array(58 + data.length);
  const view = new DataView(file.buffer);
  const put = (at, text) => file.set(new TextEncoder().encode(text), at);
  put(0, 'RIFF');
  view.setUint32(4, file.length - 8, true);
  put(8, 'WAVEfmt ');
  view.setUint32(16, 18, true);
  view.setUint16(20, 3, true); // float
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * SAMPLE_BYTES, true);
  view.setUint16(32, SAMPLE_BYTES, true);
  view.setUint16(34, 8 * SAMPLE_BYTES, true);
  put(38, 'fact');
  view.setUint32(42, 4, true);
  view.setUint32(46, count, true);
  put(50, 'data');
  view.setUint32(54, data.length, true);
  file.set(data, 58);
  return file;
}
