import type { TestAPI } from 'vitest';
import type { Scenario, TestOptions } from './index.js';

/** A `test` of Vitest whose fixture `ojin` is a scenario made with these options. */
export function ojinTest(options?: TestOptions): TestAPI<{ ojin: Scenario }>;
export const test: TestAPI<{ ojin: Scenario }>;
