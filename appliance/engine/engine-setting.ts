import type { AddressPolicy } from '#shared/matching/index.ts';
import type { AesCbc } from '../alarm/protocol/dc09/index.ts';
import type { FrameProtocol, MessageProtocol } from '../alarm/protocol/index.ts';
import type { FrameCaller } from '../alarm/sending/index.ts';
import type { InviteRates } from '../call/control/index.ts';
import type { Connect } from '../call/trunk/index.ts';
import type { Outbox } from '../delivery/outbox/index.ts';
import type { UnknownUnitRates } from '../delivery/stranger-budget.ts';
import type { VerifyToken } from '../registration/directory.ts';
import type { AuthCrypto } from '../sip/auth/index.ts';
import type { Flow } from '../sip/endpoint/index.ts';
import type { Lookup } from '../sip/location/index.ts';

/** The dependencies that composition hands to the loop. */
export interface EngineOptions {
  readonly outbox: Outbox;
  readonly crypto: AuthCrypto;
  /** For encrypted DC-09 frames. */
  readonly aesCbc: AesCbc;
  /** Carries DC-09 frames to receivers. */
  readonly frames?: FrameCaller;
  /** Protocols of messages that are spoken here; absent: all of the registry. */
  readonly messageProtocols?: readonly MessageProtocol[];
  /** Protocols of frames beside DC-09; absent: all of the registry. */
  readonly frameProtocols?: readonly FrameProtocol[];
  readonly send: (flow: Flow, bytes: Buffer) => void;
  /** Opens a flow to a place that `lookup` led to, or takes the one that is open. */
  readonly connect: Connect;
  readonly lookup: Lookup;
  /**
   * Host and port of our Contact towards a flow: where requests find us. `isPrivate`: the peer is reached by a private network
   * (`useVPNConnection`), so that the address is ours in there, whatever this host is known by.
   */
  readonly contactAt: (flow: Flow, isPrivate?: boolean) => string;
  /** For bearer tokens of phones on WebSocket. */
  readonly verifyToken: VerifyToken;
  /** Host and port that Via shows for a flow. */
  readonly sentBy?: (flow: Flow) => string;
  /** Where audio of cloud SIP user agents may go; without it to public addresses only. */
  readonly audioPolicy?: AddressPolicy;
  /**
   * The address at which an application at this one finds our audio; undefined: this host has none of that family. Without it the
   * one it is known by, for its own family.
   */
  readonly audioTowards?: (remote: string) => string | undefined;
  /** New calls that may begin; absent: the usual. */
  readonly inviteRate?: InviteRates | 'off' | undefined;
  /** Alarms of unknown units that are taken; absent: the usual. */
  readonly unknownUnitRate?: UnknownUnitRates | 'off' | undefined;
  /** False while the journal is known to be down: alarms get 503 and the device tries its next receiver. */
  readonly canStore: () => boolean;
}

/** The present load, for health and metrics. */
export interface EngineLoad {
  readonly alarms: number;
  readonly alarmsLastHour: number;
  readonly registrations: number;
  readonly supervised: number;
  readonly transactions: number;
  readonly calls: number;
  /** Peers of all calls. */
  readonly legs: number;
  /** Events on their way to receivers, and calls with those who have taken them. */
  readonly sendings: number;
}
