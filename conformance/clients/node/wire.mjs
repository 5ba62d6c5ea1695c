// What is on the wire of the Ojin realtime API: its binary messages.

const HEADER_BYTES = 13; // InteractionInput: payload type, timestamp in milliseconds, params size
const RESPONSE_BYTES = 37; // InteractionResponse: final flag, id, timestamp, usage, index, number of payloads
const ENTRY_BYTES = 5; // each payload: data size, type
const AUDIO = 1;
const IMAGE = 2;
const MAX_PARAMS_BYTES = 1024;
// The limit is 512 KB with the header. Some servers read that as 512,000 bytes.
const MAX_MESSAGE_BYTES = 512000;
export const CHUNK_BYTES = Math.floor((MAX_MESSAGE_BYTES - HEADER_BYTES - MAX_PARAMS_BYTES) / 2) * 2; // whole samples

export class BadFrame extends Error {}

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
  const timestamp = data.readBigUInt64BE(17);
  const index = data.readUInt32BE(29);
  const frame = { final: data[0] === 1, interaction: id, timestamp, index, audio: null, image: null };
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
