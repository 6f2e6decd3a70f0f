export {
  type AuthorizeDevice,
  type AuthorizedDevice,
  type AuthorizePort,
  createAuthorize,
} from './authorize.ts';
export {
  type AuthorizeRequest,
  authorizedAnswerSchema,
  authorizeRequestSchema,
  DEVICE_TOKEN_TYP,
  type DeviceTokenClaims,
} from './device-token.ts';
export {
  type BegunTry,
  begunTry,
  cameIn,
  LoginAttempts,
  type LoginTries,
  type LoginTry,
  type NameTries,
  NO_TRIES,
  type OnLocked,
  triesEndAt,
  type WrongTries,
} from './login-attempts.ts';
export { readDeviceToken } from './read-token.ts';
