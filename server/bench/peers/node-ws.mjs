// Recorded frames at the pace of the mock's silence, by ws: node-ws.mjs FILE copy|shared
//
// The way a mock would be written with care: the frames are read once and lie in memory, each session goes
// through them by itself, one timer serves all, no compression. `copy` makes each frame afresh, as frames with
// sound of their own have to be; `shared` patches the timestamp of the one that all sessions share.
//
// FILE holds frames one after another, each behind its length, four bytes, big-endian.
import { readFileSync } from 'node:fs';
import { WebSocketServer } from 'ws';

const PERIOD_MS = 1000 / 26;
const TIMESTAMP_OFFSET = 17;
const LENGTH_BYTES = 4;
const frames = [];
const copies = process.argv[3] === 'copy';
const queue = []; // in the order in which they are due, as all have the same period

const recorded = readFileSync(process.argv[2]);
for (let at = 0; at < recorded.length;) {
  const end = at + LENGTH_BYTES + recorded.readUInt32BE(at);
  frames.push(recorded.subarray(at + LENGTH_BYTES, end));
  at = end;
}

function send(session, now) {
  const frame = frames[session.sent++ % frames.length];
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
  socket.once('message', () => queue.push({ socket, due: performance.now(), sent: 0 }));
});
process.on('SIGTERM', () => process.exit(0));
