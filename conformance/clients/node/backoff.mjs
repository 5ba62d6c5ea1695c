// When to try again after a connection was lost or refused, and when not.

const FIRST_DELAY_MS = 500; // doubled with each attempt
const MAX_DELAY_MS = 30000;
const MAX_ASKED_MS = 300000; // a Retry-After beyond it is not waited for

// Unchanged, another attempt would end the same after any status but these, any close code but these (1000 is an end
// in good order), and after these codes of an errorResponse.
const CLOSE_CODES_THAT_PASS = [1001, 1006, 1011, 1012, 1013, 1014];
const LASTING_ERRORS = ['AUTH_FAILED', 'INVALID_HEADERS', 'MISSING_CONFIG_ID', 'MODEL_NOT_FOUND', 'UNAUTHORIZED'];

export const statusCanPass = (status) => [408, 425, 429].includes(status) || (status >= 500 && status !== 501);
export const closeCanPass = (code) => CLOSE_CODES_THAT_PASS.includes(code);
export const errorCanPass = (code) => !LASTING_ERRORS.includes(code);

// Counts attempts in a row. Only a session that held for a while begins the count anew, so a server that drops each
// one soon after it is ready is given up as well.
export class Backoff {
  attempts = 0;
  tried = 0;

  // Not less than the server asked for; null when it is time to give up.
  nextDelayMs(askedMs) {
    if (this.tried >= this.attempts || askedMs > MAX_ASKED_MS) return null;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** this.tried, MAX_DELAY_MS);
    const jitterMs = (Math.random() * delayMs) / 4; // so that clients lost together do not come back together
    this.tried++;
    return Math.max(delayMs + jitterMs, askedMs);
  }

  reset() {
    this.tried = 0;
  }
}

// Seconds, or a date; 0 for none and for one that cannot be read.
export function readRetryAfterMs(value) {
  if (value === undefined) return 0;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}
