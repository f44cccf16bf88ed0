export { area } from '../area.js';
