// Vitest's globalSetup: one mock for all workers.
import { startMock } from './mock.js';
import { MOCK_VARIABLE } from './shared.js';

export default async function setup() {
  if (process.env[MOCK_VARIABLE]) return undefined;
  const mock = await startMock({ size: '320x240' });
  process.env[MOCK_VARIABLE] = JSON.stringify(mock.handle());
  return async () => {
    delete process.env[MOCK_VARIABLE];
    await mock.stop();
  };
}
