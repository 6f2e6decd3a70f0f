import { expect, it } from 'vitest';
import type { TraceStep } from '#shared/contract/session-record/index.ts';
import { boundedSteps, LEFT_OUT, TRACE_MOST_STEPS } from '#shared/session-trace/index.ts';

const step = (at: number, kind = 'note', detail: Record<string, unknown> = { at }): TraceStep => ({
  ...{ at, hostId: 'gw-1', party: 'host', direction: 'own', kind, detail },
});

it('as many steps as a reader gets stay as they are', () => {
  const steps = Array.from({ length: TRACE_MOST_STEPS }, (_, at) => step(at));
  expect(boundedSteps(steps)).toBe(steps);
});

it('more steps lose their middle, which is counted together with what a host has left out', () => {
  const steps = Array.from({ length: 2 * TRACE_MOST_STEPS }, (_, at) => step(at));
  steps[TRACE_MOST_STEPS] = step(TRACE_MOST_STEPS, LEFT_OUT, { steps: 1_000 });
  const bounded = boundedSteps(steps);
  expect(bounded).toHaveLength(TRACE_MOST_STEPS + 1);
  expect([bounded.at(0)?.at, bounded.at(-1)?.at]).toEqual([0, 2 * TRACE_MOST_STEPS - 1]);
  expect(bounded[TRACE_MOST_STEPS / 2]).toMatchObject({
    ...{ at: TRACE_MOST_STEPS / 2, kind: LEFT_OUT },
    detail: { steps: TRACE_MOST_STEPS - 1 + 1_000 },
  });
});
