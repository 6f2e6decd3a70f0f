import { describe, expect, it } from 'vitest';
import {
  type Course,
  type DrainOrder,
  freshCourse,
  type LifecycleInput,
  type LifecycleState,
  type LifecycleTrigger,
  stepLifecycle,
} from '#cloud/site/index.ts';
import type { Lifecycle } from '#cloud/store/index.ts';

const ORDER: DrainOrder = { doNotReschedule: false, deadline: 5_000, force: false, reason: '' };
const PAUSE: DrainOrder = { ...ORDER, doNotReschedule: true, force: true };
const BLOCKED = { code: 'noCapacity', message: 'No host takes sip.' };

/** Each input in the walk over the table, where no condition refuses it. */
const PLAIN: { readonly [T in LifecycleTrigger]: LifecycleInput } = {
  commission: { kind: 'commission' },
  reject: { kind: 'reject' },
  checks: { kind: 'checks', passed: true },
  acknowledged: { kind: 'acknowledged', checked: true },
  overdue: { kind: 'overdue' },
  drain: { kind: 'drain', order: ORDER, lastHost: false },
  progress: { kind: 'progress', done: true, blocked: null },
  deadline: { kind: 'deadline' },
  remove: { kind: 'remove', reachable: true, lastHost: false, force: false, order: ORDER },
  wiped: { kind: 'wiped' },
  expired: { kind: 'expired' },
  lock: { kind: 'lock' },
  release: { kind: 'release' },
};

/** A state that is missing here does not compile. */
const ORDINAL: { readonly [L in Lifecycle]: number } = {
  claimed: 0,
  commissioning: 1,
  active: 2,
  draining: 3,
  drained: 4,
  decommissioning: 5,
  decommissioned: 6,
  rejected: 7,
  quarantined: 8,
};
const STATES = Object.keys(ORDINAL) as Lifecycle[];

/** In the order of `STATES`: `=` nothing changes, `~` only the course, `!` refused; else the state it leads to. */
const WALK: { readonly [T in LifecycleTrigger]: readonly string[] } = {
  commission: ['commissioning', '=', '=', 'active', 'active', '!', '!', '!', '!'],
  reject: ['rejected', '!', '!', '!', '!', '!', '!', '=', '!'],
  checks: ['=', '~', '=', '=', '=', '=', '=', '=', '='],
  acknowledged: ['=', '~', '=', '=', '=', '=', '=', '=', '='],
  overdue: ['=', '~', '=', '=', '=', '=', '=', '=', '='],
  drain: ['!', '!', 'draining', '=', '=', '!', '!', '!', '!'],
  progress: ['=', '=', '=', 'drained', '=', '=', '=', '=', '='],
  deadline: ['=', '=', '=', '~', '=', '=', '=', '=', '='],
  remove: [
    'decommissioned',
    'decommissioned',
    'draining',
    '~',
    'decommissioning',
    '=',
    '=',
    '!',
    'decommissioning',
  ],
  wiped: ['=', '=', '=', '=', '=', 'decommissioned', '=', '=', '='],
  expired: ['=', '=', '=', '=', '=', 'decommissioned', '=', '=', '='],
  lock: [
    'quarantined',
    'quarantined',
    'quarantined',
    'quarantined',
    'quarantined',
    'quarantined',
    '!',
    'quarantined',
    '=',
  ],
  release: ['=', '!', '!', '!', '!', '!', '!', '!', 'claimed'],
};

/** The same for requests whose outcome depends on another axis or on the other hosts: a host that is away, the last one. */
const FURTHER: readonly (readonly [string, LifecycleInput, readonly string[]])[] = [
  [
    'remove, of one that is away',
    { kind: 'remove', reachable: false, lastHost: false, force: false, order: ORDER },
    [
      'decommissioned',
      'decommissioned',
      'decommissioning',
      'decommissioning',
      'decommissioning',
      '=',
      '=',
      '!',
      'decommissioning',
    ],
  ],
  [
    'remove, of the last host',
    { kind: 'remove', reachable: true, lastHost: true, force: false, order: ORDER },
    ['decommissioned', 'decommissioned', '!', '!', 'decommissioning', '=', '=', '!', 'decommissioning'],
  ],
  [
    'drain, of the last host',
    { kind: 'drain', order: ORDER, lastHost: true },
    ['!', '!', '!', '=', '=', '!', '!', '!', '!'],
  ],
  [
    'drain, of the last host by force',
    { kind: 'drain', order: PAUSE, lastHost: true },
    ['!', '!', 'draining', '~', '=', '!', '!', '!', '!'],
  ],
  [
    'progress, blocked',
    { kind: 'progress', done: false, blocked: BLOCKED },
    ['=', '=', '=', '~', '=', '=', '=', '=', '='],
  ],
];

