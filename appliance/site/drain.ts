import type { DrainProgress, Life } from '#shared/contract/feed/index.ts';

/**
 * A host on its way out of service, and back (control plane 6).
 *
 *            twin draining        a place for the services,        no call        lanes flushed,
 *                                 the VIP elsewhere                 left           or at a peer
 *   serving ──────────▶ cordon ─────▶ services ─────────▶ calls ─────────▶ flush ─────────▶ done
 *      ▲                                                    │ deadline and force:              │
 *      │                                                    ▼ ordinary calls are ended         │
 *      └── twin active, from anywhere ◀────────────────────────────────────────────────────────┘
 *
 * A cordoned host answers OPTIONS and new ordinary dialogs with 503 and takes alarms; a closed one (`done`, `drained`)
 * takes nothing. After the deadline the report names everything that a step waits for as `blocked`, and no step is passed over.
 * The order is in the twin, which is kept on the disk: a drained host stays so over a reboot.
 */
export interface DrainState {
  readonly at: 'serving' | DrainProgress['step'];
  readonly op: string | null;
  readonly doNotReschedule: boolean;
  readonly force: boolean;
  /** Epoch ms. */
  readonly deadline: number | null;
  readonly callsEnded: boolean;
  /** The last report, without numbers; and its time, monotonic ms. */
  readonly reported:
    | { readonly picture: string; readonly numbers: string; readonly atMs: number }
    | undefined;
  /** Progress as of the last look. */
  readonly progress: DrainProgress | undefined;
}

/** The present state of the engines and of the link to the peers. */
export interface DrainInfo {
  /** Names of the services of this host. */
  readonly services: readonly string[];
  readonly calls: DrainProgress['calls'];
  /** Rows that neither the receiver nor a peer has. */
  readonly lanes: DrainProgress['lanes'];
  /** Host that could serve in our place: healthy, its configuration loaded, itself not drained. */
  readonly target: string | undefined;
  /** hostId of the host that takes each service, null: no host may; absent: the leader of the site has not said yet. */
  readonly places: Readonly<Record<string, string | null>>;
  /** There are other hosts in the site, even if none can be reached. */
  readonly hasPeers: boolean;
  /** hostId of who holds the VIP; undefined = the site has none. */
  readonly vip: string | undefined;
  readonly hostId: string;
}

export type DrainInput =
  | {
      readonly kind: 'twin';
      readonly life: Life;
      readonly op: string | null;
      readonly doNotReschedule: boolean;
      readonly force: boolean;
      readonly deadline: number | null;
    }
  /** Every second while draining. */
  | { readonly kind: 'look'; readonly facts: DrainInfo; readonly wallMs: number; readonly atMs: number };

export type Admittance = 'open' | 'cordoned' | 'closed';

export type DrainEffect =
  | { readonly kind: 'admit'; readonly admittance: Admittance }
  | { readonly kind: 'endOrdinaryCalls' }
  /** Nothing is left: services may be ended. */
  | { readonly kind: 'pauseServices' }
  | { readonly kind: 'resumeServices' }
  | { readonly kind: 'report'; readonly progress: DrainProgress };

export interface DrainStep {
  readonly state: DrainState;
  readonly effects: readonly DrainEffect[];
}

const NUMBERS_EVERY_MS = 10_000;

export const serving: DrainState = {
  at: 'serving',
  op: null,
  doNotReschedule: false,
  force: false,
  deadline: null,
  callsEnded: false,
  reported: undefined,
  progress: undefined,
};

/** True while the machine wants to be asked to look. */
export const isDraining = ({ at }: DrainState): boolean => at !== 'serving' && at !== 'done';

export function stepDrain(state: DrainState, input: DrainInput): DrainStep {
  return input.kind === 'twin' ? ordered(state, input) : looked(state, input);
}

function ordered(state: DrainState, twin: Extract<DrainInput, { kind: 'twin' }>): DrainStep {
  const { op, doNotReschedule, force, deadline, life } = twin;
  const request = { op, doNotReschedule, force, deadline };
  if (life === 'drained' || life === 'decommissioned') {
    if (state.at === 'done') return { state: { ...state, ...request }, effects: [] };
    return {
      state: { ...serving, ...request, at: 'done' },
      effects: [{ kind: 'admit', admittance: 'closed' }, { kind: 'pauseServices' }],
    };
  }
  if (life !== 'draining') {
    if (state.at === 'serving') return { state, effects: [] };
    return {
      state: serving,
      effects: [
        ...(state.at === 'done' ? [{ kind: 'resumeServices' } as const] : []),
        { kind: 'admit', admittance: 'open' },
      ],
    };
  }
  // The same drain again changes its requests; another one begins at the start, and does not have the progress of the old one.
  if (state.at !== 'serving' && state.op === op) return { state: { ...state, ...request }, effects: [] };
  const back = state.at === 'done' ? ([{ kind: 'resumeServices' }] as const) : [];
  return {
    state: { ...serving, ...request, at: 'cordon' },
    effects: [...back, { kind: 'admit', admittance: 'cordoned' }],
  };
}

