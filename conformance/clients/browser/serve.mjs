// Serves the page on loopback, and takes the sound that a driven page says it played.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';

const PAGE = new URL('page/', import.meta.url);
const TYPES = { html: 'text/html', css: 'text/css', mjs: 'text/javascript' };
const SOUND_BYTES_MAX = 64 * 1024 * 1024;

async function bodyOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > SOUND_BYTES_MAX) throw new Error('too much sound');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function answer(request, response, onsound) {
  const path = new URL(request.url, 'http://127.0.0.1').pathname;
  if (request.method === 'POST' && path === '/sound') {
    await onsound(await bodyOf(request));
    response.writeHead(204).end();
    return;
  }
  const [, name = '', extension = ''] = /^\/([a-z-]+)\.([a-z]+)$/.exec(path === '/' ? '/index.html' : path) ?? [];
  if (request.method !== 'GET' || TYPES[extension] === undefined) throw new Error('no such file');
  const file = await readFile(new URL(`${name}.${extension}`, PAGE));
  response.writeHead(200, { 'Content-Type': `${TYPES[extension]}; charset=utf-8`, 'Cache-Control': 'no-store' }).end(file);
}

// { origin, server }. `onsound` gets the bytes of a WAV.
export async function serve(port = 0, onsound = () => {}) {
  const server = createServer((request, response) => {
    answer(request, response, onsound).catch(() => response.writeHead(404).end());
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, server };
}
