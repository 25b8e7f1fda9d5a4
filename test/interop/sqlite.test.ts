import { describe } from 'vitest';
import { PLANS } from './matrix/plan.ts';
import { matrixOf } from './matrix/suite.ts';

describe('PyIceberg writes through a SQL catalog in SQLite', () => matrixOf(PLANS.sqlite));
