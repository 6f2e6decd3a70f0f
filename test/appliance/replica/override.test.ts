import { expect, it } from 'vitest';
import {
  confirmed,
  feedChain,
  isHeldOnSite,
  makeOverride,
  type Override,
  type OverrideRequest,
  reviewOverrides,
} from '#appliance/replica/index.ts';
import { type Failure, fail, ok } from '#shared/result.ts';

const HOUR_MS = 3_600_000;
const request: OverrideRequest = {
  key: 'logLevel',
  value: 'debug',
  author: 'kim',
  reason: 'looking for a lost call',
  ttlMs: HOUR_MS,
  pinned: false,
};

function made(change: Partial<OverrideRequest> = {}, wanted: unknown = null): Override {
  const override = makeOverride({ ...request, ...change }, wanted, 1_000);
  if (!override.ok) throw new Error(override.error.reason);
  return override.value;
}

it.each([
  [{ key: 'alarmbridge' }, /cannot be overridden/],
  [{ value: 'loud' }, /write error, warn, info, debug/],
  [{ key: 'service:sip', value: 'gone' }, /write paused/],
  [{ key: 'fallbackNumber', value: 'mother' }, /write a number/],
  [{ author: ' ' }, /who does it and why/],
  [{ reason: '' }, /who does it and why/],
  [{ ttlMs: undefined }, /ends by itself/],
  [{ ttlMs: 73 * HOUR_MS }, /72 hours/],
] as const)('%j is refused with a sentence', (change, sentence) => {
  const override = makeOverride({ ...request, ...change }, null, 0);
  expect(override.ok ? '' : override.error.reason).toMatch(sentence);
});

it('ends by itself', () => {
  const override = made();
  const at = (ms: number) => reviewOverrides([override], () => null, 1_000 + ms);
  expect(at(HOUR_MS - 1).stays).toEqual([override]);
  expect(at(HOUR_MS).over).toEqual([[override, 'expired']]);
});

it('a network change undoes itself after two minutes unless it is confirmed', () => {
  const network = made({ key: 'network', value: { ifs: ['10.0.0.5'], prefix: 24 }, ttlMs: undefined });
  expect(network).toMatchObject({ trial: true, expiresAt: 121_000 });
  expect(reviewOverrides([network], () => null, 121_000).over).toHaveLength(1);
  expect(reviewOverrides([confirmed(network)], () => null, 999_000_000_000).stays).toHaveLength(1);
});

it('yields to a later revision of the same key, and pinned it shows as drift', () => {
  const before = { ifs: ['10.0.0.4'], prefix: 24 };
  const change = { key: 'network', value: { ifs: ['10.0.0.5'], prefix: 24 } };
  const network = confirmed(made(change, before));
  const pinned = confirmed(made({ ...change, pinned: true }, before));
  // The same request in another order of its members is no later revision.
  expect(reviewOverrides([network], () => ({ prefix: 24, ifs: ['10.0.0.4'] }), 0).stays).toEqual([network]);
  const later = reviewOverrides([network, pinned], () => ({ ifs: ['10.0.0.6'], prefix: 24 }), 0);
  expect(later.over).toEqual([[network, 'superseded']]);
  expect(later.stays).toEqual([{ ...pinned, drift: true }]);
});

const source = (
  name: string,
  answer: 'has' | Failure<'unreachable' | 'notModified' | 'damaged'>,
  asked: string[],
) => {
  const say = async () => {
    asked.push(name);
    return answer === 'has' ? ok(name) : { ok: false as const, error: answer };
  };
  return { twin: say, manifest: say, page: say };
};
const failure = (code: 'unreachable' | 'notModified', reason: string) => {
  const said = fail(code, reason);
  return said.ok ? { code, reason } : said.error;
};

it('a chain of sources asks the next one only where the one before has no answer', async () => {
  const asked: string[] = [];
  const away = source('cloud', failure('unreachable', 'no route'), asked);
  expect(await feedChain([away, source('peer', 'has', asked)]).manifest('tenant', 0)).toEqual(ok('peer'));
  expect(asked.splice(0)).toEqual(['cloud', 'peer']);
  const nothing = source('cloud', failure('notModified', 'nothing newer'), asked);
  expect((await feedChain([nothing, source('peer', 'has', asked)]).twin()).ok).toBe(false);
  expect(asked.splice(0)).toEqual(['cloud']);
  const none = await feedChain([away, source('stick', failure('unreachable', 'no stick'), asked)]).twin();
  expect(none.ok ? '' : none.error.reason).toBe('no route');
});

it.each([
  ['pinned', { pinned: true }, true],
  ['not pinned', { pinned: false }, false],
  ['pinned and cleared by a person', { pinned: true, cleared: 2_000 }, false],
  ['of another key', { key: 'fallbackNumber', pinned: true }, false],
] as const)('an override that is %s holds the level of the log on site: %j', (_, change, isHeld) => {
  expect(isHeldOnSite([{ ...made(), ...change } as Override], 'logLevel')).toBe(isHeld);
});
