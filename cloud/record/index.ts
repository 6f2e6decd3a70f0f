export { RecordIntake } from './intake.ts';
