import { defineConfig } from 'vitest/config';

// One mock for all files and workers; each test has a scenario of its own.
export default defineConfig({ test: { globalSetup: ['ojin-tools/vitest-setup'], sequence: { concurrent: true } } });
