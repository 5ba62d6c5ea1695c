export { withOjin } from './shared.js';
