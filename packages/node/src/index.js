export { ControlError } from './control.js';
export { FindingsError, NoConnectionError } from './findings.js';
export { bundleHome, programPath } from './home.js';
export { JournalTimeout } from './journal.js';
export { attachMock, startMock } from './mock.js';
export { sharedMock, withOjin } from './shared.js';
