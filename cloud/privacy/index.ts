export { expireData, type KeptDays } from './retention.ts';
