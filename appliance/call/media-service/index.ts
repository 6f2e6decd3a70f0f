/** Public face of media services at work, and of what user agents share with them. */

export {
  type AudioRoutes,
  EVENT_TYPE,
  type FarEnd,
  familyOf,
  newKeys,
  type Settled,
  settle,
} from './far-end.ts';
export { type CallbackOrigin, MediaCallbacks } from './media-callbacks.ts';
export { MediaServices } from './media-services.ts';
export { type PartyInput, PartyLeg } from './party-leg.ts';
export { isAddress, userOf } from './wording/dial-words.ts';
