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
const committed = (atMs: number, rev = 2, sickBefore: string[] = [], hasEarlier = true) =>
  ({ kind: 'committed', scope: 'tenant', rev, sickBefore, hasEarlier, atMs }) as const;
const health = (atMs: number, sick: string[] = [], hasGood = true) =>
  ({ kind: 'health', sick, hasGood, atMs }) as const;
const good = (rev: number) => ({ kind: 'good', revisions: [['tenant', rev]] });
const bad = (rev: number, ...sick: string[]) => ({ kind: 'bad', revisions: [['tenant', rev]], sick });
const check = { kind: 'check' };

describe('health gate', () => {
  it('is passed after 60 s in which every look found the engines well, and not before', () => {
    const { tell, open } = machine();
    expect(tell(committed(0))).toMatchObject(check);
    expect(tell(health(250))).toEqual({ kind: 'check', delayMs: 5_000 });
    expect(tell(health(58_000))).toEqual({ kind: 'check', delayMs: 2_000 });
    expect(open()).toBe(true);
    expect(tell(health(60_000))).toEqual(good(2));
    expect(open()).toBe(false);
    expect(tell(health(61_000, ['sip']))).toBeUndefined();
  });

  it('counts the 60 s again from the look that finds a sick engine well', () => {
    const { tell } = machine();
    tell(committed(0));
    tell(health(40_000, ['sip']));
    expect(tell(health(60_000))).toMatchObject(check);
    expect(tell(health(119_999))).toMatchObject(check);
    expect(tell(health(120_000))).toEqual(good(2));
  });

  it('is failed within the window by an engine that was well before and stays sick for 30 s', () => {
    const { tell } = machine();
    tell(committed(0, 2, ['media']));
    expect(tell(health(5_000, ['media', 'sip']))).toMatchObject(check);
    expect(tell(health(34_999, ['media', 'sip']))).toMatchObject(check);
    expect(tell(health(35_000, ['media', 'sip']))).toEqual(bad(2, 'sip'));
  });

  it('begins again with a newer revision, 5 min in all', () => {
    const { tell } = machine();
    for (let minute = 0; minute < 5; minute++) tell(committed(minute * 59_000, minute + 2));
    expect(tell(health(295_000))).toMatchObject(check);
    tell(committed(299_000, 9));
    expect(tell(health(300_000))).toEqual(good(9));
  });

  it('fails what is now sick and now well for 5 min', () => {
    const { tell } = machine();
    tell(committed(0));
    for (let at = 10_000; at < 300_000; at += 10_000)
      expect(tell(health(at, at % 20_000 === 0 ? ['sip'] : []))).toMatchObject(check);
    expect(tell(health(300_000))).toEqual(bad(2, 'steadiness'));
  });

  it('is passed by the first look at which all is well when the scope is new to this host', () => {
    const { tell } = machine();
    tell(committed(0, 1, [], false));
    expect(tell(health(250, ['sip']))).toMatchObject(check);
    expect(tell(health(5_250))).toEqual(good(1));
  });

  it('stays open without a last known good', () => {
    const { tell, open } = machine();
    tell(committed(0, 1, [], false));
    expect(tell(health(600_000, ['sip'], false))).toMatchObject(check);
    expect(tell({ kind: 'restarted', lives: 9, hasGood: false })).toBeUndefined();
    expect(open()).toBe(true);
  });

  it('is failed when the program begins for the third time inside it', () => {
    const { tell } = machine();
    expect(tell({ kind: 'restarted', lives: 3, hasGood: true })).toBeUndefined();
    tell(committed(0));
    expect(tell({ kind: 'restarted', lives: 2, hasGood: true })).toBeUndefined();
    expect(tell({ kind: 'restarted', lives: 3, hasGood: true })).toEqual(bad(2, 'program'));
  });
});
