/** Public face of media services at work, and of what user agents share with them. */
export { type CallbackOrigin, MediaCallbackDesk } from './callback-desk.ts';
export { isAddress, userOf } from './dial-words.ts';
export {
  type AudioWays,
  EVENT_TYPE,
  type FarEnd,
  familyOf,
  newKeys,
  type Settled,
  settle,
} from './far-end.ts';
export { MediaServiceDesk } from './media-service-desk.ts';
export { type PartyInput, PartyLeg } from './party-leg.ts';
