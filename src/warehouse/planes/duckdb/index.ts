export { type DuckdbPlaneOptions, duckdbPlane } from './plane.ts';
