import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { Lifecycle } from '../../store/index.ts';

/**
 * Intent for a host (control plane, section 6); what is observed of it and its conditions are other axes.
 *
 *                 commission              checks passed and ACK          drain                    done
 *     claimed ────────────────▶ commissioning ────────────▶ active ─────────────▶ draining ─────────────▶ drained
 *        │ reject                    │                       │  ▲ ◀── commission ────┴──────────────────────┘ │
 *        ▼                           │                       │                       │ done, leaving           │
 *     rejected                       │ remove                │ remove, offline       ▼                         │
 *        claimed ──remove──▶ decommissioned ◀──wiped, 30 d── decommissioning ◀───────────────── remove ────────┘
 *
 *     all but decommissioned ── lock ──▶ quarantined ── release ──▶ claimed (new enrolment)
 *                                              └── remove ──▶ decommissioning
 */
export interface LifecycleState {
  readonly life: Lifecycle;
  readonly course: Course;
}

/** Where a host stands within its state. */
export interface Course {
  /** For a commissioning: the last result of the checks, and whether the first configuration works. */
  readonly checks: 'waiting' | 'passed' | 'failed';
  readonly acknowledged: boolean;
  /** It has taken longer than 30 min. */
  readonly overdue: boolean;
  readonly drain: DrainOrder | null;
  /** The drain is the first part of a decommissioning. */
  readonly leaving: boolean;
  readonly blocked: Blocked | null;
}

export interface DrainOrder {
  readonly doNotReschedule: boolean;
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly force: boolean;
  readonly reason: string;
}

export interface Blocked {
  readonly code: string;
  readonly message: string;
}

export type LifecycleInput =
  | { readonly kind: 'commission' }
  | { readonly kind: 'reject' }
  | { readonly kind: 'checks'; readonly passed: boolean }
  /** The configuration works; `checked` = the host reports checks, so that they are waited for. */
  | { readonly kind: 'acknowledged'; readonly checked: boolean }
  | { readonly kind: 'overdue' }
  | { readonly kind: 'drain'; readonly order: DrainOrder; readonly lastHost: boolean }
  | { readonly kind: 'progress'; readonly done: boolean; readonly blocked: Blocked | null }
  | { readonly kind: 'deadline' }
  | {
      readonly kind: 'remove';
      readonly reachable: boolean;
      readonly lastHost: boolean;
      readonly force: boolean;
      readonly order: DrainOrder;
    }
  | { readonly kind: 'wiped' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'lock' }
  | { readonly kind: 'release' };

export type LifecycleTrigger = LifecycleInput['kind'];

/** Fails with `conflict`, or with `lastHost`: nothing has changed. */
export type LifecycleStep = Result<LifecycleState, Failure<'conflict' | 'lastHost'>>;

export const freshCourse: Course = {
  checks: 'waiting',
  acknowledged: false,
  overdue: false,
  drain: null,
  leaving: false,
  blocked: null,
};

type Of<T extends LifecycleTrigger> = Extract<LifecycleInput, { readonly kind: T }>;
type Cell<T extends LifecycleTrigger> = (state: LifecycleState, input: Of<T>) => LifecycleStep;
type Row<T extends LifecycleTrigger> = { readonly [L in Lifecycle]: Cell<T> };

export const stepLifecycle = (state: LifecycleState, input: LifecycleInput): LifecycleStep =>
  (TABLE[input.kind][state.life] as Cell<LifecycleTrigger>)(state, input);

const to = (life: Lifecycle, course: Partial<Course> = {}): LifecycleStep =>
  ok({ life, course: { ...freshCourse, ...course } });
const enter = (life: Lifecycle) => (): LifecycleStep => to(life);
const within = ({ life, course }: LifecycleState, set: Partial<Course>): LifecycleStep =>
  ok({ life, course: { ...course, ...set } });

/** The same request again, or a report that says nothing new here. The text is the reason, for whoever reads the table. */
const stays =
  (_why: string) =>
  (state: LifecycleState): LifecycleStep =>
    ok(state);
