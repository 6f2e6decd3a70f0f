import type { CommissionChecks, DrainProgress, WipeReport } from '#shared/contract/feed/index.ts';
import { DRAIN_STEPS } from '#shared/contract/feed/index.ts';
import type { SiteOperation } from '#shared/contract/site/index.ts';
import type { OperationRow, OperationState, OperationType } from '../../store/index.ts';
import type { LifecycleState } from './lifecycle.ts';

export type Step = Readonly<Record<string, unknown>>;
type StepState = 'waiting' | 'running' | 'blocked' | 'done';

/**
 * Where an operation stands, from where its host stands; `isObeyed` = the host was heard obeying it.
 *
 *     pending ──heard──▶ running ◀──▶ blocked        done: the host is where the operation leads
 *        └──────────────────┴────────────┴─────────▶ failed: the host went elsewhere
 */
export function operationState(
  type: OperationType,
  { life, course }: LifecycleState,
  isObeyed: boolean,
): OperationState {
  const inProgress = isObeyed ? 'running' : 'pending';
  switch (type) {
    case 'commission':
      if (life === 'claimed') return 'pending';
      if (life !== 'commissioning') return life === 'active' ? 'done' : 'failed';
      return course.checks === 'failed' || course.overdue ? 'blocked' : inProgress;
    case 'drain':
      if (life !== 'draining') return life === 'drained' ? 'done' : 'failed';
      return course.blocked === null ? inProgress : 'blocked';
    case 'undrain':
      if (life !== 'active') return 'failed';
      return isObeyed ? 'done' : 'pending';
    case 'decommission':
      if (life === 'draining') return course.blocked === null ? inProgress : 'blocked';
      if (life !== 'decommissioning') return life === 'decommissioned' ? 'done' : 'failed';
      return inProgress;
  }
}

const step = (name: string, state: StepState, facts: object = {}): Step => ({ step: name, state, ...facts });

/** Steps as they stand before the host has said anything. */
export function firstSteps(type: OperationType, { life }: LifecycleState): Step[] {
  const drain = DRAIN_STEPS.filter((name) => name !== 'done').map((name) => step(name, 'waiting'));
  switch (type) {
    case 'commission':
      return [step('checks', 'waiting'), step('configuration', 'waiting')];
    case 'drain':
      return drain;
    case 'undrain':
      return [step('serve', 'waiting')];
    case 'decommission':
      return life === 'draining' ? [...drain, step('wipe', 'waiting')] : [step('wipe', 'waiting')];
  }
}

/** Everything there was to do is done. */
export const endedSteps = (steps: readonly Step[]): Step[] =>
  steps.map((each) => ({ ...each, state: 'done' }));

function replaced(steps: readonly Step[], name: string, state: StepState, facts: object = {}): Step[] {
  const next = { step: name, state, ...facts };
  return steps.some((each) => each.step === name)
    ? steps.map((each) => (each.step === name ? next : each))
    : [...steps, next];
}

export const stepsOfChecks = (steps: readonly Step[], { checks }: CommissionChecks): Step[] =>
  replaced(steps, 'checks', checks.every(({ ok }) => ok) ? 'done' : 'blocked', { checks });

export const stepsOfConfiguration = (steps: readonly Step[]): Step[] =>
  replaced(steps, 'configuration', 'done');

export const stepsOfWipe = (steps: readonly Step[], { wiped, left }: WipeReport): Step[] =>
  replaced(steps, 'wipe', 'done', { wiped, left });

/** Earlier steps are done, later ones wait; the numbers stand beside the step they belong to. */
export function stepsOfDrain(steps: readonly Step[], report: DrainProgress): Step[] {
  const { services, calls, lanes, vip, blocked } = report;
  const facts: Record<string, object> = {
    services: { services, ...(vip === undefined ? {} : { vip }) },
    calls: { calls },
    flush: { lanes },
  };
  const at = DRAIN_STEPS.indexOf(report.step);
  let next = [...steps];
  for (const [index, name] of DRAIN_STEPS.entries()) {
    if (name === 'done') continue;
    const stepState =
      index < at ? 'done' : index > at ? 'waiting' : blocked === undefined ? 'running' : 'blocked';
    const why = index === at && blocked !== undefined ? { blocked } : {};
    next = replaced(next, name, stepState, { ...facts[name], ...why });
  }
  return next;
}

export const shownOperation = (row: OperationRow): SiteOperation => ({
  operationId: row.id,
  type: row.type,
  siteId: row.siteId,
  hostId: row.hostId,
  state: row.state,
  steps: row.steps,
  ...(row.reason === null || row.reason === '' ? {} : { reason: row.reason }),
  ...(row.deadline === null ? {} : { deadline: row.deadline }),
  createdAt: row.createdAt,
  ...(row.endedAt === null ? {} : { endedAt: row.endedAt }),
});
