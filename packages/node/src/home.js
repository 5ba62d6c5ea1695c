// Where the programs are: the bundle, a folder with bin/, lib/ and share/.
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OWN_BUNDLE = fileURLToPath(new URL('../bundle/', import.meta.url));

/** The folder of the bundle: `home`, else OJIN_TOOLS_HOME, else the one that this package carries. */
export function bundleHome(home) {
  return home ?? (process.env.OJIN_TOOLS_HOME || OWN_BUNDLE);
}

/** The path of one of the programs; an Error that says where it was looked for. */
export function programPath(name, home) {
  const path = join(bundleHome(home), 'bin', name);
  if (!existsSync(path)) {
    throw new Error(
      `ojin-tools: the program ${name} is missing: there is no ${path}. ` +
        'OJIN_TOOLS_HOME or the option home names the folder that has it in bin/',
    );
  }
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new Error(`ojin-tools: the program ${name} cannot be run: ${path} is not executable (chmod +x)`);
  }
  return path;
}
