export { createPrivacyJobs, type PrivacyDocument, type PrivacyJobs } from './job-desk.ts';
export { privacyRound } from './job-round.ts';
export { expireData, type KeptDays } from './retention.ts';
