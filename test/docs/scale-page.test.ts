import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHOSEN } from '#test/bench/scale/assumptions.ts';
import { COSTS } from '#test/bench/scale/costs.ts';
import { modelText, withModel } from '#test/bench/scale/page.ts';
import { simulated } from '#test/bench/scale/simulation.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/scale.md'), 'utf8');
const [FEW, MANY] = [1_000, 20_000];

describe('the model of many hosts', () => {
  it('stands in docs/scale.md as the command prints it (`npm run scale -- --write`)', () => {
    expect(withModel(page, modelText())).toBe(page);
    // A million identities, each with its hash.
  }, 180_000);

  it('gives every host a shard, and each shard about its part', () => {
    const { shardHosts } = simulated(MANY, COSTS, CHOSEN);
    expect(shardHosts.least).toBeGreaterThan((0.7 * MANY) / 64);
    expect(shardHosts.most).toBeLessThan((1.3 * MANY) / 64);
  });

  it('writes each host once in five minutes, and its losses, events and leases', () => {
    const still = { ...CHOSEN, eventsPerDay: 0, lossesPerDay: 0 };
    const { rowsPerS, replicas } = simulated(MANY, COSTS, still);
    expect(rowsPerS.mean).toBeCloseTo(MANY / 300 + (64 + replicas) / 2, 1);
    const losses = simulated(MANY, COSTS, { ...still, lossesPerDay: 1 });
    expect(losses.rowsPerS.mean - rowsPerS.mean).toBeCloseTo((4 * MANY) / 86_400, 1);
  });

  it('needs more replicas for a dearer heartbeat, and none that is loaded beyond its share when one is lost', () => {
    const cheap = simulated(MANY, { ...COSTS, heartbeatUs: 100 }, CHOSEN);
    const dear = simulated(MANY, { ...COSTS, heartbeatUs: 3_000 }, CHOSEN);
    expect(dear.replicas).toBeGreaterThan(cheap.replicas);
    expect(dear.largest.corePercent).toBeLessThanOrEqual(CHOSEN.coreShare);
  });

  it('goes by the prices that the reader gives', () => {
    const none = { corePrice: 0, memoryPrice: 0, diskPrice: 0, trafficPrice: 0, requestPrice: 0 };
    expect(simulated(FEW, COSTS, { ...CHOSEN, ...none }).money.all).toBe(0);
    const requests = simulated(FEW, COSTS, { ...CHOSEN, ...none, requestPrice: 1 });
    // A look for configuration each 300 s, 30 days.
    expect(requests.money.all).toBeCloseTo((FEW * 30 * 86_400) / 300 / 1e6, 6);
    expect(modelText([FEW], { ...CHOSEN, corePrice: 77 })).toContain('| `--core-price` | 77 |');
  });
});
