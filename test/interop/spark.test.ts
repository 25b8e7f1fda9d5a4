import { describe } from 'vitest';
import { PLANS } from './matrix/plan.ts';
import { matrixOf } from './matrix/suite.ts';

describe('Spark writes through a REST catalog', () => matrixOf(PLANS.spark));
describe('Spark writes into a folder', () => matrixOf(PLANS.folder));
