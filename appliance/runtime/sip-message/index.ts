/** Public face of SIP messages of applications. */
export type { CommandQueue, QueueTopic } from './queue-face.ts';
export { SipMessageDesk } from './sip-message-desk.ts';
