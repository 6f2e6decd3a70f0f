export { createPrivacyDesk, type PrivacyDesk, type PrivacyDocument } from './job-desk.ts';
export { privacyRound } from './job-round.ts';
export { expireData, type KeptDays } from './retention.ts';