function looked(
  state: DrainState,
  { facts, wallMs, atMs }: Extract<DrainInput, { kind: 'look' }>,
): DrainStep {
  if (!isDraining(state)) return { state, effects: [] };
  const effects: DrainEffect[] = [];
  let { at, callsEnded } = state;
  const late = state.deadline !== null && wallMs >= state.deadline;
  // Each step may be over at once: an idle host is drained by one look.
  if (at === 'cordon') at = 'services';
  if (at === 'services' && servicesReady(state, facts)) at = 'calls';
  if (at === 'calls' && late && state.force && !callsEnded && facts.calls.ordinary > 0) {
    callsEnded = true;
    effects.push({ kind: 'endOrdinaryCalls' });
  }
  if (at === 'calls' && facts.calls.ordinary === 0 && facts.calls.alarm === 0) at = 'flush';
  if (at === 'flush' && facts.lanes.alarm === 0 && facts.lanes.svc === 0) {
    at = 'done';
    // First nothing new, then nothing at all: an alarm that came in between would be lost with its service.
    effects.push({ kind: 'admit', admittance: 'closed' }, { kind: 'pauseServices' });
  }
  const progress = progressOf({ ...state, at }, facts, late);
  const reported = toReport(state, progress, atMs);
  if (reported !== undefined) effects.push({ kind: 'report', progress });
  return { state: { ...state, at, callsEnded, progress, reported: reported ?? state.reported }, effects };
}

/** Each service has its place, or none shall have one; alarms are taken here until a peer owns the VIP. */
function servicesReady({ doNotReschedule }: DrainState, facts: DrainInfo): boolean {
  const { target, vip, hostId, hasPeers, services, places } = facts;
  if (target === undefined) return doNotReschedule;
  if (!doNotReschedule && services.some((name) => typeof places[name] !== 'string')) return false;
  return vip === undefined || vip !== hostId || (doNotReschedule && !hasPeers);
}

function progressOf(state: DrainState, facts: DrainInfo, late: boolean): DrainProgress {
  const { at } = state;
  const step = at === 'serving' ? 'cordon' : at;
  const blocked = blockedBy(state, facts, late);
  return {
    op: state.op,
    step,
    services: facts.services.map((name) => serviceOf(name, state, facts)),
    calls: facts.calls,
    lanes: facts.lanes,
    ...(facts.vip !== undefined && { vip: facts.vip }),
    ...(blocked !== undefined && { blocked }),
  };
}

function serviceOf(name: string, { at, doNotReschedule }: DrainState, { places }: DrainInfo) {
  const to = places[name] ?? undefined;
  const past = at !== 'cordon' && at !== 'services' && at !== 'serving';
  if (doNotReschedule) return { name, state: past ? ('paused' as const) : ('assigned' as const) };
  if (to === undefined) return { name, state: at === 'done' ? ('stopped' as const) : ('assigned' as const) };
  if (at === 'done') return { name, state: 'moved' as const, to };
  return { name, state: past ? ('ready' as const) : ('moving' as const), to };
}

function blockedBy(
  { at, doNotReschedule }: DrainState,
  facts: DrainInfo,
  late: boolean,
): DrainProgress['blocked'] {
  if (at === 'services' && facts.target === undefined && !doNotReschedule) {
    return facts.hasPeers
      ? { code: 'peerUnreachable', message: 'the other hosts of the site cannot be reached' }
      : { code: 'noCapacity', message: 'no other host of the site can take the services' };
  }
  const nowhere = facts.services.filter((name) => facts.places[name] === null);
  if (at === 'services' && nowhere.length > 0 && !doNotReschedule) {
    const names = nowhere.join(', ');
    return {
      code: 'noCapacity',
      message: `no other host may take ${names}: their labels (svc=…), free memory or health do not allow it`,
    };
  }
  if (!late) return undefined;
  if (at === 'services')
    return { code: 'vipHere', message: 'no other host has taken over the address of the site' };
  if (at === 'calls' && facts.calls.ordinary > 0) {
    return {
      code: 'callsLeft',
      message: `${facts.calls.ordinary} calls go on; drain with force to end them`,
    };
  }
  if (at === 'calls') {
    return {
      code: 'alarmCallsLeft',
      message: `${facts.calls.alarm} alarm calls go on; they are never ended`,
    };
  }
  if (at === 'flush') {
    const rows = facts.lanes.alarm + facts.lanes.svc;
    return { code: 'lanesLeft', message: `${rows} events wait for their receivers or for the cloud` };
  }
  return undefined;
}

/** At every change of step, service or reason, and of the numbers at most every 10 s. */
function toReport({ reported }: DrainState, progress: DrainProgress, atMs: number): DrainState['reported'] {
  const { calls, lanes, blocked, ...rest } = progress;
  const picture = JSON.stringify({ ...rest, blocked: blocked?.code });
  const numbers = JSON.stringify({ calls, lanes });
  if (reported !== undefined && reported.picture === picture) {
    if (reported.numbers === numbers || atMs - reported.atMs < NUMBERS_EVERY_MS) return undefined;
  }
  return { picture, numbers, atMs };
}
