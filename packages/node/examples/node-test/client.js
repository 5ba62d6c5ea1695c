// The client under test: connects, begins with a frame of silence, says a second of a tone, and takes frames.
import { once } from 'node:events';
import WebSocket from 'ws';

const RATE = 16_000; // samples a second, 16 bit mono
const FRAME = 640; // samples

function tone(samples) {
  const data = Buffer.alloc(2 * samples);
  for (let n = 0; n < samples; n += 1) data.writeInt16LE(Math.round(9_000 * Math.sin(n / 6)), 2 * n);
  return data;
}

export function inputMessage(samples) {
  const message = Buffer.alloc(13 + samples.length);
  message.writeUInt8(1, 0); // audio
  message.writeBigUInt64BE(BigInt(Date.now()), 1);
  message.writeUInt32BE(0, 9); // no params
  samples.copy(message, 13);
  return message;
}

export class SpeechClient {
  frames = 0;
  error = undefined;

  /** A session that is ready to take speech. */
  static async open(url, key) {
    const client = new SpeechClient();
    client.socket = new WebSocket(url, { headers: { Authorization: key } });
    const ready = new Promise((resolve) => {
      client.socket.on('message', (data, isBinary) => {
        if (isBinary) client.frames += 1;
        else if (client.take(JSON.parse(data)) === 'sessionReady') resolve();
      });
    });
    await once(client.socket, 'open');
    await ready;
    client.socket.send(inputMessage(Buffer.alloc(2 * FRAME)));
    return client;
  }

  take({ type, payload }) {
    if (type === 'errorResponse') this.error = payload.code;
    return type;
  }

  speak() {
    this.socket.send(inputMessage(tone(RATE)));
  }

  cancel() {
    this.socket.send(JSON.stringify({ type: 'cancelInteraction', payload: { timestamp: Date.now() } }));
  }

  async close() {
    this.socket.close(1000);
    await once(this.socket, 'close');
  }
}
