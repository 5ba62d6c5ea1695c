// One mock for all tests of a process, and a scenario of it for each test.
import { FindingsError, judged, NoConnectionError } from './findings.js';
import { attachMock, startMock } from './mock.js';
import { BEHAVIOUR, OF_A_TEST, optionsCheck } from './options.js';

export const MOCK_VARIABLE = 'OJIN_TOOLS_MOCK';
const SETTLE_MS = 1_000;

let shared;

/** What OJIN_TOOLS_MOCK names (a control URL, or the JSON of mock.handle()); else a mock that is started once and ends with this process. */
export function sharedMock(options) {
  const given = process.env[MOCK_VARIABLE];
  shared ??= given ? attachMock(given.startsWith('{') ? JSON.parse(given) : given) : startMock({ size: '320x240', ...options });
  return shared;
}

/** A scenario for one test. */
export async function scenarioBegin({ mock, ...options } = {}) {
  optionsCheck(options, OF_A_TEST);
  const behaviour = Object.fromEntries(BEHAVIOUR.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));
  return (await sharedMock(mock)).scenario(behaviour);
}

/** After the test: throws a FindingsError when its client broke a requirement, a NoConnectionError when none connected. */
export async function scenarioEnd(scenario, { findings = true, expectConnection = true, settle = SETTLE_MS } = {}) {
  try {
    await scenario.settled({ timeout: settle });
    if (expectConnection && !(await scenario.asked())) throw new NoConnectionError(scenario.url);
    const found = judged(await scenario.findings(), findings);
    if (found.length > 0) throw new FindingsError(found);
  } finally {
    await scenario.remove();
  }
}

/** A test function for node:test, Mocha or Jest: `fn(ojin, ...whatTheFrameworkGives)` with a scenario of its own. */
export function withOjin(options, fn) {
  if (typeof options === 'function') return withOjin({}, options);
  return async (...given) => {
    const scenario = await scenarioBegin(options);
    let failed;
    try {
      await fn(scenario, ...given);
    } catch (error) {
      failed = { error };
    }
    try {
      await scenarioEnd(scenario, options);
    } catch (error) {
      failed = failed === undefined ? { error } : { error: both(failed.error, error) };
    }
    if (failed !== undefined) throw failed.error;
  };
}

/** The failure of the test, with the findings below it: they often are its cause. */
function both(error, findings) {
  if (!(error instanceof Error)) return error;
  error.message += `\n\n${findings.message}`;
  if (error.stack !== undefined) error.stack = `${error.name}: ${error.message}\n${error.stack.slice(error.stack.indexOf('\n    at ') + 1)}`;
  return error;
}
