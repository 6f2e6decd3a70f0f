import { describe, expect, it } from 'vitest';
import { type ClosingStep, closeInTurn, type HeldStep } from '#shared/closing.ts';

/** A clock that jumps to the next timer when nothing else happens. */
function world() {
  let nowMs = 0;
  const reports: HeldStep[] = [];
  const port = {
    limitMs: 10_000,
    stepMs: 4_000,
    monoMs: () => nowMs,
    startTimer: (ms: number, fire: () => void) => {
      const atMs = nowMs + ms;
      const handle = setImmediate(() => {
        nowMs = atMs;
        fire();
      });
      return () => clearImmediate(handle);
    },
    report: (held: HeldStep) => void reports.push(held),
  };
  return { port, reports, nowMs: () => nowMs };
}
const never: ClosingStep = () => new Promise(() => {});

describe('the end of a program', () => {
  it('runs every step, last first, and waits for each', async () => {
    const order: string[] = [];
    const step = (name: string) => async () => {
      await Promise.resolve();
      order.push(name);
    };
    const { port, reports } = world();
    await closeInTurn([step('database'), step('broker'), step('listener')], port);
    expect([order, reports]).toEqual([['listener', 'broker', 'database'], []]);
  });

  it('goes on behind a step that fails, at once or later, and says which', async () => {
    let closed = false;
    function releaseLease() {
      return Promise.reject(new Error('database or disk is full'));
    }
    const { port, reports } = world();
    const thrown = () => {
      throw new Error('gone');
    };
    const database = () => {
      closed = true;
    };
    await closeInTurn([database, releaseLease, thrown], port);
    expect(closed).toBe(true);
    expect(reports).toEqual([
      { kind: 'failed', step: 'thrown', reason: 'gone' },
      { kind: 'failed', step: 'releaseLease', reason: 'database or disk is full' },
    ]);
  });

  it('leaves steps behind that do not end: 4 s for one, 10 s for all, and a moment for each that is left', async () => {
    let closed = false;
    const { port, reports, nowMs } = world();
    const database = () => {
      closed = true;
    };
    await closeInTurn([database, never, never, never, never, never], port);
    expect(closed).toBe(true);
    expect(reports.map(({ kind, step, reason }) => `${kind} ${step}: ${reason}`)).toEqual([
      'late never: did not end within 4000 ms',
      'late never: did not end within 4000 ms',
      'late never: did not end within 2000 ms',
      'late never: did not end within 200 ms',
      'late never: did not end within 200 ms',
    ]);
    expect(nowMs()).toBe(10_400);
  });

  it('names a step without a name by its text', async () => {
    const { port, reports } = world();
    await closeInTurn(
      [
        (
          () => () =>
            Promise.reject(new Error('x'))
        )(),
      ],
      port,
    );
    expect(reports[0]?.step).toContain('Promise.reject');
  });
});
