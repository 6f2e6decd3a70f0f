import type { Destination, DestinationMatcher } from './destination-matcher.ts';
import { PROTOCOL_FAMILY } from './protocol-family.ts';

/**
 * Kinds of what can reach a receiver. `scaip`, `nowip`, `lacs`: an alarm of that protocol in a SIP MESSAGE. `message`: any
 * other MESSAGE. `call`: a call that may hold an alarm in tones or speech. `strayCall`: a call that nothing else here takes.
 * `frame`: an alarm in a DC-09 frame. `event`: an alarm of `sendalarmevent`, by its `eventReceiver`.
 */
export const ARRIVAL_KINDS = [
  'scaip',
  'nowip',
  'lacs',
  'message',
  'call',
  'strayCall',
  'frame',
  'event',
] as const;

export type ArrivalKind = (typeof ARRIVAL_KINDS)[number];

/** The fields that the choice of a receiver reads besides its destination; every alarm bridge has it. */
export interface ReceiverFields {
  readonly protocol: string;
  readonly fallbackAlarmProtocol?: string | undefined;
  readonly alarmEventMapperId?: string | undefined;
  readonly callbackBaseUrl?: string | undefined;
}

export type Receiver = Destination & ReceiverFields;

/** Protocols of a receiver that leave the choice to the device or to what is heard. */
const CHOOSING: readonly string[] = ['deviceProvisioned', 'multiprotocol'];
const BY_MESSAGE: readonly string[] = PROTOCOL_FAMILY.sipMessage;
const BY_FRAME: readonly string[] = PROTOCOL_FAMILY.ipReceiver;
const NOW_IP: readonly string[] = ['nowip', 'nowipcontroller'];
/** An alarm of NOW-IP is a message and a call (BS 8521-2). */
const BY_CALL: readonly string[] = [...PROTOCOL_FAMILY.tone, ...PROTOCOL_FAMILY.voice, ...NOW_IP];

/** Whether a receiver of this protocol leaves the choice of the protocol to its devices. */
export const leavesChoice = ({ protocol }: Pick<ReceiverFields, 'protocol'>): boolean =>
  CHOOSING.includes(protocol);

/**
 * Whether a receiver can take what arrives. `deviceProtocol`: as the sending device is provisioned, where it is known.
 *
 * Chosen: two receivers never compete for what only one of them can take; what shadows what is said when it is provisioned,
 * and in testconfiguration. A receiver that cannot take an arrival is passed over, whatever its `order`.
 * Chosen: a pattern of a DC-09 receiver is about addresses of frames, so that it takes no SIP request, even where it names a
 * fallback. Every other receiver takes a stray call, which is the event by itself: a caller never ends in silence.
 */
export function takes(receiver: ReceiverFields, kind: ArrivalKind, deviceProtocol?: string): boolean {
  const { protocol, fallbackAlarmProtocol: fallback } = receiver;
  if (BY_FRAME.includes(protocol)) return kind === 'frame';
  switch (kind) {
    case 'scaip':
      return (
        protocol === 'scaip' ||
        leavesChoice(receiver) ||
        (fallback === 'scaip' && !BY_MESSAGE.includes(protocol))
      );
    case 'nowip':
      return NOW_IP.includes(protocol) || leavesChoice(receiver);
    case 'lacs':
      return protocol === 'lacs' || (protocol === 'deviceProvisioned' && deviceProtocol === 'lacs');
    case 'message':
      return protocol === 'api' && receiver.callbackBaseUrl !== undefined;
    case 'call':
      return BY_CALL.includes(protocol) || (fallback !== undefined && BY_CALL.includes(fallback));
    case 'strayCall':
      return true;
    case 'frame':
      return false;
    case 'event':
      return receiver.alarmEventMapperId !== undefined;
  }
}

/** More that the place which decides may know of an arrival. */
export interface ArrivalFacts<R> {
  /** Protocol that the sender is provisioned with, as this receiver knows its devices. */
  readonly deviceProtocol?: (receiver: R) => string | undefined;
  /** Whether the receiver can read what has come. */
  readonly reads?: (receiver: R) => boolean;
}

/** The receiver of an arrival: of those that match and can take it, the one of the lowest `order`, then the lowest id. */
export function receiverFor<R extends Receiver>(
  matcher: Pick<DestinationMatcher<R>, 'match'>,
  destination: string,
  kind: ArrivalKind,
  { deviceProtocol, reads }: ArrivalFacts<R> = {},
): R | undefined {
  return matcher.match(
    destination,
    (receiver) => takes(receiver, kind, deviceProtocol?.(receiver)) && reads?.(receiver) !== false,
  );
}