const at = (life: Lifecycle, course: Partial<Course> = {}): LifecycleState => ({
  life,
  course: { ...freshCourse, ...(life === 'draining' ? { drain: ORDER } : {}), ...course },
});

function cell(state: LifecycleState, input: LifecycleInput): string {
  const step = stepLifecycle(state, input);
  if (!step.ok) return '!';
  if (step.value.life !== state.life) return step.value.life;
  return JSON.stringify(step.value) === JSON.stringify(state) ? '=' : '~';
}

const cells = Object.entries(WALK).flatMap(([trigger, row]) =>
  STATES.map((life, index) => ({ trigger: trigger as LifecycleTrigger, life, leads: row[index] })),
);

describe('every trigger in every state', () => {
  it('is in the walk', () => {
    expect(cells).toHaveLength(Object.keys(PLAIN).length * STATES.length);
    expect(Object.keys(WALK)).toEqual(Object.keys(PLAIN));
  });
  it.each(cells)('$life, $trigger: $leads', ({ life, trigger, leads }) => {
    expect(cell(at(life), PLAIN[trigger])).toBe(leads);
  });
  it.each(
    FURTHER.flatMap(([name, input, row]) =>
      STATES.map((life, index) => ({ name, input, life, leads: row[index] })),
    ),
  )('$life, $name: $leads', ({ life, input, leads }) => {
    expect(cell(at(life), input)).toBe(leads);
  });
  it.each(cells.filter(({ leads }) => leads === '!'))(
    '$life, $trigger is refused in words',
    ({ life, trigger }) => {
      const step = stepLifecycle(at(life), PLAIN[trigger]);
      expect(step).toMatchObject({ ok: false, error: { code: 'conflict' } });
      if (!step.ok) expect(step.error.reason).toMatch(/^[A-Z].*\.$/);
    },
  );
  it.each(cells)('$life, $trigger: again does nothing more', ({ life, trigger }) => {
    const once = stepLifecycle(at(life), PLAIN[trigger]);
    if (once.ok) expect(stepLifecycle(once.value, PLAIN[trigger])).toEqual(once);
  });
});

describe('commissioning', () => {
  const step = (state: LifecycleState, ...inputs: LifecycleInput[]): LifecycleState =>
    inputs.reduce((before, input) => {
      const next = stepLifecycle(before, input);
      return next.ok ? next.value : before;
    }, state);
  const passed: LifecycleInput = { kind: 'checks', passed: true };
  const failed: LifecycleInput = { kind: 'checks', passed: false };
  const works: LifecycleInput = { kind: 'acknowledged', checked: true };

  it.each([
    { name: 'checks, then configuration', inputs: [passed, works] },
    { name: 'configuration, then checks', inputs: [works, passed] },
    { name: 'checks that fail and then pass', inputs: [failed, works, passed] },
    { name: 'late, all the same', inputs: [{ kind: 'overdue' } as const, works, passed] },
    { name: 'a host that reports no checks', inputs: [{ kind: 'acknowledged', checked: false } as const] },
  ])('ends by $name', ({ inputs }) => {
    expect(step(at('commissioning'), ...inputs)).toEqual(at('active'));
  });
  it('does not end by one of the two', () => {
    expect(step(at('commissioning'), passed, passed).life).toBe('commissioning');
    expect(step(at('commissioning'), works, works).life).toBe('commissioning');
    expect(step(at('commissioning'), failed, works).life).toBe('commissioning');
  });
});

