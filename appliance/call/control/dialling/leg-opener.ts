import type { KernelPorts } from '../../../kernel/port.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import { answerChallenge, type Hash } from '../../../sip/auth/index.ts';
import type { SessionSettings } from '../../../sip/dialog/index.ts';
import { type Flow, hostOf } from '../../../sip/endpoint/index.ts';
import type { SipResponse } from '../../../sip/message/index.ts';
import { type Fields, fromAddress, keptSecret, type LegName } from '../../session/index.ts';
import type { ActiveCall } from '../active-call/active-call.ts';
import type { LegTable } from '../leg/leg-table.ts';
import type { SipLeg, SipLegUser } from '../leg/sip-leg.ts';
import type { CallPlan } from '../leg/sip-leg-port.ts';
import type { LegPolicy } from '../leg-media/leg-media.ts';
import type { CallOrigin } from '../target/call-origin.ts';
import { isInside, MOST_INSIDE_HOPS } from '../target/inside-line.ts';
import type { CallTarget } from '../target/target-resolver.ts';

type Ports = KernelPorts & TenantPorts;

/** Methods we take within a dialog. */
export const CALL_METHODS: readonly string[] = [
  'INVITE',
  'ACK',
  'BYE',
  'CANCEL',
  'OPTIONS',
  'INFO',
  'UPDATE',
  'PRACK',
  'REFER',
  'NOTIFY',
  'MESSAGE',
];

export interface LegOpenerDependencies {
  readonly legs: LegTable;
  readonly hash: Hash;
  /** Host and port of our Contact towards a flow; `isPrivate`: in the private network by which the peer is reached. */
  readonly contactAt: (flow: Flow, isPrivate?: boolean) => string;
}

/** The leg to open: a leg of a call that came, or of one we send to `target`. */
export interface WantedLeg {
  readonly name: LegName;
  readonly flow: Flow;
  readonly policy: LegPolicy;
  readonly near?: LegName;
  readonly follows?: boolean;
  readonly target?: CallTarget;
  readonly contact?: CallOrigin['contact'];
}

/**
 * `Chosen:` a trunk that has not responded in this time to an INVITE with more than an offer, by UDP at last, gets it without the
 * rest, ms. A trunk sends 100 within 0.2 s (RFC 3261 17.2.1).
 */
const WITH_OPTIONAL_MS = 3_000;

/** RFC 3261 17.1.1.1; sessions are refreshed every 15 minutes (RFC 4028 4 recommends 1,800 s). */
const SETTINGS = {
  allow: CALL_METHODS,
  timer: { expiresS: 1_800, minSeS: 90 },
  t1Ms: 500,
  t2Ms: 4_000,
  reliableProvisional: true,
} as const;

/** Opens legs with what is ours in them: Contact, address, timers, and the INVITE that a target gets. */
export class LegOpener {
  readonly #ports: Ports;
  readonly #dependencies: LegOpenerDependencies;

  constructor(ports: Ports, dependencies: LegOpenerDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
  }

  open({ target, contact, ...plan }: WantedLeg, user: SipLegUser): SipLeg {
    const { flow } = plan;
    const contactAt = this.#dependencies.contactAt(flow, plan.policy.useVPNConnection);
    const transport = flow.transport === 'UDP' ? '' : `;transport=${flow.transport.toLowerCase()}`;
    const settings: SessionSettings = {
      ...SETTINGS,
      contact: `<sip:carillon${contact?.user ?? ''}@${contactAt}${transport}>${contact?.field ?? ''}`,
    };
    // Where SIP finds us audio does too: an address of the peer's own family, and one that can be reached.
    const address = isInside(flow) ? flow.localAddress : hostOf(contactAt);
    const answerChallenge = this.#proof(target);
    return this.#dependencies.legs.open({ ...plan, settings, address, answerChallenge }, user);
  }

  /** The INVITE of a call for a target, but for its offer. */
  planFor(call: ActiveCall, target: CallTarget): CallPlan {
    const { random, place, tenant } = this.#ports;
    const origin = call.shown;
    const { hidden } = origin;
    // A trunk belongs to the circle of trust: it gets the identity and keeps it to itself (RFC 3325 5, 9.3).
    const passed = call.fieldsFor(target);
    const fields = hidden && target.trusted ? keptSecret(passed) : passed;
    const asserted: Fields =
      target.trusted && !origin.trusted
        ? [['P-Asserted-Identity', fromAddress({ ...origin, host: tenant().domain }, false)]]
        : [];
    return {
      target: target.uri,
      localAddress: fromAddress(origin, hidden),
      remoteAddress: `<${origin.to ?? target.to}>`,
      localTag: hex(random(8)),
      callId: `${hex(random(12))}@${place.address}`,
      cseq: 1,
      routes: target.routes,
      headers: [
        ['Max-Forwards', String(hopsOf(origin.hopsLeft - 1, target))],
        ...fields,
        ...asserted,
        ...(target.headers ?? []),
      ],
      ...(target.beside && { beside: target.beside }),
      ...(target.optional && { optional: target.optional, responseWithinMs: WITH_OPTIONAL_MS }),
      ...(target.responseWithinMs && { responseWithinMs: target.responseWithinMs }),
    };
  }

  /** Answers challenges with the password of the target's trunk. */
  #proof(target: CallTarget | undefined) {
    const login = target?.login;
    if (login === undefined) return undefined;
    return (response: SipResponse, uri: string, method = 'INVITE') => {
      const use = { cnonce: hex(this.#ports.random(8)), count: 1 };
      const field = answerChallenge(this.#dependencies.hash, response, login, { method, uri }, use);
      return field.ok ? field.value : undefined;
    };
  }
}

const hopsOf = (left: number, { inside }: CallTarget): number =>
  Math.max(0, inside ? Math.min(left, MOST_INSIDE_HOPS) : left);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
