export { withOjin } from './index.js';
