export { readCsv } from './read-csv.ts';
