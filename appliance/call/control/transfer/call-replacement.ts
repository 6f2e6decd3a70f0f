import type { KernelPorts } from '../../../kernel/port.ts';
import type { SessionTrace, TraceSink } from '../../../kernel/session-trace.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import type { LegName } from '../../session/index.ts';
import type { ActiveCall } from '../active-call/active-call.ts';
import { begun } from '../active-call/arrival.ts';
import type { CallArrival } from '../active-call/call-arrival.ts';
import type { WantedLeg } from '../dialling/leg-opener.ts';
import type { LegTable } from '../leg/leg-table.ts';
import type { SipLeg } from '../leg/sip-leg.ts';
import { readReplaces } from './replaces.ts';

type Ports = KernelPorts & TenantPorts;

/** The part of the calls that it needs. */
export interface CallReplacementDependencies {
  readonly pages: TraceSink;
  readonly legs: LegTable;
  readonly callOf: (leg: LegName) => ActiveCall | undefined;
  readonly open: (wanted: WantedLeg) => SipLeg;
  /** A call of its own, as long as its audio is made ready; then `ready`. */
  readonly begin: (
    id: string,
    leg: SipLeg,
    arrival: CallArrival,
    trace: SessionTrace,
    ready: () => void,
  ) => ActiveCall;
  /** The call came to nothing, or its leg went to another one. */
  readonly over: (call: ActiveCall) => void;
  readonly moved: (leg: LegName, call: ActiveCall) => void;
}

interface Found {
  readonly call: ActiveCall;
  readonly replaced: LegName;
}

type Wanted = Found | { readonly status: number; readonly text: string };

/**
 * INVITE with Replaces (RFC 3891 3): who calls takes the place of a peer of ours, in a call that runs or in one that still
 * rings (pick-up). Chosen: devices of the tenant alone may, because whoever knows a dialog's names is not yet its owner.
 */
export class CallReplacement {
  readonly #ports: Ports;
  readonly #dependencies: CallReplacementDependencies;

  constructor(ports: Ports, dependencies: CallReplacementDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
  }

  /** False: an INVITE like any other. */
  takes(arrival: CallArrival): boolean {
    const { request, server, flow, caller } = arrival;
    const fields = request.headers('Replaces');
    if (fields.length === 0) return false;
    const { id, trace, refuse } = begun(this.#ports, this.#dependencies.pages, arrival);
    const wanted = this.#find(request, caller.kind === 'device');
    if ('status' in wanted) {
      refuse(wanted.status, wanted.text);
      return true;
    }
    const { policy } = wanted.call.plan;
    const device = caller.kind === 'device' ? this.#ports.tenant().byId(caller.deviceId) : undefined;
    trace.add('note', { text: `it takes the place of ${wanted.replaced} in the call ${wanted.call.id}` });
    const leg = this.#dependencies.open({
      name: `${id}.1`,
      flow,
      policy: { ...policy, srtp: device?.srtp ?? policy.srtp },
      follows: false,
      near: wanted.call.session.party || wanted.replaced,
    });
    this.#dependencies.legs.invited(server, leg);
    const call = this.#dependencies.begin(id, leg, arrival, trace, () => this.#join(call, leg, request));
    if (!leg.arrive(request, server)) this.#dependencies.over(call);
    return true;
  }

  /** Its audio is ready; meanwhile the one it is to replace may have left. */
  #join(own: ActiveCall, leg: SipLeg, request: SipRequest): void {
    const wanted = this.#find(request, true);
    if ('status' in wanted) {
      own.input({ kind: 'refuse', ...wanted });
      return;
    }
    own.remove(leg.name);
    this.#dependencies.over(own);
    wanted.call.add(leg);
    this.#dependencies.moved(leg.name, wanted.call);
    wanted.call.input({ kind: 'replace', leg: leg.name, replaced: wanted.replaced });
  }

  #find(request: SipRequest, isDevice: boolean): Wanted {
    const fields = request.headers('Replaces');
    const [field = ''] = fields;
    const named = fields.length === 1 && !field.includes(',') ? readReplaces(field) : undefined;
    if (named === undefined || request.header('Join') !== undefined)
      return { status: 400, text: 'Replaces must name one dialog by call-id, to-tag and from-tag' };
    if (!isDevice) return { status: 403, text: 'only a device of this tenant may take the place of another' };
    const leg = this.#dependencies.legs.byDialog(named.key);
    const call = leg && this.#dependencies.callOf(leg.name);
    if (leg === undefined) return { status: 481, text: 'no dialog here has these names' };
    if (leg.state === 'over' || call === undefined) return { status: 603, text: 'that dialog is over' };
    const { session } = call;
    if (named.earlyOnly && leg.state === 'up')
      return { status: 486, text: 'that call was answered, and early-only was asked for' };
    // An early dialog that another party has begun cannot be taken over: its caller waits for us.
    const rings = session.ringing.includes(leg.name);
    if (!rings && leg.state !== 'up') return { status: 481, text: 'that dialog waits for an answer of ours' };
    return { call, replaced: leg.name };
  }
}
