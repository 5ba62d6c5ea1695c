// One session of the Ojin realtime API on a bare socket: no library, no sound card. For the clients beside this file,
// which show what each tier asks for; a real client plays what it receives.

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';

const [TEXT, BINARY, CLOSE, PING, PONG] = [1, 2, 8, 9, 10];
const FRAME_BYTES = 1280; // 640 samples, 40 ms
const CHUNK_BYTES = 102400; // of speech, a message: eight times 400 ms
const CHUNK_EVERY_MS = 250; // at most six messages a second are allowed, control messages among them

export class Session {
  open = false;
  ready = false;
  final = false;
  failed = false;
  over = false;
  speech = 0; // frames of it
  idle = false; // silence was played after them
  interaction = null;
  dropped = new Set(); // interactions that were cancelled
  unsent = []; // chunks of speech
  nextChunkAt = 0;
  incoming = Buffer.alloc(0);
  kind = 0; // of the message that comes in pieces
  pieces = [];
  isClosing = false;

  // `observe` is called with what is seen, as members of an observation.
  constructor(url, key, config, observe = () => {}, profile = '') {
    this.observe = observe;
    this.earlier = profile === 'oris-1.0-earlier'; // it streams by itself, and its frames hold the sound to play
    const { protocol, hostname, port, host, pathname } = new URL(url);
    const nonce = randomBytes(16).toString('base64');
    this.accept = createHash('sha1').update(`${nonce}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    const begin = () =>
      this.socket.write(
        `GET ${pathname}?config_id=${encodeURIComponent(config)} HTTP/1.1\r\nHost: ${host}\r\n` +
          'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
          `Sec-WebSocket-Key: ${nonce}\r\nAuthorization: ${key}\r\n\r\n`,
      );
    const where = { host: hostname, port: Number(port), servername: net.isIP(hostname) ? '' : hostname };
    this.socket = protocol === 'wss:' ? tls.connect(where, begin) : net.connect(where, begin);
    this.socket.on('error', (error) => {
      if (!this.open) this.fail('NO_CONNECTION', error.message);
      this.ended(1006);
    });
    this.socket.on('close', () => this.ended(1006));
    this.socket.on('data', (data) => {
      this.incoming = Buffer.concat([this.incoming, data]);
      if (!this.open) this.takeHead();
      while (this.open && !this.over && this.takeFrame());
    });
  }

  fail(code, text) {
    if (this.over) return;
    console.error(text);
    this.failed = true;
    this.observe({ seen: 'error', code, text: text.slice(0, 400) });
  }

  ended(code) {
    if (this.over) return;
    this.over = true;
    this.observe({ seen: 'closed', code });
    this.socket.destroySoon();
  }

  // Waits until the condition holds, the time is up or the connection is over; sends what is due meanwhile.
  async until(condition, milliseconds) {
    const deadline = performance.now() + milliseconds;
    while (!condition() && !this.over && performance.now() < deadline) {
      if (this.unsent.length > 0 && performance.now() >= this.nextChunkAt) {
        this.sendAudio(this.unsent.shift());
        this.nextChunkAt = performance.now() + CHUNK_EVERY_MS;
      }
      await sleep(5);
    }
  }

  // ---- what it does ----

  async connect() {
    await this.until(() => this.ready || this.failed, 10000);
    if (!this.ready) this.fail('READY_TIMEOUT', 'no sessionReady within 10 s');
    else if (!this.earlier) this.sendAudio(Buffer.alloc(FRAME_BYTES)); // a frame of silence starts the stream
  }

  speak(path) {
    const samples = readSpeech(path);
    if (samples === null) this.fail('UNSUPPORTED_AUDIO', 'the sound is not 16 bit mono at 16 kHz');
    this.speech = 0;
    this.idle = false;
    for (let at = 0; samples !== null && at < samples.length; at += CHUNK_BYTES)
      this.unsent.push(samples.subarray(at, at + CHUNK_BYTES)); // until() sends it
  }

  cancel() {
    this.unsent = [];
    this.dropped.add(this.interaction);
    this.observe({ seen: 'cancelled' });
    this.control('cancelInteraction');
  }

  async end() {
    await this.until(() => this.unsent.length === 0, 600000);
    await this.until(() => false, CHUNK_EVERY_MS);
    this.control('endInteraction');
    await this.until(() => this.final, 10000);
    await this.close();
  }

  async close() {
    if (!this.open) this.ended(1006);
    this.sendFrame(CLOSE, Buffer.from([1000 >> 8, 1000 & 255]));
    await this.until(() => false, 2000);
    this.ended(1006);
  }

  // ---- the wire ----

  control(type) {
    this.sendFrame(TEXT, Buffer.from(JSON.stringify({ type, payload: { timestamp: Date.now() } })));
  }

  sendAudio(samples) {
    const header = Buffer.alloc(13); // payload type, timestamp, params size
    header.writeUInt8(1, 0);
    header.writeBigUInt64BE(BigInt(Date.now()), 1);
    this.sendFrame(BINARY, Buffer.concat([header, samples]));
  }

  // A frame of the client is masked, and none follows its close: 5.2, 5.5.1 of RFC 6455.
  sendFrame(opcode, payload) {
    if (this.over || this.isClosing) return;
    this.isClosing = opcode === CLOSE;
    const mask = randomBytes(4);
    const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65536 ? 4 : 10);
    head[0] = 0x80 | opcode;
    head[1] = 0x80 | (head.length === 2 ? payload.length : head.length === 4 ? 126 : 127);
    if (head.length === 4) head.writeUInt16BE(payload.length, 2);
    if (head.length === 10) head.writeBigUInt64BE(BigInt(payload.length), 2);
    this.socket.write(Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at % 4])]));
  }

  takeHead() {
    const end = this.incoming.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.incoming.toString('latin1', 0, end);
    this.incoming = this.incoming.subarray(end + 4);
    if (head.startsWith('HTTP/1.1 101') && head.includes(this.accept)) this.open = true;
    else this.fail(head.split(' ')[1] ?? '', `the handshake was refused: ${head.split('\r\n')[0]}`);
  }

  // True when there was a whole one.
  takeFrame() {
    if (this.incoming.length < 2) return false;
    const [first, second] = this.incoming;
    const opcode = first & 15;
    const isLast = (first & 0x80) !== 0;
    let at = 2;
    let size = second & 127;
    if (this.breaksRfc6455(first, second, opcode, isLast)) return this.leave(1002);
    if (size >= 126) {
      at = size === 126 ? 4 : 10;
      if (this.incoming.length < at) return false;
      size = size === 126 ? this.incoming.readUInt16BE(2) : Number(this.incoming.readBigUInt64BE(2));
    }
    if (this.incoming.length - at < size) return false;
    const payload = this.incoming.subarray(at, at + size);
    this.incoming = this.incoming.subarray(at + size);
    if (opcode === PING) this.sendFrame(PONG, payload);
    else if (opcode === CLOSE) this.takeClose(payload);
    else if (opcode !== PONG) {
      this.kind = opcode || this.kind;
      this.pieces.push(payload);
      if (!isLast) return true;
      const message = Buffer.concat(this.pieces);
      const kind = this.kind;
      this.pieces = [];
      this.kind = 0;
      if (kind === TEXT) this.takeText(message);
      else this.takeBinary(message);
    }
    return true;
  }

  breaksRfc6455(first, second, opcode, isLast) {
    const strange = (first & 0x70) !== 0 || ![0, TEXT, BINARY, CLOSE, PING, PONG].includes(opcode) || (second & 0x80) !== 0;
    if (opcode >= CLOSE) return strange || !isLast || (second & 127) > 125;
    return strange || (opcode === 0) === (this.kind === 0);
  }

  // The server broke the WebSocket protocol: says so, and is gone.
  leave(code) {
    this.failed = true;
    this.sendFrame(CLOSE, Buffer.from([code >> 8, code & 255]));
    this.ended(1006);
    return false;
  }

  takeClose(payload) {
    const code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
    const isLegal = (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999);
    if (payload.length === 1 || (payload.length > 0 && !isLegal)) {
      this.leave(1002);
      return;
    }
    this.sendFrame(CLOSE, payload.subarray(0, 2));
    this.ended(code);
  }

  takeText(message) {
    let body = null;
    let text;
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(message);
    } catch {
      this.leave(1007);
      return;
    }
    try {
      body = JSON.parse(text);
    } catch {
      this.fail('', text); // plain text is for people
      return;
    }
    const { code, message: sentence } = body?.payload ?? {};
    if (body?.type === 'sessionReady') {
      this.ready = true;
      this.observe({ seen: 'ready' });
    } else if (body?.type === 'errorResponse' && !(code === 'CANCELLED' && this.dropped.size > 0)) {
      if (code === 'RATE_LIMITED') this.nextChunkAt = performance.now() + 1000;
      this.fail(String(code ?? ''), String(sentence ?? ''));
    }
  }

  takeBinary(message) {
    const frame = parseFrame(message);
    if (frame === null) {
      this.fail('BAD_FRAME', `${message.length} bytes are no whole frame`);
      return;
    }
    const { index, final, interaction, audio, image } = frame;
    this.observe({ seen: 'frame', index, final, interaction, audio, image });
    const isDropped = this.dropped.has(interaction);
    this.final ||= final && !isDropped;
    if (index === 1 && isDropped) return;
    if (index === 1) {
      this.interaction = interaction;
      this.speech++;
    }
    // Our own speech would be heard, if this client played it; in the earlier revision that of the frame.
    if (audio === undefined && image === undefined) return;
    this.idle ||= index !== 1 && this.speech > 0;
    this.observe({ seen: 'played', index, final, interaction, audio: this.earlier ? audio : undefined, image });
  }
}

// Null for what is none. The payloads are told by their checksum.
function parseFrame(message) {
  if (message.length < 37) return null;
  const id = message.toString('hex', 1, 17).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const frame = { final: message[0] === 1, interaction: id, index: message.readUInt32BE(29) };
  let at = 37;
  for (let left = message.readUInt32BE(33); left > 0; left--) {
    if (message.length - at < 5) return null;
    const size = message.readUInt32BE(at);
    const name = { 1: 'audio', 2: 'image' }[message[at + 4]];
    if (size > message.length - at - 5) return null;
    if (name !== undefined) frame[name] = crc32(message.subarray(at + 5, at + 5 + size));
    at += 5 + size;
  }
  return frame;
}

function crc32(data) {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

// The samples of a WAV file; null for any other sound than 16 bit mono at 16 kHz, which would have to be converted.
function readSpeech(path) {
  const file = readFileSync(path);
  let right = false;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    const chunk = file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
    if (name === 'fmt ') right = chunk.toString('hex', 0, 16) === '01000100803e0000007d000002001000';
    if (name === 'data') return right ? chunk : null;
    at += 8 + chunk.length + (chunk.length % 2);
  }
  return null;
}

// Does what the plan of CONFORM_PLAN asks; the exit code that belongs to it. What it does not know it declines: 77.
export async function obey(env, observe) {
  const { steps, profile } = JSON.parse(readFileSync(env.CONFORM_PLAN));
  const known = ['connect', 'speak', 'cancel', 'end', 'wait', 'close'];
  const unknown = steps.find((step) => !known.includes(step.do));
  if (unknown !== undefined) {
    console.error(`cannot do this: ${unknown.do}`);
    return 77;
  }
  const session = new Session(env.OJIN_URL, env.OJIN_API_KEY, env.OJIN_CONFIG_ID, observe, profile);
  await session.connect();
  for (const step of session.ready ? steps : []) {
    const [name, count] = (step.after ?? '').split(':');
    const after = {
      ready: () => session.ready,
      speech: () => session.speech >= Number(count ?? 1),
      sent: () => session.unsent.length === 0,
      idle: () => session.idle,
      final: () => session.final,
      error: () => session.failed,
      closed: () => session.over,
    }[name];
    if (after !== undefined) await session.until(after, 10000);
    if (session.over) break;
    if (step.do === 'speak') session.speak(step.file);
    else if (step.do === 'wait') await session.until(() => false, step.ms ?? 0);
    else if (step.do !== 'connect') await session[step.do]();
  }
  if (!session.ready) await session.until(() => false, 2000); // a server that refuses closes by itself
  if (!session.over) await session.close();
  return session.failed ? 1 : 0;
}
