import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed, run } from './install.ts';

/** The folder of a Python environment that holds exactly what a file of `services/python/` lists; made once. */
export async function pythonEnvironment(name: string): Promise<string> {
  const requirements = fileURLToPath(new URL(`python/${name}.txt`, import.meta.url));
  return installed({
    name,
    recipe: readFileSync(requirements, 'utf8'),
    install: async (folder) => {
      const remedy = 'Python 3.10 to 3.13 with venv is needed (`apt-get install python3-venv`).';
      await run('python3', ['-m', 'venv', folder], { remedy });
      const pip = ['-m', 'pip', '--quiet', '--disable-pip-version-check'];
      const python = join(folder, 'bin', 'python');
      await run(python, [...pip, 'install', '--no-compile', '--no-deps', '-r', requirements]);
      await run(python, [...pip, 'check']);
    },
  });
}
