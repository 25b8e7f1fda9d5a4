export { duckdbPlane } from './plane.ts';
