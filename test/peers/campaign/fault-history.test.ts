import { describe, expect, it } from 'vitest';
import { type DamageRound, judgeDamage } from '#test/campaign/fault/damage-history.ts';
import { type DatabaseRound, judgeDatabase } from '#test/campaign/fault/database-history.ts';
import { type FloodHistory, judgeFlood } from '#test/campaign/fault/flood-history.ts';
import { judgeRecovery } from '#test/campaign/fault/recovery-history.ts';
import { judgeSoak, type Sample } from '#test/campaign/fault/soak-history.ts';

describe('a flood', () => {
  const alarm = (n: number, waitMs: number) => ({
    reference: `R${n}`,
    durableMs: waitMs,
    deliveredMs: waitMs + 20,
    acknowledgedMs: waitMs + 40,
  });
  const kept: FloodHistory = {
    known: Array.from({ length: 200 }, (_, n) => alarm(n, 30)),
    strangersDelivered: 400,
    strangersAllowed: 410,
    strangersSent: 4_000,
    strangersRefused: 3_600,
    saidOfStrangers: 1,
    quiet: { durableMs: 10, deliveredMs: 20 },
    processor: { tookMs: 900, waitedMs: 0 },
  };
  const broken = (fault: Partial<FloodHistory>) => judgeFlood({ ...kept, ...fault }).violations.join();

  it('that delays nothing is green', () => {
    expect(broken({})).toBe('');
    // One in a hundred may wait.
    expect(broken({ known: kept.known.map((one, n) => (n === 7 ? alarm(n, 4_000) : one)) })).toBe('');
  });

  it.each<[string, Partial<FloodHistory>, string]>([
    [
      'a slow disk',
      { known: kept.known.map((one, n) => (n % 50 === 0 ? alarm(n, 230) : one)) },
      'durable after',
    ],
    ['a late callback', { known: kept.known.map((one) => ({ ...one, deliveredMs: 600 })) }, 'told after'],
    [
      'a lost alarm',
      { known: kept.known.map((one, n) => (n === 3 ? { ...one, deliveredMs: undefined } : one)) },
      'never at',
    ],
    ['no answer', { known: kept.known.map((one) => ({ ...one, acknowledgedMs: undefined })) }, 'given up'],
    ['no budget', { strangersDelivered: 4_000 }, 'beyond their budget'],
    ['silence', { saidOfStrangers: 0 }, 'no log line'],
    ['no stranger', { strangersSent: 0 }, 'nothing was proven'],
    ['no device', { known: [] }, 'nothing was proven'],
  ])('with %s turns the judgement red', (_, fault, says) => expect(broken(fault)).toContain(says));
});

describe('damage', () => {
  const kept: DamageRound = {
    name: 'pages of journal.db',
    acknowledged: ['a', 'b'],
    arrived: new Set(['a', 'b']),
    damageAlarms: 1,
    notStarted: undefined,
    after: { sent: 5, acknowledged: 5 },
  };
  const broken = (fault: Partial<DamageRound>) => judgeDamage([{ ...kept, ...fault }]).violations.join();

  it('that is salvaged, or lost and reported, is green', () => {
    expect(broken({})).toBe('');
    expect(broken({ arrived: new Set(['a']) })).toBe('');
    expect(broken({ damageAlarms: 0 })).toBe('');
  });

  it.each<[string, Partial<DamageRound>, string]>([
    ['in silence', { arrived: new Set(['a']), damageAlarms: 0 }, 'no person was told'],
    [
      'that ends the program',
      { notStarted: 'ended with 1', after: { sent: 0, acknowledged: 0 } },
      'did not start',
    ],
    ['that leaves it deaf', { after: { sent: 5, acknowledged: 4 } }, '1 of 5 alarms after the start'],
    ['of nothing', { acknowledged: [] }, 'nothing was proven'],
  ])('%s turns the judgement red', (_, fault, says) => expect(broken(fault)).toContain(says));
});

