/** Public face of dialogs: invitations we send, sessions we are in, and what travels inside them. */
export { openIncoming } from './called.ts';
export { type Content, type Dialog, dialogKey, keyOfDialog, keyOfRequest } from './dialog.ts';
export { type RequestFacts, type ResponseFacts, requestFacts, responseFacts } from './dialog-info.ts';
export { DTMF, DTMF_RELAY, type RelayedDigit, readDtmf, writeDtmfRelay } from './dtmf-relay.ts';
export {
  type Invitation,
  type InvitationEffect,
  type InvitationInput,
  type InvitationStep,
  type InvitePlan,
  invitation,
  invite,
} from './invitation.ts';
export { session } from './machine.ts';
export { SUPPORTED } from './outgoing.ts';
export {
  fragmentStatus,
  notified,
  type RefereeEffect,
  type RefereeInput,
  type ReferrerEffect,
  type ReferrerInput,
  type ReferState,
  type ReferStep,
  referee,
  referrer,
} from './refer.ts';
export type {
  EndCause,
  RequestRef,
  Server,
  Session,
  SessionChange,
  SessionEffect,
  SessionEvent,
  SessionInput,
  SessionSettings,
  SessionStep,
  SessionTimer,
} from './session.ts';
export type { TimerSettings } from './session-timer.ts';
