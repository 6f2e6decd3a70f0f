import { SCAIP_PROFILE } from '../alarm/protocol/scaip/index.ts';
import { CALL_METHODS } from '../call/control/index.ts';
import { METADATA_REQUEST, RECORDING_METADATA } from '../call/siprec/index.ts';
import { DTMF, DTMF_RELAY } from '../sip/dialog/index.ts';
import type { Capability } from '../sip/endpoint/index.ts';
import type { SipRequest } from '../sip/message/index.ts';
import { ICE_FRAGMENT, SDP } from '../sip/sdp/index.ts';
import type { Cordon } from '../site/host/site-cordon.ts';

const RETRY_AFTER_S = 5;

/**
 * The SIP capabilities of this appliance: one object refuses by them and answers OPTIONS with them. While the journal cannot be
 * written an alarm is refused at once (503), and the device goes to its next receiver. A host that is being drained refuses
 * what its cordon refuses.
 */
export const capability = (canStore: () => boolean, cordon?: Cordon<SipRequest>): Capability => ({
  methods: ['REGISTER', ...CALL_METHODS],
  accept: [
    ...SCAIP_PROFILE.contentTypesAccepted,
    'text/plain',
    'application/json',
    SDP,
    'multipart/mixed',
    DTMF_RELAY,
    DTMF,
    'message/sipfrag',
    RECORDING_METADATA,
    METADATA_REQUEST,
    ICE_FRAGMENT,
  ],
  // Profiles say which types their alarms come in: the bridge of a MESSAGE judges its content. The content of an INFO is a
  // matter of its dialog (RFC 6086 4.2.2).
  takesAnyType: ({ method }) => method === 'MESSAGE' || method === 'INFO',
  encodings: ['deflate', 'gzip'],
  // An alarm that a gateway has unpacked, or labelled wrongly, is read as it is.
  takesAnyEncoding: ({ method, body }) => method === 'MESSAGE' && isXml(body),
  supported: ['path', 'outbound', '100rel', 'replaces', 'timer', 'siprec', 'trickle-ice'],
  busyForS: (request) =>
    request.method === 'MESSAGE' && !canStore() ? RETRY_AFTER_S : cordon?.refusesForS(request),
});

/** Whether a body begins as XML does; white space and marks of its encoding may stand before. */
function isXml(body: Uint8Array): boolean {
  const at = body.indexOf(0x3c);
  return at >= 0 && at < 8;
}
