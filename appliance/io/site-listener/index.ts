export { answerAuthorize } from './authorize-page.ts';
export { bearerCrypto } from './customer-token.ts';
export {
  deviceTokenReader,
  type SiteSigner,
  siteSigner,
  temporarySiteKey,
  type VerifiedToken,
} from './device-token.ts';
export { figureText, namedFigures } from './figure-text.ts';
export { answerHealth, type HealthInfo } from './health-page.ts';
export { verifyPassword } from './password.ts';
export type { RecordPage, RecordPart, ShownPart } from './record-page.ts';
export type { RecordingPage } from './recording-page.ts';
export { type SecureListenerSetting, SecureListeners } from './secure-listeners.ts';
export { type SiteKeys, siteKeys } from './site-key.ts';
export { sitePages } from './site-page.ts';
export { type AccessTools, TechnicianAccess } from './technician-access.ts';
export { withActs } from './technician-act.ts';
export {
  type TechnicianClaim,
  type TechnicianOperations,
  type TechnicianOutcome,
  technicianPages,
} from './technician-page.ts';
