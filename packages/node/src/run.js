// The programs for npx: in place of this process as far as a child can be.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';

import { programPath } from './home.js';

const NOT_FOUND = 127;
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];

/** Runs a program of the bundle with these words, its streams and its signals; exits as it does. */
export function run(name, words) {
  let path;
  try {
    path = programPath(name);
  } catch (error) {
    console.error(error.message);
    process.exit(NOT_FOUND);
  }
  // Ctrl-C at a terminal reaches the child by itself; a second one would end it at once.
  const atTerminal = [0, 1, 2].some((fd) => isatty(fd));
  // Listened to before there is a child: a signal may come as soon as it has said that it is ready.
  process.on('SIGINT', () => atTerminal || child.kill('SIGINT'));
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  const child = spawn(path, words, { stdio: 'inherit' });
  child.on('error', (error) => {
    console.error(`ojin-tools: ${path} could not be started: ${error.message}`);
    process.exit(NOT_FOUND - 1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
