/** Vitest's globalSetup: one mock for all workers. */
export default function setup(): Promise<(() => Promise<void>) | undefined>;
