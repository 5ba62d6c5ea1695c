// What is on the wire of the full-duplex protocol: messages built and read. No state.
import { FLOAT_BYTES, bytesOfFloats, floatsOfBytes, isObject, readAudio, textOf, toBase64 } from './sound.mjs';

export const INPUT_RATE = 16000; // mono float32, little-endian, as all sound here
export const APPEND_SAMPLES = INPUT_RATE; // one second
export const CACHE_TOKENS = 8192; // the session ends there
const PATH = '/v1/realtime';

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
  const members = { audio: toBase64(bytesOfFloats(samples)), force_listen: forceListen };
  if (picture !== null) members.video_frames = [picture];
  return JSON.stringify({ type, ...within(object, members) });
}

export const CLOSE_MESSAGE = JSON.stringify({ type: 'session.close', reason: 'user_stop' });

/* ---- what the server says ---- */

const COUNT_MAX = 0xffffffff; // what is beyond is taken for that
const countOf = (value) => (Number.isInteger(value) && value >= 0 ? Math.min(value, COUNT_MAX) : undefined);

// { bytes, samples } of a delta, and what is wrong with it.
function readSamples(value) {
  const audio = readAudio(value, FLOAT_BYTES);
  const samples = floatsOfBytes(audio.bytes);
  return samples.every(Number.isFinite) ? { ...audio, samples } : { bytes: new Uint8Array(), samples: new Float32Array(), fault: 'audio: expected finite samples' };
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
  return { kind: 'delta', cache, text: textOf(message.text), endOfTurn: message.end_of_turn === true, ...readSamples(message.audio) };
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
