import type { AlarmProtocol } from '#shared/contract/provisioning/index.ts';
import type { SessionOpening, SessionTrace } from '../../kernel/session-trace.ts';
import type { Origin } from '../protocol/repeat/index.ts';
import type { ReceiverBridge } from '../receiver/index.ts';

/** How an alarm came. */
export interface Arrival {
  readonly protocol: AlarmProtocol;
  readonly bridge: ReceiverBridge;
  readonly fromUser: string;
  readonly calledParty: string;
  readonly sourceIp: string;
  /** Identity that its sender has proved by a secret; absent: it only claims to be the device. */
  readonly proof?: string;
  /** Deviations of the message itself that were tolerated; absent: none. */
  readonly warnings?: readonly string[];
  readonly trace: SessionTrace;
}

/** The receiver of an alarm as traces name it, with the rule that picked it. */
export const matchedReceiver = (bridge: ReceiverBridge) => ({
  alarmBridgeId: bridge.id,
  name: bridge.name,
  protocol: bridge.protocol,
  rule: ruleOf(bridge),
});

/** The bridge in the record of an alarm; undefined: it was removed before a restart. */
export const receiverFacts = (
  bridge: ReceiverBridge | undefined,
): Pick<SessionOpening, 'receiver' | 'receiverName' | 'rule'> =>
  bridge === undefined ? {} : { receiver: bridge.id, receiverName: bridge.name, rule: ruleOf(bridge) };

const ruleOf = ({ destinationMatch }: ReceiverBridge): string | undefined =>
  destinationMatch === undefined ? undefined : `destinationMatch ${destinationMatch}`;

/** The marks that distinguish a repeat from a new report. */
export const originOf = ({ sourceIp, proof }: Pick<Arrival, 'sourceIp' | 'proof'>): Origin => ({
  address: sourceIp,
  ...(proof !== undefined && { proof }),
});
