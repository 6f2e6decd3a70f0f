export { answerAuthorize } from './authorize-page.ts';
export {
  deviceTokenReader,
  type SiteSigner,
  siteSigner,
  temporarySiteKey,
  type VerifiedToken,
} from './device-token.ts';
export { type DoorSetting, Doors } from './doors.ts';
export { verifyPassword } from './password.ts';
