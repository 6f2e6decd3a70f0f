/** Public face of SIP messages of applications. */

export { MessageAttempt, type MessageOutcome } from './message-attempt.ts';
export { SipMessages } from './sip-messages.ts';
