export { count, counted } from '../../values/counted.ts';
