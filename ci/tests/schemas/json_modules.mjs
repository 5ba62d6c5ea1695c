// The parser of workflows imports JSON as bundlers allow it; Node wants it said: here a file of JSON is a module.
import { readFile } from 'node:fs/promises';

export async function load(url, context, next) {
    if (!url.endsWith('.json')) return next(url, context);
    return { format: 'module', shortCircuit: true, source: `export default ${await readFile(new URL(url), 'utf8')}` };
}
