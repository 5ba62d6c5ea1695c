// Frames of so many bytes at the pace of the mock's silence, by ws: node-ws.mjs BYTES copy|shared
//
// The way a mock would be written with care: one timer for all sessions, no compression. `copy` makes each frame
// afresh from a template, as frames with sound of their own have to be; `shared` patches one buffer and sends it.
import { createRequire } from 'node:module';

const { WebSocketServer } = createRequire(
  new URL('../../../conformance/clients/node/package.json', import.meta.url))('ws');
const PERIOD_MS = 1000 / 26;
const TIMESTAMP_OFFSET = 17;
const frame = Buffer.alloc(Number(process.argv[2]), 1);
const copies = process.argv[3] === 'copy';
const queue = []; // in the order in which they are due, as all have the same period

function send(session, now) {
  const message = copies ? Buffer.from(frame) : frame;
  message.writeBigUInt64BE(BigInt(Math.round(now)), TIMESTAMP_OFFSET);
  session.socket.send(message);
}

function tick() {
  const now = performance.now();
  while (queue.length > 0 && queue[0].due <= now) {
    const session = queue.shift();
    if (session.socket.readyState !== session.socket.OPEN) continue;
    send(session, now);
    session.due += PERIOD_MS;
    queue.push(session);
  }
  setTimeout(tick, queue.length > 0 ? Math.max(1, queue[0].due - performance.now()) : 1);
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, backlog: 1024 }, () => {
  console.log(JSON.stringify({ port: server.address().port }));
  tick();
});
server.on('connection', (socket) => {
  socket.on('error', () => {});
  socket.once('message', () => queue.push({ socket, due: performance.now() }));
});
process.on('SIGTERM', () => process.exit(0));
