import { localStorage } from '../../../../src/storage/index.ts';
import { duckdbPlane } from '../../../../src/warehouse/planes/duckdb/index.ts';
import { dataPlaneContract } from '../../../contracts/data-plane.ts';

dataPlaneContract({ name: 'DuckDB', open: () => duckdbPlane({ storage: localStorage() }) });
