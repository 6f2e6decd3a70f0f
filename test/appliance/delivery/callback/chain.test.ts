import { describe, expect, it } from 'vitest';
import {
  type Chain,
  type ChainEffect,
  type ChainInput,
  initialChain,
  stepChain,
} from '#appliance/delivery/callback/chain.ts';

type TimelessInput = ChainInput extends infer I ? (I extends ChainInput ? Omit<I, 'monoMs'> : never) : never;

/** Tells a chain what happens, at the given times, and collects what it does. */
function tell(chain: Chain, story: readonly (readonly [number, TimelessInput])[]): ChainEffect[] {
  let state = chain;
  return [[0, { kind: 'start' }] as const, ...story].map(([monoMs, reported]) => {
    const step = stepChain(state, { ...reported, monoMs } as ChainInput);
    state = step.state;
    return step.effect;
  });
}

const answered = (status: number): TimelessInput => ({ kind: 'answered', status, body: '{}' });
const failed = (code: string): TimelessInput => ({ kind: 'failed', code, reason: 'why' });
const unsignable: TimelessInput = { kind: 'unsignable', reason: 'no key' };
const send = (credential: number, timeoutMs: number) => ({ kind: 'send', credential, timeoutMs });
const outcome = (value: object) => ({ kind: 'settled', outcome: value });

describe('chain of credentials', () => {
  const three = initialChain(3, 0, 15_000, 0);

  it('takes the next credential at once after 401 and 403, within the same time', () => {
    expect(
      tell(three, [
        [100, answered(401)],
        [250, answered(403)],
        [300, answered(200)],
      ]),
    ).toEqual([
      send(0, 15_000),
      send(1, 14_900),
      send(2, 14_750),
      outcome({ kind: 'answered', status: 200, body: '{}', credential: 2 }),
    ]);
  });

  it('ends with the last refusal when every credential was used', () => {
    const effects = tell(three, [
      [1, answered(401)],
      [2, answered(401)],
      [3, answered(403)],
    ]);
    expect(effects.at(-1)).toEqual(outcome({ kind: 'answered', status: 403, body: '{}', credential: 2 }));
  });

  it('begins with the credential that worked last and comes round', () => {
    const effects = tell(initialChain(3, 2, 15_000, 0), [
      [0, answered(401)],
      [0, answered(401)],
    ]);
    expect(effects).toEqual([send(2, 15_000), send(0, 15_000), send(1, 15_000)]);
    expect(tell(initialChain(2, 7, 1_000, 0), [])).toEqual([send(0, 1_000)]);
  });

  it.each([200, 204, 302, 400, 404, 409, 429, 500, 503])('leaves %i to the caller', (status) => {
    expect(tell(three, [[1, answered(status)]]).at(-1)).toMatchObject({
      outcome: { kind: 'answered', status },
    });
  });

  it('passes over an entry that cannot sign', () => {
    expect(
      tell(three, [
        [0, unsignable],
        [0, answered(200)],
      ]),
    ).toMatchObject([send(0, 15_000), send(1, 15_000), { outcome: { credential: 1 } }]);
    expect(tell(initialChain(1, 0, 1_000, 0), [[0, unsignable]]).at(-1)).toEqual(
      outcome({ kind: 'failed', code: 'keyInvalid', reason: 'no key' }),
    );
  });

  it('repeats once, at once, what broke with its connection', () => {
    expect(
      tell(three, [
        [10, failed('connectionLost')],
        [20, failed('connectionLost')],
      ]),
    ).toEqual([
      send(0, 15_000),
      send(0, 14_990),
      outcome({ kind: 'failed', code: 'connectionLost', reason: 'why' }),
    ]);
  });

  it.each(['timeout', 'unreachable', 'addressRefused', 'redirectRefused', 'tooLarge', 'malformed'])(
    'ends with %s',
    (code) => {
      expect(tell(three, [[1, failed(code)]]).at(-1)).toEqual(
        outcome({ kind: 'failed', code, reason: 'why' }),
      );
    },
  );

  it('sends nothing after the timeout', () => {
    expect(tell(three, [[15_000, answered(401)]]).at(-1)).toMatchObject({ outcome: { code: 'timeout' } });
  });

  it('sends once without a token when there are no credentials', () => {
    expect(tell(initialChain(0, 0, 1_000, 0), [[1, answered(401)]])).toMatchObject([
      send(0, 1_000),
      { outcome: { status: 401 } },
    ]);
  });
});