const refused = (reason: string) => (): LifecycleStep => fail('conflict', reason);

const whenDecommissioned = refused(
  'The request is refused: the host is decommissioned. Enrol the machine again.',
);
const turnedAway = refused(
  'The request is refused: the machine was rejected. Create a new claim code for it.',
);
const leaves = refused(
  'The request is refused: the host is being decommissioned, and a decommission cannot be stopped. Wait until it has ended.',
);
const locked = refused('The request is refused: the host is quarantined. Release it and enrol it again.');
const notYet = refused(
  'The request is refused: the host is not in service yet. Commission it, or decommission it.',
);
const isHost = refused('The request is refused: the machine is a host already. Decommission it instead.');

const LAST_HOST =
  'The request is refused: no other host of the site can take alarms now, so the site would take none.';

/** Checks and configuration together make a host active. */
function arrival(state: LifecycleState, set: Partial<Course>, checked = true): LifecycleStep {
  const course = { ...state.course, ...set };
  const passed = course.checks === 'passed' || !checked;
  return passed && course.acknowledged ? to('active') : ok({ ...state, course });
}

const startDrain: Cell<'drain'> = (_, { order, lastHost }) =>
  lastHost && !(order.doNotReschedule && order.force)
    ? fail('lastHost', `${LAST_HOST} Send doNotReschedule "true" and force to drain it anyway.`)
    : to('draining', { drain: order });

const startRemoval: Cell<'remove'> = (_, { reachable, lastHost, force, order }) => {
  if (lastHost && !force)
    return fail('lastHost', `${LAST_HOST} Add ?force=true&reason=… to remove it anyway.`);
  // The peers have its work already when it is away.
  return reachable ? to('draining', { drain: alone(order, lastHost), leaving: true }) : to('decommissioning');
};

/** No other host can take the work of the last one: it ends here, and the drain does not wait for it. */
const alone = (order: DrainOrder, lastHost: boolean): DrainOrder =>
  lastHost ? { ...order, doNotReschedule: true } : order;

/** A drain that was to be a removal, or becomes one: the same drain goes on. */
const removeDraining: Cell<'remove'> = (state, input) => {
  // Its peer may have left since: force removes the wait.
  if (state.course.leaving && input.reachable && !(input.force && input.lastHost)) return ok(state);
  const next = startRemoval(state, input);
  return next.ok && next.value.life === 'draining'
    ? within(state, { leaving: true, drain: alone(state.course.drain ?? input.order, input.lastHost) })
    : next;
};

const report: Cell<'progress'> = (state, { done, blocked }) => {
  if (!done) return within(state, { blocked });
  return to(state.course.leaving ? 'decommissioning' : 'drained');
};

const passDeadline: Cell<'deadline'> = (state) => {
  const { drain, blocked } = state.course;
  // With force the host ends ordinary calls by itself; alarm calls may still hold it.
  if (drain === null || drain.force || blocked !== null) return ok(state);
  const message =
    'The drain is not finished: the deadline has passed and the host still serves. Wait, send force, or undrain.';
  return within(state, { blocked: { code: 'deadline', message } });
};

const notCommissioning = stays('the host is not being commissioned');
const notDraining = stays('no drain is running');
const notLeaving = stays('the host is not being wiped');

