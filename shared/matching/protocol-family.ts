/**
 * Protocols of an alarm bridge by family: provisioning document 2.1, `rb2000` of the runtime document, and
 * beyond the documents `contactId` and `dc09`. A family is one variant of the response body.
 */
export const PROTOCOL_FAMILY = {
  /** An XML body in a SIP MESSAGE. */
  sipMessage: ['scaip', 'nowip', 'nowipcontroller', 'lacs'],
  /** Tones in a call. `multiprotocol` probes them; `deviceProvisioned` takes the protocol from the device. */
  tone: [
    'bs8521',
    'tt92',
    'ttnew',
    'rb2000',
    'p100',
    'cpc-antenna',
    'contactId',
    'multiprotocol',
    'deviceProvisioned',
  ],
  /** Framed messages over TCP or UDP. */
  ipReceiver: ['dc09'],
  /** Events arrive by `sendalarmevent`. */
  api: ['api'],
  /** A call is the event (`voicecall`), or is only routed (`call`). */
  voice: ['voicecall', 'call'],
} as const;
