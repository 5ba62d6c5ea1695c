// One connection of a client, on ws 8: what the clients of all families share.
//
// What happens is told to `observe`, a function of a word and members, as ojin-conform reads them.

import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { closeCanPass, readRetryAfterMs, statusCanPass } from './backoff.mjs';

const MAX_RECEIVED_BYTES = 16 * 1024 * 1024;
const OPEN_TIMEOUT_MS = 10000;
const CLOSE_TIMEOUT_MS = 2000;
const PING_MS = 30000;
const PONG_TIMEOUT_MS = 10000;
const POLL_MS = 10;

let authority; // of certificates, in place of those that Node trusts

export function trust(certificate) {
  authority = certificate;
}

export const now = () => performance.now();

// A family adds begin(), what it does with the connection, isPlayedOut(), receiveText() and receiveBinary(), and
// explain(): the sentence in the body of a refusal.
export class Connection {
  readyAt = null;
  opened = false;
  ending = false;
  closing = false;
  gone = false; // the connection
  over = false; // and all that came by it was played
  // for who wants to try again
  lasting = false; // another attempt would end the same
  toldWhy = false; // the server said what ends the connection: its close code says nothing more
  retryAfterMs = 0; // as the server asked

  constructor(url, headers, observe) {
    this.url = url;
    this.headers = headers;
    this.observe = observe;
  }

  get ready() {
    return this.readyAt !== null;
  }

  reportError(code, text) {
    this.observe('error', { code: String(code ?? '').slice(0, 60), text: String(text ?? '').slice(0, 500) });
  }

  // Waits for the condition, the end of the session or the timeout; true when it was the first.
  async until(condition, timeoutMs = Infinity) {
    const deadline = now() + timeoutMs;
    while (!condition()) {
      if (this.over || now() >= deadline) return false;
      await sleep(POLL_MS);
    }
    return true;
  }

  // From the handshake to the end of the connection.
  async run() {
    this.ws = new WebSocket(this.url, {
      headers: this.headers,
      ca: authority,
      maxPayload: MAX_RECEIVED_BYTES,
      perMessageDeflate: false, // neither sound nor JPEG shrinks
      handshakeTimeout: OPEN_TIMEOUT_MS,
    });
    this.ws.on('unexpected-response', (request, response) => this.receiveRefusal(request, response));
    this.ws.on('error', (error) => this.receiveFailure(error));
    this.ws.on('open', () => {
      this.opened = true;
      this.keepAlive();
      this.begin();
    });
    this.ws.on('message', (data, isBinary) => (isBinary ? this.receiveBinary(data) : this.receiveText(String(data))));
    this.ws.on('close', (code, reason) => this.receiveEnd(code, String(reason)));
    await this.until(() => this.gone);
    await this.until(() => this.isPlayedOut());
    this.over = true;
  }

  keepAlive() {
    let pongTimer;
    const pingTimer = setInterval(() => {
      this.ws.ping();
      pongTimer ??= setTimeout(() => {
        this.reportError('PONG_TIMEOUT', `no pong within ${PONG_TIMEOUT_MS / 1000} s`);
        this.ws.terminate();
      }, PONG_TIMEOUT_MS);
    }, PING_MS);
    const answered = () => {
      clearTimeout(pongTimer);
      pongTimer = undefined;
    };
    this.ws.on('pong', answered);
    this.ws.on('close', () => {
      clearInterval(pingTimer);
      answered();
    });
  }

  // Comes back once the message is on its way, so that nothing piles up when the server does not read.
  async send(message) {
    await new Promise((resolve) => this.ws.send(message, resolve)); // an error: 'close' reports it
  }

  async close() {
    this.closing = true;
    if (this.ws !== undefined && !this.gone) await this.hangUp();
  }

  async hangUp() {
    this.ws.close(1000);
    if (!(await this.until(() => this.gone, CLOSE_TIMEOUT_MS))) this.ws.terminate();
    await this.until(() => this.gone);
  }

  // ---- how it ends ----

  receiveEnd(code, reason) {
    if (this.gone) return;
    this.gone = true;
    if (!this.closing && !this.toldWhy && !closeCanPass(code)) this.lasting = true;
    this.observe('closed', { code, text: reason.slice(0, 100) });
  }

  receiveRefusal(request, response) {
    let body = '';
    response.on('data', (data) => (body = (body + data).slice(0, 65536)));
    response.on('close', () => {
      let message = body || `the handshake was refused with HTTP ${response.statusCode}`;
      try {
        message = this.explain(body) ?? message;
      } catch {
        // not JSON: the body as it is
      }
      this.reportError(response.statusCode, message);
      this.lasting = !statusCanPass(response.statusCode);
      this.retryAfterMs = readRetryAfterMs(response.headers['retry-after']);
      request.destroy();
      this.receiveEnd(1006, '');
    });
  }

  receiveFailure(error) {
    if (this.gone || this.closing) return;
    this.reportError(this.opened ? 'CONNECTION' : 'NO_CONNECTION', error.message || error.code);
    if (/CERT|ALTNAME|VERIFY/.test(error.code)) this.lasting = true; // a certificate does not get better
    if (!this.opened) this.receiveEnd(1006, '');
  }
}
