import { describe, expect, it } from 'vitest';
import { ALARM_PROTOCOLS } from '#shared/contract/provisioning/index.ts';
import {
  ARRIVAL_KINDS,
  type ArrivalKind,
  compilePattern,
  destinationMatcher,
  type Receiver,
  receiverFor,
  shadowsAmong,
  shadowsAt,
  takes,
  takingsAt,
} from '#shared/matching/index.ts';
import { PATTERN_CORPUS } from './pattern-corpus.ts';
import { numbers } from './random-number.ts';

const receiver = (id: string, protocol: string, more: Partial<Receiver> = {}): Receiver => ({
  id,
  protocol,
  destinationMatch: '.*',
  ...more,
});
const SIP_MESSAGES: readonly ArrivalKind[] = ['scaip', 'nowip', 'lacs'];

/** Kinds that a receiver of each protocol takes by itself, written out a second time. */
const TAKEN: Readonly<Record<(typeof ALARM_PROTOCOLS)[number], readonly ArrivalKind[]>> = {
  scaip: ['scaip', 'strayCall'],
  nowip: ['nowip', 'call', 'strayCall'],
  nowipcontroller: ['nowip', 'call', 'strayCall'],
  lacs: ['lacs', 'strayCall'],
  bs8521: ['call', 'strayCall'],
  tt92: ['call', 'strayCall'],
  ttnew: ['call', 'strayCall'],
  rb2000: ['call', 'strayCall'],
  p100: ['call', 'strayCall'],
  'cpc-antenna': ['call', 'strayCall'],
  contactId: ['call', 'strayCall'],
  multiprotocol: ['scaip', 'nowip', 'call', 'strayCall'],
  deviceProvisioned: ['scaip', 'nowip', 'call', 'strayCall'],
  dc09: ['frame'],
  api: ['strayCall'],
  voicecall: ['call', 'strayCall'],
  call: ['call', 'strayCall'],
};

describe('a receiver takes', () => {
  it.each(ALARM_PROTOCOLS)('its protocol %s can', (protocol) => {
    expect(ARRIVAL_KINDS.filter((kind) => takes({ protocol }, kind))).toEqual(TAKEN[protocol]);
  });

  it.each<[string, Partial<Receiver>, ArrivalKind, boolean]>([
    ['bs8521', { fallbackAlarmProtocol: 'scaip' }, 'scaip', true],
    ['scaip', { fallbackAlarmProtocol: 'bs8521' }, 'call', true],
    // One protocol is read by message: its own.
    ['nowip', { fallbackAlarmProtocol: 'scaip' }, 'scaip', false],
    ['dc09', { fallbackAlarmProtocol: 'scaip' }, 'scaip', false],
    ['dc09', { fallbackAlarmProtocol: 'bs8521' }, 'call', false],
    ['dc09', { alarmEventMapperId: 'm' }, 'event', false],
    ['scaip', { alarmEventMapperId: 'm' }, 'event', true],
    ['api', { callbackBaseUrl: 'https://arc.example' }, 'message', true],
    ['scaip', { callbackBaseUrl: 'https://arc.example' }, 'message', false],
  ])('%s with %j: %s is %s', (protocol, more, kind, taken) => {
    expect(takes({ protocol, ...more }, kind)).toBe(taken);
  });

  it('LACS where its devices are provisioned so', () => {
    expect(takes({ protocol: 'deviceProvisioned' }, 'lacs', 'lacs')).toBe(true);
    expect(takes({ protocol: 'deviceProvisioned' }, 'lacs', 'scaip')).toBe(false);
    expect(takes({ protocol: 'multiprotocol' }, 'lacs', 'lacs')).toBe(false);
  });
});

describe('a wide receiver of another protocol takes nothing from one that works', () => {
  const scaip = receiver('works', 'scaip', { destinationMatch: '^scaip$', order: 1000 });
  it.each(ALARM_PROTOCOLS.filter((protocol) => !TAKEN[protocol].includes('scaip')))('%s', (protocol) => {
    const matcher = destinationMatcher([scaip, receiver('wide', protocol, { order: 1 })]);
    expect(receiverFor(matcher, 'scaip', 'scaip')?.id).toBe('works');
    expect(shadowsAmong([scaip, receiver('wide', protocol, { order: 1 })])).toEqual([]);
  });
});

/** Receivers of every protocol and pattern, as tenants could have them. */
function tenantOf(pick: (below: number) => number): readonly Receiver[] {
  const of = <T>(list: readonly T[]): T | undefined => list[pick(list.length)];
  return Array.from({ length: 1 + pick(12) }, (_, n) =>
    receiver(`id${pick(90)}-${n}`, of(ALARM_PROTOCOLS) ?? 'scaip', {
      destinationMatch: of(['.*', '^s', ...PATTERN_CORPUS.map(({ pattern }) => pattern)]) ?? '.',
      ...(pick(2) === 0 && { order: pick(3) }),
      ...(pick(4) === 0 && { fallbackAlarmProtocol: of(['bs8521', 'scaip', 'tt92', 'ttnew']) }),
      ...(pick(3) === 0 && { alarmEventMapperId: 'm' }),
      ...(pick(2) === 0 && { callbackBaseUrl: 'https://arc.example' }),
    }),
  );
}

const TEXTS = [...new Set(PATTERN_CORPUS.flatMap(({ finds, not }) => [...finds, ...not]))];
const finds = ({ destinationMatch }: Receiver, text: string): boolean => {
  const pattern = compilePattern(destinationMatch);
  return pattern.ok && pattern.value.test(text);
};

