export { redact, redactValue } from './redact.ts';
