import type { SipResponse } from '../../sip/message/index.ts';
import type { Attempt } from '../../sip/trunk/index.ts';
import type { CallInput, LegName, Unreached } from '../session/index.ts';
import type { ActiveCall } from './active-call/active-call.ts';
import { attemptOf } from './active-call/call-event.ts';
import type { RedirectFollower } from './dialling/redirect-follower.ts';
import type { SipLeg, SipLegUser } from './leg/sip-leg.ts';
import type { InDialogRequests } from './transfer/in-dialog-requests.ts';

interface LegEventDependencies {
  readonly callOf: (leg: LegName) => ActiveCall | undefined;
  readonly redirects: RedirectFollower;
  readonly inDialog: InDialogRequests;
  /** The audio of a caller is there. */
  readonly ready: (leg: LegName) => void;
  readonly over: (call: ActiveCall) => void;
}

/** The events of the legs, as inputs of their calls. */
export function legEventInputs({
  callOf,
  redirects,
  inDialog,
  ready,
  over,
}: LegEventDependencies): SipLegUser {
  const tell = (leg: SipLeg, input: CallInput): void => callOf(leg.name)?.input(input);
  /** True: another target may be tried. */
  const attempted = (leg: SipLeg, attempt: Attempt): boolean =>
    callOf(leg.name)?.target(leg.name)?.report(attempt) ?? false;
  const failed = (leg: SipLeg, { status, text }: Unreached, response?: SipResponse): void => {
    const call = callOf(leg.name);
    if (call === undefined) return;
    if (call.session.phase === 'Arrived' && call.session.party === leg.name) {
      // The caller was refused before anybody was called.
      call.trace.add('sipAnswered', { status, reason: text });
      over(call);
      return;
    }
    const another = attempted(leg, attemptOf(status, response));
    const target = call.target(leg.name);
    const others = target && response && redirects.groups(call, leg, target, response);
    const elsewhere = call.named(others ?? []);
    call.input({ kind: 'failed', leg: leg.name, status, text, another, elsewhere });
  };
  return {
    failed,
    ready: (leg) => ready(leg.name),
    progressed: (leg, status, early) => tell(leg, { kind: 'progressed', leg: leg.name, status, early }),
    answered: (leg) => {
      attempted(leg, { kind: 'answered', status: 200 });
      tell(leg, { kind: 'answered', leg: leg.name });
    },
    acknowledged: (leg) => tell(leg, { kind: 'acknowledged', leg: leg.name }),
    ended: (leg, cause, reason) =>
      tell(leg, { kind: 'ended', leg: leg.name, cause, ...(reason && { reason }) }),
    held: (leg, direction, by) => tell(leg, { kind: 'held', leg: leg.name, direction, by }),
    delivered: (leg, request, server) => inDialog.take(leg, request, server),
    replied: (leg, id, status) => inDialog.replied(leg, id, status),
    broken: (leg, status, text) => tell(leg, { kind: 'broken', leg: leg.name, status, text }),
    stranded: (leg, text) => callOf(leg.name)?.trace.add('note', { text: `${leg.name}: ${text}` }),
  };
}
