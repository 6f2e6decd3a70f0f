import { describe, expect, it } from 'vitest';
import { initialPresence, type PresenceInput, stepPresence } from '#appliance/site/index.ts';

/** Tells a story and gives every effect, in order. */
function reported(...inputs: readonly PresenceInput[]) {
  let state = initialPresence;
  return inputs.map((input) => {
    const step = stepPresence(state, input);
    state = step.state;
    return step.effects[0];
  });
}

const connected = { kind: 'connected', sid: 's1', atMs: 0 } as const;
const off = (sid: string) => ({ v: 1, st: 'off', sid }) as const;

describe('presence', () => {
  it('is born at every CONNACK, each time as number 1', () => {
    expect(reported(connected, { kind: 'lost' }, { kind: 'connected', sid: 's2', atMs: 100 })).toEqual([
      { kind: 'birth', sid: 's1', birthNo: 1 },
      undefined,
      { kind: 'birth', sid: 's2', birthNo: 1 },
    ]);
  });

  it('is born again when asked, and owes a birth that comes too soon', () => {
    expect(
      reported(
        connected,
        { kind: 'rebirth', atMs: 5_000 },
        { kind: 'rebirth', atMs: 6_000 },
        { kind: 'rebirth', atMs: 7_000 },
        { kind: 'due', atMs: 10_000 },
        { kind: 'due', atMs: 11_000 },
      ),
    ).toEqual([
      { kind: 'birth', sid: 's1', birthNo: 1 },
      { kind: 'birth', sid: 's1', birthNo: 2 },
      { kind: 'startTimer', delayMs: 4_000 },
      undefined,
      { kind: 'birth', sid: 's1', birthNo: 3 },
      undefined,
    ]);
  });

  it('contradicts a foreign word and the death of its own sid', () => {
    for (const state of [off('s1'), off('s9')]) {
      expect(reported(connected, { kind: 'ownState', state, atMs: 9_000 })[1]).toMatchObject({ birthNo: 2 });
    }
  });

  it('leaves its announced stop standing', () => {
    expect(
      reported(connected, { kind: 'stopping' }, { kind: 'ownState', state: off('s1'), atMs: 9_000 }),
    ).toEqual([{ kind: 'birth', sid: 's1', birthNo: 1 }, undefined, undefined]);
  });

  it('says nothing while it is away', () => {
    const inputs = [
      { kind: 'rebirth', atMs: 9 },
      { kind: 'ownState', state: off('x'), atMs: 9 },
    ] as const;
    expect(reported(...inputs, { kind: 'due', atMs: 9_000 })).toEqual([undefined, undefined, undefined]);
  });
});