/** Every trigger in every state. */
const TABLE: { readonly [T in LifecycleTrigger]: Row<T> } = {
  commission: {
    claimed: enter('commissioning'),
    commissioning: stays('it is running'),
    active: stays('the host is in service, and the network fields are applied'),
    draining: enter('active'),
    drained: enter('active'),
    decommissioning: leaves,
    decommissioned: whenDecommissioned,
    rejected: turnedAway,
    quarantined: locked,
  },
  reject: {
    claimed: enter('rejected'),
    commissioning: isHost,
    active: isHost,
    draining: isHost,
    drained: isHost,
    decommissioning: leaves,
    decommissioned: whenDecommissioned,
    rejected: stays('the host is rejected'),
    quarantined: isHost,
  },
  checks: {
    claimed: notCommissioning,
    commissioning: (state, { passed }) => arrival(state, { checks: passed ? 'passed' : 'failed' }),
    active: notCommissioning,
    draining: notCommissioning,
    drained: notCommissioning,
    decommissioning: notCommissioning,
    decommissioned: notCommissioning,
    rejected: notCommissioning,
    quarantined: notCommissioning,
  },
  acknowledged: {
    claimed: notCommissioning,
    commissioning: (state, { checked }) => arrival(state, { acknowledged: true }, checked),
    active: notCommissioning,
    draining: notCommissioning,
    drained: notCommissioning,
    decommissioning: notCommissioning,
    decommissioned: notCommissioning,
    rejected: notCommissioning,
    quarantined: notCommissioning,
  },
  overdue: {
    claimed: notCommissioning,
    commissioning: (state) => within(state, { overdue: true }),
    active: notCommissioning,
    draining: notCommissioning,
    drained: notCommissioning,
    decommissioning: notCommissioning,
    decommissioned: notCommissioning,
    rejected: notCommissioning,
    quarantined: notCommissioning,
  },
  drain: {
    claimed: notYet,
    commissioning: notYet,
    active: startDrain,
    // The same operation with the newest request, so that force can be added to a drain that is blocked.
    draining: (state, { order }) => within(state, { drain: order }),
    drained: stays('the host is drained'),
    decommissioning: leaves,
    decommissioned: whenDecommissioned,
    rejected: turnedAway,
    quarantined: locked,
  },
  progress: {
    claimed: notDraining,
    commissioning: notDraining,
    active: notDraining,
    draining: report,
    drained: notDraining,
    decommissioning: notDraining,
    decommissioned: notDraining,
    rejected: notDraining,
    quarantined: notDraining,
  },
  deadline: {
    claimed: notDraining,
    commissioning: notDraining,
    active: notDraining,
    draining: passDeadline,
    drained: notDraining,
    decommissioning: notDraining,
    decommissioned: notDraining,
    rejected: notDraining,
    quarantined: notDraining,
  },
  remove: {
    claimed: enter('decommissioned'),
    commissioning: enter('decommissioned'),
    active: startRemoval,
    draining: removeDraining,
    drained: enter('decommissioning'),
    decommissioning: stays('it is running'),
    decommissioned: stays('the decommission is done'),
    rejected: turnedAway,
    quarantined: enter('decommissioning'),
  },
  wiped: {
    claimed: notLeaving,
    commissioning: notLeaving,
    active: notLeaving,
    draining: notLeaving,
    drained: notLeaving,
    decommissioning: enter('decommissioned'),
    decommissioned: notLeaving,
    rejected: notLeaving,
    quarantined: notLeaving,
  },
  expired: {
    claimed: notLeaving,
    commissioning: notLeaving,
    active: notLeaving,
    draining: notLeaving,
    drained: notLeaving,
    decommissioning: enter('decommissioned'),
    decommissioned: notLeaving,
    rejected: notLeaving,
    quarantined: notLeaving,
  },
  lock: {
    claimed: enter('quarantined'),
    commissioning: enter('quarantined'),
    active: enter('quarantined'),
    draining: enter('quarantined'),
    drained: enter('quarantined'),
    decommissioning: enter('quarantined'),
    decommissioned: whenDecommissioned,
    rejected: enter('quarantined'),
    quarantined: stays('the host is quarantined'),
  },
  release: {
    claimed: stays('the host waits for its new enrolment'),
    commissioning: refused(
      'The request is refused: the host is not quarantined. Refresh the host for its state.',
    ),
    active: refused('The request is refused: the host is not quarantined. Refresh the host for its state.'),
    draining: refused('The request is refused: the host is not quarantined. Refresh the host for its state.'),
    drained: refused('The request is refused: the host is not quarantined. Refresh the host for its state.'),
    decommissioning: leaves,
    decommissioned: whenDecommissioned,
    rejected: turnedAway,
    quarantined: enter('claimed'),
  },
};
