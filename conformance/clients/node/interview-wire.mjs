// What is on the wire of the realtime interview API: JSON messages, with sound in base64.

import { parseObject, textOf } from './messages.mjs';

export const RATE = 24000; // mono, in both directions
export const SAMPLE_BYTES = 2; // integers, little-endian

// How a server spells its messages. Some servers in use differ from the document.
export const DOCUMENTED = {
  commit: 'commit_audio',
  connected: null,
  speaker: 'speaker',
  speakers: { candidate: 'candidate', ai: 'ai' },
  errorCode: 'code',
  unitMs: 1000, // of times
  pings: false,
};
export const DEPLOYED = {
  commit: 'audio_commit',
  connected: 'connected',
  speaker: 'role',
  speakers: { user: 'candidate', assistant: 'ai' },
  errorCode: 'error',
  unitMs: 1,
  pings: true,
};

export const CANCEL = JSON.stringify({ type: 'cancel_response' });
export const PONG = JSON.stringify({ type: 'pong' });

export function buildChunk(dialect, sound) {
  const timestamp = Math.floor(Date.now() / dialect.unitMs);
  return JSON.stringify({ type: 'audio_chunk', audio: sound.toString('base64'), timestamp });
}

export function buildCommit(dialect) {
  return JSON.stringify({ type: dialect.commit });
}

// Its type and itself. Empty for what is no message of this protocol; throws for what is no JSON.
export function parseMessage(dialect, text) {
  const message = parseObject(text);
  const type = textOf(message, 'type');
  return type !== '' && type === dialect.connected ? ['status', { ...message, status: 'connected' }] : [type, message];
}
