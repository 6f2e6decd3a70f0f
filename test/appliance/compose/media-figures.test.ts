import { expect, it } from 'vitest';
import { type MeasuredMedia, mediaFigures } from '#appliance/compose/media-figures.ts';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { familyOf, namedFigures } from '#appliance/io/site-listener/figure-text.ts';
import { answerHealth } from '#appliance/io/site-listener/index.ts';
import { Listeners } from '#shared/listeners.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { must } from '#test/support/media.ts';

it('a real worker: its legs and how late its slices were are reported, as a collector reads them', async () => {
  const engine = await openMedia({
    ports: { from: 27_400, to: 27_420 },
    workers: 1,
    warmUpMs: 0,
    tooLateMs: 10_000,
    host4: '127.0.0.1',
    log: () => undefined,
  });
  const { media, figures } = mediaFigures(engine);
  try {
    must(await media.openLeg({ leg: 'a', profile: 'alarm', family: 4 }));
    await until(() => Number(figures()['media_worker_lateness_seconds_count{worker="0"}'] ?? 0) > 10);
    const seen = figures();
    expect(seen).toMatchObject({
      'media_worker_legs{worker="0"}': 1,
      'media_worker_late{worker="0"}': 0,
      'media_worker_overloaded{worker="0"}': 0,
      'media_legs_free{profile="ordinary"}': 9,
      'media_legs_free{profile="alarm"}': 9,
      'media_worker_skipped_ticks_total{worker="0"}': expect.any(Number),
      'media_worker_cpu_ratio{worker="0"}': expect.any(Number),
    });
    const buckets = Object.entries(seen).flatMap(([name, count]) =>
      name.startsWith('media_worker_lateness_seconds_bucket') ? [count] : [],
    );
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
    expect(buckets.at(-1)).toBe(seen['media_worker_lateness_seconds_count{worker="0"}']);
    const sum = Number(seen['media_worker_lateness_seconds_sum{worker="0"}']);
    const count = Number(seen['media_worker_lateness_seconds_count{worker="0"}']);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(count * Number(seen['media_worker_lateness_max_seconds{worker="0"}']));
    must(await media.closeLeg('a'));
    // It never agreed on anything: no leg of a call.
    expect(Object.keys(figures()).filter((name) => name.startsWith('media_legs_total'))).toEqual([]);

    const page = answerHealth(new Request('https://host/metrics'), {
      reasons: () => [],
      mayHaveAddress: () => true,
      figures,
    });
    const lines = (await page.text()).trim().split('\n');
    // Prometheus text format 0.0.4: a name, labels in braces, a number.
    for (const line of lines.filter((each) => !each.startsWith('#')))
      expect(line).toMatch(/^carillon_[a-z][a-z0-9_]*(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9.e+-]+$/);
    expect(lines.length).toBeGreaterThan(20);
    // A figure without a text of its own tells its reader nothing.
    for (const name of Object.keys(figures())) expect(namedFigures()).toContain(familyOf(name).name);

    const facts = { reasons: () => [], mayHaveAddress: () => true, figures, freeLegs: media.freeLegs };
    const ready = answerHealth(new Request('https://host/readyz'), facts);
    expect(ready.status).toBe(200);
    // The port of the leg that was closed rests.
    expect(await ready.json()).toEqual({ success: true, reasons: [], freeLegs: { ordinary: 9, alarm: 9 } });
    const sick = answerHealth(new Request('https://host/readyz'), { ...facts, reasons: () => ['the disk'] });
    expect(sick.status).toBe(503);
    expect(await sick.json()).toMatchObject({ success: false, freeLegs: { ordinary: 9 } });
  } finally {
    await engine.close();
  }
});

it('a worker that is being started has none, and one that cannot be asked breaks nothing', async () => {
  let answers = 0;
  const engine: MeasuredMedia = {
    openLeg: () => Promise.reject(new Error('nobody opens one here')),
    closeLeg: () => Promise.reject(new Error('nobody opens one here')),
    events: new Listeners(),
    freeLegs: () => ({ ordinary: 0, alarm: 0 }),
    load: () => (++answers > 1 ? Promise.reject(new Error('gone')) : Promise.resolve([undefined])),
  };
  const { media, figures } = mediaFigures(engine);
  await media.load();
  expect(Object.keys(figures()).filter((name) => name.includes('worker='))).toEqual([]);
  media.events.emit({ kind: 'lost', worker: 0, legs: [], conferences: [] });
  expect(figures().media_workers_lost_total).toBe(1);
});
