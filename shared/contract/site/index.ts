export * from './claim.ts';
export * from './enrolment.ts';
export * from './site.ts';
