import type { AlarmProtocol } from '#shared/contract/provisioning/index.ts';
import type { CallbackCall } from '../../delivery/callback/index.ts';
import type { JournalWrite, OutboxRow } from '../../delivery/outbox/index.ts';
import type { SessionTrace } from '../../kernel/session-trace.ts';
import type { EventName, Withdrawal } from '../protocol/index.ts';
import type { ReceiverBridge } from '../receiver/index.ts';
import type { AlarmSession } from '../session/index.ts';
import type { Forward } from './alarm-forward.ts';
import type { ProtocolAdapter } from './protocol-adapter.ts';

/** The data of an alarm besides its events; plain JSON, stored with the session. */
export interface AlarmInfo {
  readonly sessionId: string;
  readonly traceId: string;
  readonly bridgeId: string;
  readonly protocol: AlarmProtocol;
  readonly customerSiteId: string | undefined;
  /** User part of From. */
  readonly sipFrom: string;
  /** User part of the request URI. */
  readonly calledParty: string;
  readonly sourceIp: string;
  /** Identity that its sender has proved by a secret; absent: it only claims to be the device. */
  readonly proof?: string;
  /** Session that reported the same before, from another source. */
  readonly possibleRepeatOf?: string;
  /** Provisioned device; undefined = an unknown unit. */
  readonly deviceId: string | undefined;
  /** It has the share of this host that unknown units have; absent: a known device. */
  readonly unknownUnit?: true;
  readonly createdMs: number;
  /** Id of its record; absent: `recordIdOf` traceId and createdMs. */
  readonly recordId?: string;
  /** Times that a program has taken it up again; absent: never. */
  readonly restarts?: number;
  /** Word of the destination for a device type that the receive list does not have. */
  readonly unknownDeviceType?: string;
}

/** A callback that waits for its event to be stored. */
export interface PreparedCallback {
  readonly row: OutboxRow;
  readonly call: CallbackCall;
}

/** One alarm session and the conversation with its device, while they run. */
export interface ActiveAlarm {
  readonly conversation: string;
  readonly front: ProtocolAdapter;
  readonly facts: AlarmInfo;
  readonly trace: SessionTrace;
  session: AlarmSession;
  /** By ordinal; an event that the map drops has none. */
  readonly callbacks: Map<number, PreparedCallback>;
  /** Names that the device gives its events, by ordinal; until they are stored. */
  readonly names: Map<number, EventName>;
  /** The bridge as it was when the alarm came; undefined when a restart did not find it. */
  readonly bridge: ReceiverBridge | undefined;
  /** Events that go on to a receiver, by ordinal: their receiver is asked, and not the application. */
  readonly forwards: Map<number, Forward>;
  /** Rows whose live request was answered, to be written with the next commit. */
  settled: JournalWrite[];
  /** Records that tell of it, to be written with the next commit and sent behind it. */
  reports: OutboxRow[];
  /** States written so far, in all lives and on all hosts. */
  states: number;
  /** The event map of the bridge dropped its first event: no application got it. */
  dropped: boolean;
  /** Events that take back what the same unit has open elsewhere, by ordinal; until they are stored. */
  readonly withdrawals: Map<number, Withdrawal>;
  /** Something that a restart needs has changed since the last commit. */
  dirty: boolean;
}
