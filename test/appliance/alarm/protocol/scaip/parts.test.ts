import { describe, expect, it } from 'vitest';
import {
  decodeRequest,
  type Exchange,
  type ExchangeEffect,
  type ExchangeInput,
  initial,
  SCAIP_PROFILE,
  step,
} from '#appliance/alarm/protocol/scaip/index.ts';

/** One exchange under the hand of a test; requests are known by their way back. */
function story() {
  let exchange: Exchange = initial('c1', 'P', SCAIP_PROFILE);
  const feed = (input: ExchangeInput): readonly ExchangeEffect[] => {
    const { state, effects } = step(exchange, input);
    exchange = state;
    return effects;
  };
  const read = (part: number) => {
    const decoded = decodeRequest(
      `<mrq><ref>P</ref><cid>c1</cid><dty>0003</dty><ite>${part}</ite><ame>${part}</ame></mrq>`,
    );
    if (!decoded.ok) throw new Error(decoded.error.reason);
    return decoded.value;
  };
  const check = { policy: 'off', result: 'notChecked' } as const;
  return {
    part: (n: number) => feed({ type: 'request', at: 0, request: read(n), check, to: `way ${n}` }),
    kept: (n: number) => feed({ type: 'partStored', at: 0, part: read(n).fingerprint }),
    lost: (n: number) => feed({ type: 'partStoreFailed', at: 0, part: read(n).fingerprint }),
    feed,
    get state() {
      return exchange.state;
    },
  };
}

const routes = (effects: readonly ExchangeEffect[], type: 'answer' | 'silence') =>
  effects.flatMap((effect) => (effect.type === type ? effect.to : []));

const raised = (effects: readonly ExchangeEffect[]) =>
  effects.flatMap((effect) => (effect.type === 'event' ? [effect.source.raw] : []));

describe('the parts of a request', () => {
  it('are acknowledged each for itself, also when one before it was lost', () => {
    const { part, kept, lost } = story();
    for (const n of [3, 2, 1]) part(n);
    expect(routes(lost(3), 'silence')).toEqual(['way 3']);
    expect(routes(kept(2), 'answer')).toEqual(['way 2']);
    expect(routes(lost(1), 'answer')).toEqual([]);
  });

  it('that were acknowledged are not lost with the event that could not be stored', () => {
    const { part, kept, feed } = story();
    part(1);
    kept(1);
    expect(raised(part(0))).toHaveLength(1);
    const failed = feed({ type: 'storeFailed', at: 0, ordinal: 0 });
    expect(routes(failed, 'silence')).toEqual(['way 0']);
    const again = raised(part(0));
    expect(again.join()).toContain('<ite>1</ite>');
    expect(again.join()).toContain('<ite>0</ite>');
    expect(routes(feed({ type: 'stored', at: 0, ordinal: 0 }), 'silence')).toEqual([]);
  });

  it('are raised without the rest when it does not come again', () => {
    const { part, kept, feed } = story();
    part(1);
    kept(1);
    part(0);
    const failed = feed({ type: 'storeFailed', at: 0, ordinal: 0 });
    expect(failed).toContainEqual({ type: 'startTimer', timer: 'part', ms: SCAIP_PROFILE.partWaitMs });
    expect(raised(feed({ type: 'timer', at: 0, timer: 'part' })).join()).toContain('<ite>1</ite>');
  });

  it('end the exchange when none of them is left', () => {
    const one = story();
    one.part(1);
    one.lost(1);
    expect(one.state).toBe('closed');
  });
});
