// Requests to the control interface of a mock.
import http from 'node:http';
import https from 'node:https';

/** What a mock refused, with the status and what it said (`line` and `column` where a script is wrong). */
export class ControlError extends Error {
  constructor(message, status, answer) {
    super(message);
    this.name = 'ControlError';
    this.status = status;
    if (answer?.line !== undefined) this.line = answer.line;
    if (answer?.column !== undefined) this.column = answer.column;
  }
}

function exchange(method, url, body, ca, timeout) {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, { method, agent: false, ca, timeout }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode, data: Buffer.concat(parts) }));
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeout} ms`)));
    request.on('error', reject);
    const text = body === undefined ? '' : JSON.stringify(body);
    if (method === 'POST') request.setHeader('Content-Length', Buffer.byteLength(text));
    request.end(text);
  });
}

/** A mock's control interface below one address: the mock's own, or that of a scenario. */
export class Control {
  /** `base` ends with "/"; `gone()` gives a sentence when the mock has ended, else undefined. */
  constructor(base, { ca, gone } = {}) {
    this.base = base;
    this.ca = ca;
    this.gone = gone;
  }

  below(base) {
    return new Control(base, this);
  }

  async raw(method, path, { query = {}, body, timeout = 10_000 } = {}) {
    const url = new URL(path, this.base);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    let answer;
    try {
      answer = await exchange(method, url, body, this.ca, timeout);
    } catch (error) {
      const gone = this.gone?.();
      throw new ControlError(gone ?? `the mock does not answer at ${url.href}: ${error.message}`);
    }
    if (answer.status < 400) return answer.data;
    let said;
    try {
      said = JSON.parse(answer.data);
    } catch {
      said = { error: answer.data.toString() };
    }
    throw new ControlError(`the mock refused ${method} ${url.pathname}: ${said.error}`, answer.status, said);
  }

  async ask(method, path, options) {
    return JSON.parse(await this.raw(method, path, options));
  }
}
