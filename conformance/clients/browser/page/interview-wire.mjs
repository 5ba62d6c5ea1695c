// What is on the wire of the realtime interview API: messages built and read. No state.
import { PCM_BYTES, floatsOfPcm, isObject, pcmOfFloats, readAudio, textOf, toBase64 } from './sound.mjs';

export const INPUT_RATE = 24000; // mono PCM16, in both directions

// How a server spells its messages. Some servers in use differ from the document.
const DOCUMENTED = { commit: 'commit_audio', connected: null, speaker: 'speaker', speakers: { candidate: 'candidate', ai: 'ai' }, code: 'code', unitMs: 1000 };
const DEPLOYED = { commit: 'audio_commit', connected: 'connected', speaker: 'role', speakers: { user: 'candidate', assistant: 'ai' }, code: 'error', unitMs: 1 };
export const PROFILES = { 'interview-1.0': DOCUMENTED, 'interview-deployed': DEPLOYED };

const STATUSES = ['connecting', 'connected', 'disconnected'];

export function sessionUrl(url, token) {
  const full = new URL(url);
  full.searchParams.set('token', token);
  return full.href;
}

/* ---- what the client says ---- */

export function chunkMessage(profile, samples) {
  return JSON.stringify({ type: 'audio_chunk', audio: toBase64(pcmOfFloats(samples)), timestamp: Math.floor(Date.now() / profile.unitMs) });
}

export const commitMessage = (profile) => JSON.stringify({ type: profile.commit });
export const CANCEL_MESSAGE = JSON.stringify({ type: 'cancel_response' });
export const PONG_MESSAGE = JSON.stringify({ type: 'pong' });

/* ---- what the server says ---- */

const READERS = {
  status: (profile, { status, message }) => (STATUSES.includes(status) ? { kind: 'status', status, text: textOf(message) } : { kind: 'unknown' }),
  ai_audio_chunk(profile, { audio, transcript, is_final: isFinal }) {
    const { bytes, fault } = readAudio(audio, PCM_BYTES);
    return { kind: 'chunk', bytes, fault, samples: floatsOfPcm(bytes), text: textOf(transcript), last: isFinal === true };
  },
  transcript(profile, message) {
    const { speaker, speakers } = profile;
    if (typeof message.text !== 'string') return { kind: 'unknown' };
    return { kind: 'transcript', speaker: Object.hasOwn(speakers, message[speaker]) ? speakers[message[speaker]] : '', text: message.text };
  },
  function_result: (profile, { function_name: name, result }) => ({ kind: 'result', name: textOf(name), text: JSON.stringify(result) ?? '' }),
  error: (profile, message) => ({ kind: 'error', code: textOf(message[profile.code]), text: textOf(message.message) }),
  ping: (profile) => ({ kind: profile === DEPLOYED ? 'ping' : 'unknown' }),
};

// { kind: status, chunk, transcript, result, error, ping, unknown, or plain (no JSON at all), … }
export function readMessage(profile, text) {
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return { kind: 'plain', text };
  }
  if (!isObject(message) || typeof message.type !== 'string') return { kind: 'unknown' };
  if (message.type === profile.connected) return READERS.status(profile, { ...message, status: 'connected' });
  return Object.hasOwn(READERS, message.type) ? READERS[message.type](profile, message) : { kind: 'unknown' };
}
