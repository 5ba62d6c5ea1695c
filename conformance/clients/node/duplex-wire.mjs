// What is on the wire of the full-duplex speech protocol: JSON messages, with sound and pictures in base64.

import { BadAudio, parseObject, soundOf } from './messages.mjs';

export const SAMPLE_BYTES = 4; // float32, in both directions

// How a version of the protocol spells its messages. In the later one a delta has a kind: listen, text or audio.
export const DOCUMENTED = {
  update: 'session.update',
  updateObject: 'session',
  instructions: 'instructions',
  append: 'input_audio_buffer.append',
  appendObject: null,
  delta: 'response.output_audio.delta',
  byKind: false,
};
export const LATER = {
  update: 'session.init',
  updateObject: 'payload',
  instructions: 'system_prompt',
  append: 'input.append',
  appendObject: 'input',
  delta: 'response.output.delta',
  byKind: true,
};

// A grey picture, for who has no camera.
export const GREY = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn' +
  'KSopGR8tMC0oMCUoKSj/wAALCAAwAEABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAI' +
  'AQEAAD8AAAAAAAAAAAAAAAAA/9k=',
  'base64',
);

// ---- what is sent ----

export function buildUpdate(dialect, instructions) {
  return JSON.stringify({ type: dialect.update, [dialect.updateObject]: { [dialect.instructions]: instructions } });
}

// `sound`: float32, little-endian. `picture`: a JPEG; undefined in a mode without pictures.
export function buildAppend(dialect, sound, picture, forceListen) {
  const members = { audio: sound.toString('base64'), force_listen: forceListen };
  if (picture !== undefined) members.video_frames = [picture.toString('base64')];
  return JSON.stringify({
    type: dialect.append,
    ...(dialect.appendObject === null ? members : { [dialect.appendObject]: members }),
  });
}

export function buildClose() {
  return JSON.stringify({ type: 'session.close', reason: 'user_stop' });
}

// Of samples of 16 bit.
export function toFloat32(sound) {
  const floats = Buffer.alloc(2 * sound.length);
  for (let at = 0; at < sound.length; at += 2) floats.writeFloatLE(sound.readInt16LE(at) / 32768, 2 * at);
  return floats;
}

// ---- what is received ----

// Its kind, a word, and itself. Undefined for what is no message of this protocol; throws for what is no JSON.
export function parseMessage(dialect, text) {
  const message = parseObject(text);
  if (message.type === 'response.listen' && !dialect.byKind) return ['listen', message];
  if (message.type !== dialect.delta) return [message.type, message];
  if (!dialect.byKind) return ['delta', message];
  const kinds = { listen: 'listen', text: 'delta', audio: 'delta' };
  return [kinds[message.kind], { kv_cache_length: message.metrics?.kv_cache_length, ...message }];
}

// Float32, little-endian.
export function floatSoundOf(message) {
  const sound = soundOf(message, SAMPLE_BYTES);
  for (let at = 0; at < sound.length; at += SAMPLE_BYTES)
    if (!Number.isFinite(sound.readFloatLE(at)))
      throw new BadAudio(`sample ${at / SAMPLE_BYTES} of the audio is no finite number`);
  return sound;
}
