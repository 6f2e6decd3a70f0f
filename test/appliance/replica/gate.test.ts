import { describe, expect, it } from 'vitest';
import { closedGate, type GateInput, isOpen, stepGate } from '#appliance/replica/index.ts';

function machine() {
  let state = closedGate;
  const tell = (input: GateInput) => {
    const step = stepGate(state, input);
    state = step.state;
    return step.effects[0];
  };
  return { tell, open: () => isOpen(state) };
}
const committed = (nowMs: number, rev = 2, sickBefore: string[] = []) =>
  ({ kind: 'committed', scope: 'tenant', rev, sickBefore, nowMs }) as const;
const health = (nowMs: number, sick: string[], hasGood = true) =>
  ({ kind: 'health', sick, hasGood, nowMs }) as const;

describe('health gate', () => {
  it('is passed by the first look at which the engines are well', () => {
    const { tell, open } = machine();
    expect(tell(committed(0))).toMatchObject({ kind: 'check' });
    expect(tell(health(250, ['sip']))).toEqual({ kind: 'check', delayMs: 5_000 });
    expect(tell(health(5_250, []))).toEqual({ kind: 'good', revisions: [['tenant', 2]] });
    expect(open()).toBe(false);
    expect(tell(health(6_000, ['sip']))).toBeUndefined();
  });

  it('is failed after 60 s by an engine that was well before', () => {
    const { tell } = machine();
    tell(committed(0, 2, ['media']));
    expect(tell(health(59_999, ['media', 'sip']))).toMatchObject({ kind: 'check' });
    expect(tell(health(60_000, ['media', 'sip']))).toEqual({
      kind: 'bad',
      revisions: [['tenant', 2]],
      sick: ['sip'],
    });
  });

  it('begins its window again with a newer revision, 5 min in all', () => {
    const { tell } = machine();
    for (let minute = 0; minute < 5; minute++) tell(committed(minute * 59_000, minute + 2));
    expect(tell(health(295_999, ['sip']))).toMatchObject({ kind: 'check' });
    tell(committed(299_000, 9));
    expect(tell(health(300_000, ['sip']))).toEqual({
      kind: 'bad',
      revisions: [['tenant', 9]],
      sick: ['sip'],
    });
  });

  it('stays open without a last known good', () => {
    const { tell, open } = machine();
    tell(committed(0));
    expect(tell(health(600_000, ['sip'], false))).toMatchObject({ kind: 'check' });
    expect(open()).toBe(true);
  });
});
