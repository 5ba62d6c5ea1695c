// What the clients of both protocols share of what is on the wire: base64, sound and its checksum, sound files. No state.

export const OUTPUT_RATE = 24000; // mono
export const FLOAT_BYTES = 4; // little-endian, as all sound here
export const PCM_BYTES = 2;

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

export function bytesOfFloats(samples) {
  const view = new DataView(new ArrayBuffer(samples.length * FLOAT_BYTES));
  for (let i = 0; i < samples.length; i++) view.setFloat32(i * FLOAT_BYTES, samples[i], true);
  return new Uint8Array(view.buffer);
}

export function floatsOfBytes(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / FLOAT_BYTES }, (_, i) => view.getFloat32(i * FLOAT_BYTES, true));
}

const PCM_MAX = 32767;

export function pcmOfFloats(samples) {
  const view = new DataView(new ArrayBuffer(samples.length * PCM_BYTES));
  for (let i = 0; i < samples.length; i++)
    view.setInt16(i * PCM_BYTES, Math.max(-PCM_MAX - 1, Math.min(PCM_MAX, Math.round(samples[i] * (PCM_MAX + 1)))), true);
  return new Uint8Array(view.buffer);
}

export function floatsOfPcm(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / PCM_BYTES }, (_, i) => view.getInt16(i * PCM_BYTES, true) / (PCM_MAX + 1));
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

/* ---- members of messages ---- */

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const textOf = (value) => (typeof value === 'string' ? value : '');

// { bytes }, and what is wrong with them. Null or nothing is no fault: there is no sound then.
export function readAudio(value, sampleBytes) {
  if (value === undefined || value === null) return { bytes: new Uint8Array() };
  const bytes = typeof value === 'string' ? fromBase64(value) : null;
  if (bytes === null) return { bytes: new Uint8Array(), fault: 'audio: expected base64' };
  if (bytes.length % sampleBytes === 0) return { bytes };
  return { bytes: new Uint8Array(), fault: `audio: expected whole samples of ${sampleBytes} bytes, found ${bytes.length} bytes` };
}

/* ---- sound files ---- */

// The samples of a 16 bit mono WAV of that rate; null: it is none.
export function samplesOfWav(buffer, rate) {
  const view = new DataView(buffer);
  const tag = (at) => String.fromCharCode(...new Uint8Array(buffer, at, 4));
  const isOurs = (at) => view.getUint16(at, true) === 1 && view.getUint16(at + 2, true) === 1 && view.getUint32(at + 4, true) === rate
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
  const data = bytesOfFloats(all);
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
  view.setUint32(28, rate * FLOAT_BYTES, true);
  view.setUint16(32, FLOAT_BYTES, true);
  view.setUint16(34, 8 * FLOAT_BYTES, true);
  put(38, 'fact');
  view.setUint32(42, 4, true);
  view.setUint32(46, count, true);
  put(50, 'data');
  view.setUint32(54, data.length, true);
  file.set(data, 58);
  return file;
}
