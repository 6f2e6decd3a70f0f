/** Public face of authentication: who is it, and may it go on. */
export type { Account, Authorized, Directory, TokenHolder, TrunkAccount, TrunkClaim } from './account.ts';
export { answerChallenge, isStale } from './answer-challenge.ts';
export { type AuthCrypto, Authenticator, type AuthSettings, destinationOf } from './authenticator.ts';
export {
  authorize,
  type Challenge,
  chooseChallenge,
  type HeldLogin,
  type Login,
  type NonceUse,
} from './challenge.ts';
export type { AuthError, AuthErrorReason, Decision, Identity, Md5Alone } from './decision.ts';
export { type Algorithm, type Hash, ha1Of, type StoredHa1 } from './digest.ts';
export type { DigestPolicy } from './digest-offer.ts';
export { type RequestFacts, requestFacts } from './request-info.ts';
