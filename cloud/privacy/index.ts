export { privacyRound } from './job-round.ts';
export { createPrivacyJobs, type PrivacyDocument, type PrivacyJobs } from './privacy-jobs.ts';
export { expireData, type KeptDays } from './retention.ts';
