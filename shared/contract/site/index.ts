export * from './claim.ts';
export * from './enrolment.ts';
export { fingerprintText } from './key-fingerprint.ts';
export * from './key-statement.ts';
export * from './life.ts';
export * from './maintenance.ts';
export * from './platform.ts';
export * from './site.ts';
export * from './stream.ts';
