// Options by name: one that does not exist would otherwise change nothing, and nobody would see it.
export const BEHAVIOUR = ['quirks', 'script', 'fault', 'card', 'family', 'profile', 'key', 'config', 'seed'];
export const OF_A_TEST = [...BEHAVIOUR, 'findings', 'expectConnection', 'settle', 'mock'];
export const OF_A_MOCK = [
  ...BEHAVIOUR, 'port', 'listen', 'size', 'speed', 'tls', 'workers', 'queue', 'args', 'env', 'home', 'readyTimeout', 'onLog',
];

/** A TypeError when `given` has a name that is not among `known`. */
export function optionsCheck(given, known) {
  const wrong = Object.keys(given).find((name) => !known.includes(name));
  if (wrong !== undefined) throw new TypeError(`ojin-tools: there is no option ${wrong}; expected ${known.join(', ')}`);
}