describe('damage of the control plane', () => {
  const kept: DatabaseRound = {
    name: 'an index of cloud.db',
    isDamaged: true,
    refused: undefined,
    lost: 0,
    damageAlarms: 1,
    site: { sent: 5, acknowledged: 5 },
  };
  const sentence =
    '/d/cloud.db is damaged (x), and not all rows can be read: … run carillon db mark-restored';
  const broken = (fault: Partial<DatabaseRound>) => judgeDatabase([{ ...kept, ...fault }]).violations.join();

  it('that is salvaged and reported, or refused with advice, is green', () => {
    expect(broken({})).toBe('');
    expect(broken({ refused: sentence, damageAlarms: 0 })).toBe('');
    expect(judgeDatabase([kept, { ...kept, isDamaged: false, damageAlarms: 0 }]).violations).toEqual([]);
  });

  it.each<[string, Partial<DatabaseRound>, string]>([
    ['in silence', { damageAlarms: 0 }, 'no alarm said so'],
    ['that costs rows', { lost: 2 }, 'without 2 configured rows'],
    [
      'that ends the program without advice',
      { refused: 'ended with 1', damageAlarms: 0 },
      'without what to do',
    ],
    ['that leaves a site deaf', { site: { sent: 5, acknowledged: 4 } }, '1 of 5 alarms of devices'],
    ['of nothing', { isDamaged: false }, 'nothing was proven'],
  ])('%s turns the judgement red', (_, fault, says) => expect(broken(fault)).toContain(says));
});

describe('a fault that ends', () => {
  const sent = (sentMs: number, waitMs: number | undefined) => ({
    reference: `at ${sentMs}`,
    sentMs,
    ...(waitMs !== undefined && { acknowledgedMs: sentMs + waitMs }),
  });
  const fault = { fromMs: 10_000, untilMs: 15_000 };
  const judged = (...alarms: ReturnType<typeof sent>[]) =>
    judgeRecovery({ alarms, faults: [fault], graceMs: 1_000, withinMs: 2_000 });

  it('excuses what it concerns, and no more', () => {
    const { figures, violations } = judged(
      sent(1_000, 50),
      sent(12_000, 9_000),
      sent(13_000, undefined),
      sent(17_000, 60),
    );
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ 'given up': 1, 'longest wait ms': 9_000, 'longest wait outside ms': 60 });
  });

  it('turns the judgement red when the site stays as slow or as deaf as in it', () => {
    expect(judged(sent(17_000, 2_500)).violations.join()).toContain('waited longer');
    expect(judged(sent(17_000, undefined)).violations.join()).toContain('waited longer');
    expect(judged(sent(1_000, 2_500), sent(17_000, 1)).violations.join()).toContain('at 1000');
    expect(judged(sent(12_000, 10)).violations.join()).toContain('nothing was proven');
    expect(judgeRecovery({ alarms: [], faults: [], graceMs: 0, withinMs: 1 }).violations).toHaveLength(2);
  });
});

describe('a long run', () => {
  const MB = 1 << 20;
  const flat = (n: number): Sample => ({
    atMs: n * 60_000,
    memoryBytes: 200 * MB,
    descriptors: 60,
    timers: 40,
    diskBytes: n * 5_000_000,
    alarms: n * 1_000,
  });
  const run = (change: (n: number) => Partial<Sample>, count = 30) =>
    judgeSoak(
      Array.from({ length: count }, (_, n) => ({ ...flat(n + 1), ...change(n + 1) })),
    ).violations.join();

  it('that is flat, or warms up, is green', () => {
    expect(run(() => ({}))).toBe('');
    expect(run((n) => ({ memoryBytes: Math.min(n, 8) * 30 * MB }))).toBe('');
  });

  it.each<[string, (n: number) => Partial<Sample>, string]>([
    ['memory', (n) => ({ memoryBytes: (200 + 5 * n) * MB }), 'memoryBytes grew'],
    ['descriptors', (n) => ({ descriptors: 60 + 2 * n }), 'descriptors grew'],
    ['timers', (n) => ({ timers: 40 + 5 * n }), 'timers grew'],
    ['the disk', (n) => ({ diskBytes: n * n * 500_000 }), 'bytes of the disk'],
    ['nothing that was seen', () => ({ alarms: 0 }), 'nothing was proven'],
  ])('with growth of %s turns the judgement red', (_, change, says) => expect(run(change)).toContain(says));

  it('shows figures in a minute and proves no growth', () => {
    expect(run((n) => ({ descriptors: 60 + 9 * n, atMs: n * 1_000 }))).toBe('');
  });
});
