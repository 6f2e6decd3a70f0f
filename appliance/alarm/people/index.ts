export { ListTests } from './list-tests.ts';
export { PeopleOfAlarms } from './people-calls.ts';