describe('random receivers and arrivals (300 tenants)', () => {
  it('the chosen one can take it, none before it could, and if any can one is chosen', () => {
    const pick = numbers(29);
    let [chosen, passed] = [0, 0];
    for (let round = 0; round < 300; round++) {
      const receivers = tenantOf(pick);
      const matcher = destinationMatcher(receivers);
      for (let n = 0; n < 10; n++) {
        const text = TEXTS[pick(TEXTS.length)] ?? '';
        const kind = ARRIVAL_KINDS[pick(ARRIVAL_KINDS.length)] ?? 'scaip';
        const speaks = pick(4) === 0 ? 'lacs' : undefined;
        const deaf = pick(5) === 0 ? receivers[pick(receivers.length)] : undefined;
        const can = (one: Receiver) => one !== deaf && takes(one, kind, speaks) && finds(one, text);
        const able = receivers
          .filter(can)
          .toSorted((a, b) => (a.order ?? 1000) - (b.order ?? 1000) || (a.id < b.id ? -1 : 1));
        const taker = receiverFor(matcher, text, kind, {
          deviceProtocol: () => speaks,
          reads: (one) => one !== deaf,
        });
        expect(taker?.id, `${kind} to ${text} among ${JSON.stringify(receivers)}`).toBe(able[0]?.id);
        if (taker === undefined) continue;
        chosen++;
        if (matcher.match(text) !== taker) passed++;
        if (SIP_MESSAGES.includes(kind))
          expect(['dc09', 'api', 'call', 'voicecall']).not.toContain(
            taker.fallbackAlarmProtocol === 'scaip' ? undefined : taker.protocol,
          );
        if (kind === 'frame') expect(taker.protocol).toBe('dc09');
      }
    }
    // The generator makes what the rule is about: one receiver is there, and another one stood before.
    expect(chosen).toBeGreaterThan(300);
    expect(passed).toBeGreaterThan(30);
  });

  it('a reported destination is the one that is chosen there', () => {
    const pick = numbers(31);
    for (let round = 0; round < 300; round++) {
      const receivers = tenantOf(pick);
      const matcher = destinationMatcher(receivers);
      const text = TEXTS[pick(TEXTS.length)] ?? '';
      const takings = takingsAt(matcher, text);
      for (const kind of ARRIVAL_KINDS.filter((one) => one !== 'strayCall'))
        expect(takings.find((one) => one.kind === kind)?.receiver).toBe(receiverFor(matcher, text, kind));
      for (const { receiver: later, by, kinds } of shadowsAt(matcher, text))
        for (const kind of kinds) {
          expect(receiverFor(matcher, text, kind)).toBe(by);
          expect(takes(later, kind, 'lacs') && finds(later, text)).toBe(true);
        }
    }
  });

  it('a receiver that is reported as shadowed gets nothing at the example that is given', () => {
    const pick = numbers(37);
    let reported = 0;
    for (let round = 0; round < 300; round++) {
      const receivers = tenantOf(pick);
      const matcher = destinationMatcher(receivers);
      for (const { receiver: later, by, kinds, destination } of shadowsAmong(receivers)) {
        reported++;
        expect(finds(later, destination) && finds(by, destination)).toBe(true);
        for (const kind of kinds) {
          expect(takes(by, kind) && takes(later, kind, 'lacs')).toBe(true);
          expect(receiverFor(matcher, destination, kind)).not.toBe(later);
        }
      }
    }
    expect(reported).toBeGreaterThan(100);
  });
});

describe('a shadow is reported', () => {
  const reported = (...receivers: Receiver[]) =>
    shadowsAmong(receivers).map(({ receiver: later, by, kinds }) => [by.id, later.id, ...kinds]);
  const scaip = (id: string, destinationMatch: string, order?: number) =>
    receiver(id, 'scaip', { destinationMatch, ...(order !== undefined && { order }) });

  it.each([
    ['of the same pattern', '^scaip$', '^scaip$', true],
    ['of a wider one', '.*', '^scaip$', true],
    ['of a wider beginning', '^sca', '^scaip$', true],
    ['of numbers', '^\\+46', '^\\+46855[0-9]{4}$', true],
    ['of a list', '^(scaip|nowip)$', '^scaip$', true],
    ['not of a narrow one before a wide one', '^scaip$', '.*', false],
    ['not of a part of a list', '^scaip$', '^(scaip|nowip)$', false],
    ['not of a whole text before a part of one', '^scaip$', 'scaip', false],
    ['not of another', '^nowip$', '^scaip$', false],
  ])('%s: %s before %s', (_, before, after, isReported) => {
    expect(reported(scaip('a', before, 1), scaip('b', after, 2))).toEqual(
      isReported ? [['a', 'b', 'scaip']] : [],
    );
  });

  it('by the lowest id where the order is the same', () => {
    expect(reported(scaip('b', '.'), scaip('a', '.'))).toEqual([['a', 'b', 'scaip']]);
  });

  it('for the kinds that both take, by the first that takes each', () => {
    expect(
      reported(
        receiver('a', 'bs8521', { order: 1 }),
        receiver('b', 'scaip', { order: 2 }),
        receiver('c', 'multiprotocol', { order: 3 }),
      ),
    ).toEqual([
      ['b', 'c', 'scaip'],
      ['a', 'c', 'call'],
    ]);
  });
});
