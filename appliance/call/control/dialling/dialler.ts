import type { LegName } from '../../session/index.ts';
import type { ActiveCall } from '../active-call/active-call.ts';
import type { LegTable } from '../leg/leg-table.ts';
import type { SipLegUser } from '../leg/sip-leg.ts';
import type { CallRouter } from '../target/call-router.ts';
import type { CallTarget } from '../target/target-resolver.ts';
import type { LegOpener } from './leg-opener.ts';
import { type Onward, peerAt } from './onward.ts';
import type { RedirectFollower } from './redirect-follower.ts';

interface DiallerParts {
  readonly legs: LegTable;
  readonly opener: LegOpener;
  readonly onward: Onward;
  readonly redirects: RedirectFollower;
  readonly router: CallRouter;
  /** A leg belongs to this call. */
  readonly moved: (leg: LegName, call: ActiveCall) => void;
  readonly turn: (work: () => void) => void;
  readonly user: SipLegUser;
}

/** Calls the targets of calls: finds the way to each, opens its leg and sends its INVITE. */
export class Dialler {
  readonly #parts: DiallerParts;

  constructor(parts: DiallerParts) {
    this.#parts = parts;
  }

  async dial(call: ActiveCall, name: LegName, target: CallTarget): Promise<void> {
    const { turn, legs, opener, onward, redirects, router, moved, user } = this.#parts;
    const flow = await target.flow();
    // Meanwhile the attempt may have been given up.
    turn(() => {
      if (!call.session.ringing.includes(name)) return;
      if (!flow.ok) {
        const text = `${target.uri} cannot be reached: ${flow.error.reason}`;
        call.trace.add('note', { text });
        // A device that cannot be found is away.
        const status = target.deviceId === undefined ? 503 : 480;
        const another = target.report({ kind: 'unreachable' });
        call.input({ kind: 'failed', leg: name, status, text, another });
        return;
      }
      // Or a leg of the media engine that is no leg of a call.
      const joined = call.findNear();
      const near = legs.firstOf(call.session.party, joined) ?? joined;
      const { contact } = call.origin;
      const leg = opener.open(
        {
          name,
          flow: flow.value,
          policy: target.policy,
          follows: target.follows,
          target,
          ...(near !== undefined && { near }),
          ...(contact && { contact }),
        },
        user,
      );
      call.add(leg);
      moved(name, call);
      onward.met(leg, peerAt(target, router));
      redirects.dialled(call, target);
      const plan = opener.planFor(call, target);
      const { uri, trunkId } = target;
      const text = `INVITE ${uri} as ${name}`;
      call.trace.add('note', { text, callId: plan.callId, ...(trunkId !== undefined && { trunkId }) });
      leg.call(plan);
    });
  }
}
