import { afterAll, beforeAll, describe } from 'vitest';
import type { DataPlane } from '../../src/warehouse/data-plane.ts';
import { badFiles } from './data-plane/bad-files.ts';
import { changing } from './data-plane/changes.ts';
import { conditions } from './data-plane/conditions.ts';
import { deletes } from './data-plane/deletes.ts';
import { fixedBytes } from './data-plane/fixed.ts';
import { Laboratory } from './data-plane/laboratory.ts';
import { metrics } from './data-plane/metrics.ts';
import { changedSchemas } from './data-plane/schemas.ts';
import { writingAndReading } from './data-plane/values.ts';

/** A plane that works on files of this machine, by absolute path. */
export interface DataPlaneUnderTest {
  readonly name: string;
  open(): Promise<DataPlane>;
}

/**
 * What every data plane promises, whatever it is made of. Ground truth is the rows as the tests made them, kept beside the
 * plane in plain JavaScript.
 */
export function dataPlaneContract(subject: DataPlaneUnderTest): void {
  describe(`${subject.name} as a data plane`, () => {
    const lab = new Laboratory();
    beforeAll(async () => lab.open(await subject.open()));
    afterAll(() => lab.close());

    writingAndReading(lab);
    metrics(lab);
    changing(lab);
    conditions(lab);
    changedSchemas(lab);
    deletes(lab);
    fixedBytes(lab);
    badFiles(lab);
  });
}
