import type { AlarmProtocol } from '#shared/contract/provisioning/index.ts';
import type { SessionTrace } from '../../kernel/session-trace.ts';
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

/** The marks that distinguish a repeat from a new report. */
export const originOf = ({ sourceIp, proof }: Pick<Arrival, 'sourceIp' | 'proof'>): Origin => ({
  address: sourceIp,
  ...(proof !== undefined && { proof }),
});
