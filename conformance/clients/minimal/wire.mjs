#!/usr/bin/env node
// The wire tier in Node, on a bare socket: no library, one file. It finds the service in its environment (OJIN_URL,
// OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO), speaks the sound file, reads on to the final frame and closes. It knows
// nothing of the suite but the name of the profile, and plays nothing.

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [TEXT, BINARY, CLOSE, PING, PONG] = [1, 2, 8, 9, 10];
const FRAME_BYTES = 1280; // 640 samples, 40 ms
const CHUNK_BYTES = 102400; // of speech, a message: eight times 400 ms
const CHUNK_EVERY_MS = 250; // at most six messages a second are allowed, control messages among them

const { OJIN_URL, OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO, CONFORM_PROFILE } = process.env;
const url = new URL(OJIN_URL);
const nonce = randomBytes(16).toString('base64');
const accept = createHash('sha1').update(`${nonce}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
const seen = { open: false, ready: false, final: false, failed: false, over: false };
let incoming = Buffer.alloc(0);
let kind = 0; // of the message that comes in pieces
let pieces = [];

const socket = connect(Number(url.port || 80), url.hostname, () =>
  socket.write(
    `GET ${url.pathname}?config_id=${encodeURIComponent(OJIN_CONFIG_ID)} HTTP/1.1\r\nHost: ${url.host}\r\n` +
      'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: ${nonce}\r\nAuthorization: ${OJIN_API_KEY}\r\n\r\n`,
  ),
);
socket.on('error', () => socket.destroy());
socket.on('close', () => (seen.over = true));
socket.on('data', (data) => {
  incoming = Buffer.concat([incoming, data]);
  if (!seen.open) takeHead();
  while (seen.open && takeFrame());
});

function fail(sentence) {
  console.error(sentence);
  seen.failed = true;
}

function takeHead() {
  const end = incoming.indexOf('\r\n\r\n');
  if (end < 0) return;
  const head = incoming.toString('latin1', 0, end);
  incoming = incoming.subarray(end + 4);
  if (head.startsWith('HTTP/1.1 101') && head.includes(accept)) seen.open = true;
  else fail(`the handshake was refused: ${head.split('\r\n')[0]}`);
}

// A frame of the client is masked: 5.2 of RFC 6455.
function sendFrame(opcode, payload) {
  if (seen.over) return;
  const mask = randomBytes(4);
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (head.length === 2 ? payload.length : head.length === 4 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(payload.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(payload.length), 2);
  socket.write(Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at % 4])]));
}

// True when there was a whole one.
function takeFrame() {
  if (incoming.length < 2) return false;
  let at = 2;
  let size = incoming[1] & 127;
  if (size >= 126) {
    at = size === 126 ? 4 : 10;
    if (incoming.length < at) return false;
    size = size === 126 ? incoming.readUInt16BE(2) : Number(incoming.readBigUInt64BE(2));
  }
  if (incoming.length - at < size) return false;
  const opcode = incoming[0] & 15;
  const payload = incoming.subarray(at, at + size);
  const isLast = (incoming[0] & 0x80) !== 0;
  incoming = incoming.subarray(at + size);
  if (opcode === PING) sendFrame(PONG, payload);
  else if (opcode === CLOSE) socket.end(sendFrame(CLOSE, payload.subarray(0, 2)));
  else if (opcode < CLOSE) {
    kind = opcode || kind;
    pieces.push(payload);
    if (isLast) takeMessage(Buffer.concat(pieces));
    if (isLast) pieces = [];
  }
  return true;
}

function takeMessage(message) {
  if (kind === BINARY) {
    if (message.length >= 37 && message[0] === 1) seen.final = true;
    return;
  }
  let type = 'plain text';
  try {
    type = JSON.parse(message)?.type;
  } catch {
    // not JSON: an error, as it is
  }
  if (type === 'sessionReady') seen.ready = true;
  else if (type === 'errorResponse' || type === 'plain text') fail(`the server says: ${message}`);
}

// Waits until the condition holds, the time is up or the connection is over.
async function until(condition, milliseconds) {
  const deadline = performance.now() + milliseconds;
  while (!condition() && !seen.over && performance.now() < deadline) await sleep(5);
}

function sendAudio(samples) {
  const header = Buffer.alloc(13); // payload type, timestamp, params size
  header.writeUInt8(1, 0);
  header.writeBigUInt64BE(BigInt(Date.now()), 1);
  sendFrame(BINARY, Buffer.concat([header, samples]));
}

// The samples of a WAV file; any other sound than 16 bit mono at 16 kHz would have to be converted first.
function readSpeech(path) {
  const file = readFileSync(path);
  let right = false;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    const chunk = file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
    if (name === 'fmt ') right = chunk.toString('hex', 0, 16) === '01000100803e0000007d000002001000';
    if (name === 'data' && right) return chunk;
    at += 8 + chunk.length + (chunk.length % 2);
  }
  fail('the sound is not 16 bit mono at 16 kHz');
  return Buffer.alloc(0);
}

await until(() => seen.ready || seen.failed, 10000);
if (seen.ready) {
  // A frame of silence starts the stream; in the earlier revision it starts by itself.
  if (CONFORM_PROFILE !== 'oris-1.0-earlier') sendAudio(Buffer.alloc(FRAME_BYTES));
  const speech = readSpeech(OJIN_AUDIO);
  for (let at = 0; at < speech.length && !seen.over; at += CHUNK_BYTES) {
    sendAudio(speech.subarray(at, at + CHUNK_BYTES));
    await sleep(CHUNK_EVERY_MS);
  }
  sendFrame(TEXT, Buffer.from(JSON.stringify({ type: 'endInteraction', payload: { timestamp: Date.now() } })));
  await until(() => seen.final, 10000);
  sendFrame(CLOSE, Buffer.from([1000 >> 8, 1000 & 255]));
}
await until(() => false, 2000); // a server that refuses closes by itself
socket.destroy();
process.exitCode = seen.failed || !seen.ready ? 1 : 0;
