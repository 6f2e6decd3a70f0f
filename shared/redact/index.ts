export { redact, redactLine, redactLines, redactValue } from './redact.ts';
