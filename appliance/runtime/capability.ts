import { SCAIP_PROFILE } from '../alarm/protocol/scaip/index.ts';
import type { Capability } from '../sip/endpoint/index.ts';

const RETRY_AFTER_S = 5;

/**
 * What this appliance does over SIP: one object refuses by it and answers OPTIONS with it. While the journal cannot
 * be written an alarm is told so at once (503), and the device goes to its next receiver.
 */
export const capability = (canStore: () => boolean): Capability => ({
  methods: ['OPTIONS', 'REGISTER', 'MESSAGE', 'CANCEL', 'ACK'],
  accept: [...SCAIP_PROFILE.contentTypesAccepted, 'text/plain', 'application/json'],
  encodings: ['deflate'],
  supported: ['path', 'outbound'],
  busyForS: (request) => (request.method === 'MESSAGE' && !canStore() ? RETRY_AFTER_S : undefined),
});
