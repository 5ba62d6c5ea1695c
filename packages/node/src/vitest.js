// Vitest: a test with the fixture `ojin`, a scenario of its own.
import { test as base } from 'vitest';

import { scenarioBegin, scenarioEnd } from './shared.js';

/** A `test` whose fixture `ojin` is made with these options. */
export function ojinTest(options = {}) {
  return base.extend({
    ojin: async ({}, use) => {
      const scenario = await scenarioBegin(options);
      await use(scenario);
      await scenarioEnd(scenario, options);
    },
  });
}

export const test = ojinTest();