describe('guards', () => {
  const drain = (order: DrainOrder): LifecycleInput => ({ kind: 'drain', order, lastHost: true });
  const remove = (changes: object): LifecycleInput => ({
    kind: 'remove',
    reachable: true,
    lastHost: true,
    force: false,
    order: ORDER,
    ...changes,
  });

  it('the last host is drained only with doNotReschedule and force', () => {
    for (const order of [ORDER, { ...ORDER, force: true }, { ...ORDER, doNotReschedule: true }])
      expect(stepLifecycle(at('active'), drain(order))).toMatchObject({
        ok: false,
        error: { code: 'lastHost' },
      });
    expect(cell(at('active'), drain(PAUSE))).toBe('draining');
  });
  it('the last host is removed only by force', () => {
    expect(stepLifecycle(at('active'), remove({}))).toMatchObject({ error: { code: 'lastHost' } });
    expect(stepLifecycle(at('draining'), remove({}))).toMatchObject({ error: { code: 'lastHost' } });
    expect(cell(at('active'), remove({ force: true }))).toBe('draining');
    expect(cell(at('active'), remove({ force: true, reachable: false }))).toBe('decommissioning');
  });
  it('the last host waits for no other that could take its services', () => {
    const alone = { course: { leaving: true, drain: { doNotReschedule: true } } };
    const forced = remove({ force: true });
    expect(stepLifecycle(at('active'), forced)).toMatchObject({ value: alone });
    expect(stepLifecycle(at('draining', { drain: ORDER }), forced)).toMatchObject({ value: alone });
    // Its peer has left after it began to leave.
    const leaving = at('draining', { drain: ORDER, leaving: true });
    expect(stepLifecycle(leaving, forced)).toMatchObject({ value: alone });
    expect(stepLifecycle(leaving, remove({}))).toMatchObject({ value: { course: { drain: ORDER } } });
    const others = stepLifecycle(at('active'), remove({ lastHost: false }));
    expect(others).toMatchObject({ value: { course: { drain: { doNotReschedule: false } } } });
  });
  it('nothing holds what is out of service', () => {
    for (const life of ['drained', 'quarantined'] as const)
      expect(cell(at(life), remove({}))).toBe('decommissioning');
  });
  it('a host that is away is not drained first', () => {
    for (const life of ['active', 'draining'] as const)
      expect(cell(at(life), remove({ reachable: false, lastHost: false }))).toBe('decommissioning');
  });
});

describe('a drain', () => {
  const progress = (blocked: typeof BLOCKED | null, done = false): LifecycleInput => ({
    kind: 'progress',
    done,
    blocked,
  });

  it('that was a removal goes on to be wiped', () => {
    const leaving = stepLifecycle(at('active'), PLAIN.remove);
    expect(leaving).toMatchObject({ value: { life: 'draining', course: { leaving: true, drain: ORDER } } });
    if (leaving.ok) expect(cell(leaving.value, PLAIN.progress)).toBe('decommissioning');
  });
  it('that becomes a removal keeps its deadline', () => {
    const sooner = { ...ORDER, deadline: 1 };
    const step = stepLifecycle(at('draining', { drain: sooner }), PLAIN.remove);
    expect(step).toMatchObject({ value: { life: 'draining', course: { leaving: true, drain: sooner } } });
  });
  it('is blocked as the host says, and no longer when it says nothing', () => {
    const blocked = stepLifecycle(at('draining'), progress(BLOCKED));
    expect(blocked).toMatchObject({ value: { life: 'draining', course: { blocked: BLOCKED } } });
    if (blocked.ok)
      expect(stepLifecycle(blocked.value, progress(null))).toMatchObject({
        value: { course: { blocked: null } },
      });
  });
  it('stands still at its deadline, but not with force, and not twice', () => {
    expect(stepLifecycle(at('draining'), PLAIN.deadline)).toMatchObject({
      value: { life: 'draining', course: { blocked: { code: 'deadline' } } },
    });
    expect(cell(at('draining', { drain: PAUSE }), PLAIN.deadline)).toBe('=');
    expect(cell(at('draining', { blocked: BLOCKED }), PLAIN.deadline)).toBe('=');
  });
  it('takes a newer order', () => {
    const order = { ...ORDER, force: true };
    expect(stepLifecycle(at('draining'), { kind: 'drain', order, lastHost: true })).toMatchObject({
      value: { course: { drain: order } },
    });
  });
  it('leaves nothing behind when it is lifted', () => {
    const state = at('draining', { blocked: BLOCKED, leaving: true });
    expect(stepLifecycle(state, PLAIN.commission)).toEqual({ ok: true, value: at('active') });
  });
});
