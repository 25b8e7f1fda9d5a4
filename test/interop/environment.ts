import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { chromium } from './chromium.ts';
import { openServiceHost } from './services/host.ts';
import { pythonEnvironment } from './services/python.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The Python that has PyIceberg. */
    python: string;
    /** The browser that opens the plan's page. */
    chromium: string;
    /** The socket on which tests ask for services. */
    services: string;
    /** A folder of this run in which services and tests put tables. */
    data: string;
  }
}

/**
 * Makes PyIceberg's environment, finds or installs Chromium, and opens the host that starts services when
 * the first test asks; stops them when the run ends.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('python', join(await pythonEnvironment('pyiceberg'), 'bin', 'python'));
  project.provide('chromium', chromium());
  const host = await openServiceHost();
  project.provide('services', host.socket);
  project.provide('data', host.data);
  return () => host.close({ failed: project.vitest.state.getCountOfFailedTests() > 0 });
}
