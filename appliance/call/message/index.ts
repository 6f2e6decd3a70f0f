/** Public face of SIP messages of applications. */

export { MessageAttempt, type MessageOutcome } from './message-attempt.ts';
export { SipMessageDesk } from './sip-message-desk.ts';
