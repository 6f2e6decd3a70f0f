import { describe, expect, it } from 'vitest';
import { StrangerBudget, type StrangerSum } from '#appliance/delivery/stranger-budget.ts';
import { openTimers } from '#appliance/kernel/engine-timers.ts';
import { neighbourhoodOf } from '#shared/source-network.ts';
import { seeded } from '#test/campaign/campaign.ts';

function world(rates?: ConstructorParameters<typeof StrangerBudget>[2]) {
  let nowMs = 1_000;
  const reported: StrangerSum[] = [];
  const logged: unknown[] = [];
  const clock = { monoMs: () => nowMs, wallMs: () => 1_770_000_000_000 + nowMs };
  const log = (_level: string, event: string, _text: string, detail?: object) =>
    logged.push({ event, ...detail });
  const timers = openTimers({ clock, log });
  const ports = { clock, log, timers, run: (work: Promise<unknown>) => void work };
  const budget = new StrangerBudget(ports, (sum) => reported.push(sum), rates);
  const pass = (ms: number): void => {
    const untilMs = nowMs + ms;
    while ((timers.nextDueMs ?? Number.POSITIVE_INFINITY) <= untilMs) {
      nowMs = Math.max(nowMs, timers.nextDueMs ?? nowMs);
      timers.advance(nowMs);
    }
    nowMs = untilMs;
  };
  const taken = (address: string, count: number): number =>
    Array.from({ length: count }, () => budget.takeAlarm(address, 'scaip', () => undefined)).filter(Boolean)
      .length;
  return { budget, timers, told: reported, logged, pass, taken, nowMs: () => nowMs };
}

describe('the network of an address', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:12ab::1', '2001:0db8:0001:1200::/56'],
    ['2001:db8:1:12ff:1::', '2001:0db8:0001:1200::/56'],
    ['::1', '0000:0000:0000:0000::/56'],
  ])('is, for %s, %s', (address, network) => expect(neighbourhoodOf(address)).toBe(network));
});

describe('the budget of unknown units', () => {
  it('is so much for a network, and so much in all', () => {
    const { taken, pass } = world();
    expect(taken('192.0.2.1', 300)).toBe(200);
    expect(taken('192.0.2.2', 10)).toBe(0);
    expect(taken('198.51.100.1', 300)).toBe(200);
    expect(taken('203.0.113.1', 300)).toBe(0);
    pass(10_000);
    expect(taken('203.0.113.1', 300)).toBe(50);
  });

  it('is not lessened by a network that has used up its own', () => {
    const { taken, pass } = world();
    taken('192.0.2.1', 200);
    for (let second = 0; second < 60; second++) {
      taken('192.0.2.1', 1_000);
      pass(1_000);
    }
    expect(taken('198.51.100.1', 300)).toBe(200);
  });

  it('is everything with rate limits off', () => {
    const { taken, budget } = world('off');
    expect(taken('192.0.2.1', 5_000)).toBe(5_000);
    for (let sign = 0; sign < 10_000; sign++) expect(budget.takesSign('192.0.2.1', 'dc09')).toBe(true);
    for (let report = 0; report < 1_000; report++) expect(budget.takesReport('192.0.2.1')).toBe(true);
  });

  it('is worked on in its order, twenty at once and fifty a second', async () => {
    const { budget, timers, pass } = world();
    const done: number[] = [];
    for (let n = 0; n < 150; n++) budget.takeAlarm('192.0.2.1', 'scaip', () => done.push(n));
    expect(done).toHaveLength(20);
    pass(1_000);
    await Promise.resolve();
    expect(done.length).toBeGreaterThanOrEqual(69);
    expect(done.length).toBeLessThanOrEqual(70);
    pass(2_000);
    await Promise.resolve();
    expect(done).toEqual(Array.from({ length: 150 }, (_, n) => n));
    expect(timers.nextDueMs).toBeUndefined();
  });

  it('is twenty times as much for signs of life, and one does not use up the other', () => {
    const { budget, taken } = world();
    let signs = 0;
    while (budget.takesSign('192.0.2.1', 'dc09')) signs++;
    expect(signs).toBe(4_000);
    expect(taken('192.0.2.1', 300)).toBe(200);
  });
});

describe('excess beyond the budget', () => {
  it('is reported as one sum after ten seconds, then every ten minutes, and logged once a minute', () => {
    const { told: reported, logged, taken, pass } = world();
    taken('192.0.2.1', 1_200);
    pass(9_999);
    expect([reported, logged]).toEqual([[], []]);
    pass(1);
    expect(reported).toMatchObject([{ refused: 1_000, networks: ['192.0.2.0/24'], protocols: ['scaip'] }]);
    expect(logged).toHaveLength(1);
    for (let second = 0; second < 599; second++) {
      taken('192.0.2.1', 100);
      pass(1_000);
    }
    expect([reported.length, logged.length]).toEqual([1, 10]);
    pass(1_000);
    expect(reported).toHaveLength(2);
    // Nothing more came: the sum is closed, and the next one begins at none.
    pass(3_600_000);
    expect([reported.length, logged.length]).toEqual([2, 11]);
    taken('192.0.2.1', 201);
    pass(10_000);
    expect(reported.at(-1)).toMatchObject({ refused: 1 });
  });

  it('names the worst networks first, and remembers no more than it must', () => {
    const {
      told: reported,
      budget,
      pass,
    } = world({ source: { burst: 1, perS: 1 }, tenant: { burst: 1, perS: 1 } });
    for (let network = 0; network < 20_000; network++)
      budget.takeAlarm(`10.${network >> 8}.${network & 255}.1`, 'scaip', () => undefined);
    for (let again = 0; again < 5; again++) budget.takeAlarm('10.0.7.1', 'scaip', () => undefined);
    pass(10_000);
    expect(reported[0]?.refused).toBe(20_004);
    expect(reported[0]?.networks[0]).toBe('10.0.7.0/24');
    expect(reported[0]?.networks).toHaveLength(5);
  });

  it('is only counted in alarms about unknown units', () => {
    const { told: reported, budget, pass } = world();
    let reports = 0;
    for (let each = 0; each < 150; each++) if (budget.takesReport('192.0.2.1')) reports++;
    expect(reports).toBe(100);
    pass(10_000);
    expect(reported).toMatchObject([{ refused: 0, untold: 50 }]);
  });
});

it.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'has all else in its sum, and no more is taken than the budgets, whatever unknown units send (seed %i)',
  (seed) => {
    const random = seeded(seed);
    const { told: reported, taken, pass, nowMs } = world();
    const [of, startMs] = [new Map<string, number>(), nowMs()];
    let [sent, accepted] = [0, 0];
    for (let step = 0; step < 100; step++) {
      const address = `10.0.${Math.floor(random() * 12)}.${Math.floor(random() * 250)}`;
      const count = Math.floor(random() * 400);
      const took = taken(address, count);
      sent += count;
      accepted += took;
      const network = neighbourhoodOf(address);
      of.set(network, (of.get(network) ?? 0) + took);
      const seconds = (nowMs() - startMs) / 1_000;
      expect(of.get(network)).toBeLessThanOrEqual(200 + seconds + 1);
      expect(accepted).toBeLessThanOrEqual(400 + 5 * seconds + 1);
      pass(random() * 5_000);
    }
    pass(1_200_000);
    expect(
      reported.reduce(
        (sum, { refused }, at) => (reported[at + 1]?.since === reported[at]?.since ? sum : sum + refused),
        0,
      ),
    ).toBe(sent - accepted);
  },
);
