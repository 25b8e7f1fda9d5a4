import type { Plan, Unaccounted, Unmapped } from './plan.ts';

/** What nobody accounts for: the job refuses it by this code until it is mapped, declared or decided (rule L2b). */
export interface OpenGap {
  readonly code: 'unmapped' | 'unaccounted' | 'undeclared-reader';
  /** The table, the `namespace name` of a dataset, or the job. */
  readonly table: string;
  readonly reason: string;
  readonly remedy: string;
}

/** The gaps of a plan's lineage, each with what closes it. */
export function openGaps({
  unmapped,
  unaccounted,
}: Pick<Plan, 'unmapped' | 'unaccounted'>): readonly OpenGap[] {
  return [...unmapped.map(unmappedGap), ...unaccounted.map(unaccountedGap)];
}

function unmappedGap({ namespace, name, candidates }: Unmapped): OpenGap {
  const near = candidates.length === 0 ? '' : `; its name is near ${candidates.join(', ')}`;
  return {
    code: 'unmapped',
    table: `${namespace} ${name}`,
    reason: 'the lineage names this dataset, and it maps to no table',
    remedy: `Name its table under [datasets] in lineage.toml, or put it under [ignored] with a reason${near}`,
  };
}

function unaccountedGap({ name, kind, why }: Unaccounted): OpenGap {
  return kind === 'run'
    ? {
        code: 'undeclared-reader',
        table: name,
        reason: why,
        remedy:
          'Declare the job under [[readers]] in lineage.toml if it keeps nothing, or send the lineage of what it writes',
      }
    : {
        code: 'unaccounted',
        table: name,
        reason: why,
        remedy: 'Say under [sources] in lineage.toml who loads it, or send the lineage of the job that does',
      };
}
