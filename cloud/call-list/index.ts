export { type CallListTestPort, CallListTests } from './list-tests.ts';
