// What is on the wire: the binary messages, and the sound files that can be sent as they are.

import { readFileSync } from 'node:fs';

const HEADER_BYTES = 13; // InteractionInput: payload type, timestamp in milliseconds, params size
const RESPONSE_BYTES = 37; // InteractionResponse: final flag, id, timestamp, usage, index, number of payloads
const ENTRY_BYTES = 5; // each payload: data size, type
const AUDIO = 1;
const IMAGE = 2;
const SAMPLE_RATE = 16000;
const MAX_PARAMS_BYTES = 1024;
// The limit is 512 KB with the header. Some servers read that as 512,000 bytes.
const MAX_MESSAGE_BYTES = 512000;
export const CHUNK_BYTES = Math.floor((MAX_MESSAGE_BYTES - HEADER_BYTES - MAX_PARAMS_BYTES) / 2) * 2; // whole samples

export class BadFrame extends Error {}
export class UnsupportedAudio extends Error {}

export function buildMessage(audio, params = {}) {
  const paramsJson = Buffer.from(Object.keys(params).length > 0 ? JSON.stringify(params) : '');
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(AUDIO, 0);
  header.writeBigUInt64BE(BigInt(Date.now()), 1);
  header.writeUInt32BE(paramsJson.length, 9);
  return Buffer.concat([header, paramsJson, audio]);
}

// Takes no number in the message at its word. Payloads of an unknown type are skipped, and so is what follows the last.
export function parseFrame(data) {
  if (data.length < RESPONSE_BYTES) throw new BadFrame(`${data.length} bytes are no whole header`);
  const id = data.toString('hex', 1, 17).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const frame = { final: data[0] === 1, interaction: id, index: data.readUInt32BE(29), audio: null, image: null };
  const count = data.readUInt32BE(33);
  let offset = RESPONSE_BYTES;
  for (let number = 1; number <= count; number++) {
    if (data.length - offset < ENTRY_BYTES) throw new BadFrame(`payload ${number} of ${count} is missing`);
    const size = data.readUInt32BE(offset);
    const type = data[offset + 4];
    offset += ENTRY_BYTES;
    if (size > data.length - offset)
      throw new BadFrame(`payload ${number} has ${size} bytes, ${data.length - offset} are left`);
    if (type === AUDIO) frame.audio = data.subarray(offset, offset + size);
    if (type === IMAGE) frame.image = data.subarray(offset, offset + size);
    offset += size;
  }
  return frame;
}

// The samples of a RIFF WAVE file that can be sent as they are.
export function readSpeech(path) {
  let file;
  try {
    file = readFileSync(path);
  } catch (error) {
    throw new UnsupportedAudio(error.message);
  }
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    throw new UnsupportedAudio(`${path}: no WAV file`);
  let format = null;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    const chunk = file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
    if (name === 'fmt ' && chunk.length >= 16)
      format = [chunk.readUInt16LE(0), chunk.readUInt16LE(14), chunk.readUInt16LE(2), chunk.readUInt32LE(4)];
    if (name === 'data' && format !== null) {
      const [coding, bits, channels, rate] = format;
      if (coding !== 1 || bits !== 16 || channels !== 1 || rate !== SAMPLE_RATE)
        throw new UnsupportedAudio(
          `${path}: ${bits} bit, ${channels} channels, ${rate} Hz; only 16 bit mono at ${SAMPLE_RATE} Hz can be sent`,
        );
      return chunk.subarray(0, chunk.length - (chunk.length % 2));
    }
    at += 8 + chunk.length + (chunk.length % 2);
  }
  throw new UnsupportedAudio(`${path}: no sound in it`);
}

const CRC_TABLE = Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n >>> 0;
});

export function crc32(data) {
  let crc = 0xffffffff;
  for (const byte of data) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 0xff];
  return (crc ^ 0xffffffff) >>> 0;
}
