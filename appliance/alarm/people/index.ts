export { PeopleOfAlarms } from './people-calls.ts';
