import type { SessionTrace, TraceSink } from '../../../kernel/session-trace.ts';
import type { ReplicatedBridge } from '../../../replica/index.ts';
import type { Hash } from '../../../sip/auth/index.ts';
import type { Flow, SipEndpoint } from '../../../sip/endpoint/index.ts';
import type { Lookup } from '../../../sip/location/index.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import type { ApplicationKind, Caller, Route } from '../../route/index.ts';
import type { CallProgress, CallSetting, LegName } from '../../session/index.ts';
import type { CallOrigin } from '../target/call-origin.ts';
import type { CallRouter } from '../target/call-router.ts';
import type { DialPlan } from '../target/dial-plan.ts';
import type { FoundTargets, TargetResolverDependencies, Towards } from '../target/target-resolver.ts';
import type { ActiveCall } from './active-call.ts';

export interface CallControlDependencies extends TargetResolverDependencies {
  readonly endpoint: SipEndpoint;
  readonly lookup: Lookup;
  readonly pages: TraceSink;
  readonly router: CallRouter;
  readonly hash: Hash;
  readonly contactAt: (flow: Flow, isPrivate?: boolean) => string;
}

/** How a call that came in goes on; `ready` follows once the audio of its caller is there. */
export interface Beginning {
  readonly trace: SessionTrace;
  readonly ready: () => void;
  readonly setting?: Partial<CallSetting>;
  readonly bridge?: ReplicatedBridge | undefined;
}

/** A call to an alarm bridge, its audio open and no peer on the line yet. */
export interface ReceivedCall {
  readonly call: ActiveCall;
  readonly bridgeId: string;
  readonly request: SipRequest;
  readonly flow: Flow;
  readonly caller: Caller;
}

/** A call to a program of ours, its audio open and no peer on the line yet. */
export interface ApplicationCall extends Omit<ReceivedCall, 'bridgeId'> {
  readonly service: ApplicationKind;
  readonly id: string;
}

/** A call that is part of an alarm that waits for it. */
export interface Claim {
  readonly route: Route;
  /** The leg of the party that waits for it: their audio will be joined. */
  readonly near?: LegName | undefined;
  /** Addresses from which a caller without a secret is let in; absent: every address. */
  readonly onlyFrom?: readonly string[];
}

/** A call of our own: to a SIP address or number, or to targets that were looked up before. */
export interface PlacedCall {
  readonly destination: string;
  readonly found?: FoundTargets;
  readonly origin: CallOrigin;
  readonly plan: DialPlan;
  readonly trace: SessionTrace;
  /** Finds the leg beside whose audio its own is opened, as they will be joined; asked when the call is dialled. */
  readonly near?: () => LegName | undefined;
  /** For whoever is called: our password there, fields of the INVITE, what is said beside our offer. */
  readonly towards?: Towards;
  /** `keepsCaller`: whoever answered stays when others come and go. */
  readonly setting?: Partial<CallSetting>;
  readonly onProgress: (progress: CallProgress) => void;
}
