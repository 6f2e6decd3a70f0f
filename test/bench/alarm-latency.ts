import { referenceIn } from './process/stored-notes.ts';
import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { median, percentile } from './support/figure.ts';
import { measureGenerator, streamTo } from './support/generator.ts';
import { inPlace } from './support/place.ts';
import { alarmBridge, startAppliance, startApplication, startLoad } from './support/start.ts';

const PER_SECOND = 200;

/**
 * Row 2: from the send of a SCAIP alarm to its synced commit, and to the whole callback request at the application.
 * Generator, appliance and application are three processes that read the same clock, `CLOCK_MONOTONIC`.
 */
export const alarmLatency: Bench = { row: 2, name: 'alarm-latency', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const time = quick
    ? { repetitions: 2, windowMs: 3_000, warmUpMs: 3_000 }
    : { repetitions: 7, windowMs: 10_000, warmUpMs: 40_000 };
  const most = await measureGenerator('alarm', quick ? 1_000 : 4_000);
  return await inPlace(async (place) => {
    const { application, trust, url } = await startApplication(place);
    const ours = await place.keep(
      startAppliance({
        folder: place.folder(),
        part: 'whole',
        bridges: [alarmBridge(url)],
        devices: [],
        fleet: { prefix: 'device-', count: 1_000, fields: {} },
        trust,
        notesStored: true,
      }),
    );
    const load = await place.keep(startLoad([{ ...streamTo(ours.ready.udp, 'alarm'), name: 'ours' }]));
    await load.ask({ kind: 'pace', perSecond: { ours: PER_SECOND } });
    await sleep(time.warmUpMs);
    await Promise.all([load.ask({ kind: 'count' }), ours.ask('report'), application.ask('take')]);

    const sentAt = new Map<string, bigint>();
    const windows: { readonly stored: number; readonly posted: number }[] = [];
    let lateMs = 0;
    let lost = 0;
    for (let repetition = 1; repetition <= time.repetitions; repetition++) {
      await sleep(time.windowMs);
      const count = (await load.ask({ kind: 'count' })).ours;
      for (const [ref, atNs] of count?.sentAt ?? []) sentAt.set(ref, atNs);
      lateMs = Math.max(lateMs, count?.latenessMs ?? 0);
      const { stored } = await ours.ask('report');
      const posted = (await application.ask('take')).map(
        ({ body, atNs }) => [referenceIn(body), atNs] as const,
      );
      const window = {
        stored: percentile(passedMs(sentAt, stored), 0.99),
        posted: percentile(passedMs(sentAt, posted), 0.99),
      };
      windows.push(window);
      say(
        `window ${repetition}: p99 stored ${window.stored.toFixed(2)} ms, posted ${window.posted.toFixed(2)} ms`,
      );
    }
    const end = (await load.ask({ kind: 'drain', ms: 5_000 })).ours;
    lost = end?.inFlight ?? 0;
    const { logged } = await ours.ask('report');
    const figure = { row: 2, unit: 'ms', wanted: 'most' } as const;
    const stored = lost > 0 ? Number.POSITIVE_INFINITY : median(windows.map((window) => window.stored));
    const posted = lost > 0 ? Number.POSITIVE_INFINITY : median(windows.map((window) => window.posted));
    return {
      figures: [
        {
          ...figure,
          what: 'alarm, p99 from packet to stored',
          ours: stored,
          judged: stored,
          gate: 50,
          ambition: 10,
        },
        {
          ...figure,
          what: 'alarm, p99 from packet to callback request',
          ours: posted,
          judged: posted,
          gate: 100,
          ambition: 25,
        },
      ],
      notes: [
        `${PER_SECOND} alarms/s from 1,000 devices; warm-up ${time.warmUpMs} ms; ${time.repetitions} windows of ${time.windowMs} ms, median of their p99`,
        `generator alone ${most.toFixed(0)} alarms/s; it sent at most ${lateMs.toFixed(1)} ms late, which is counted for neither side`,
        `without an answer ${lost} of ${end?.sent ?? 0}, refused ${end?.refused ?? 0}; ${logged.length} warnings`,
        'callbacks over HTTPS with kept connections, signed with ES256; answered drop at once',
      ],
    };
  });
}

/** Ms from the send of each request to its note; notes without a request (sent before the window) are left out. */
function passedMs(
  sentAt: ReadonlyMap<string, bigint>,
  notes: readonly (readonly [string | undefined, bigint])[],
): number[] {
  return notes.flatMap(([ref, atNs]) => {
    const sentNs = sentAt.get(ref ?? '');
    return sentNs === undefined ? [] : [Number(atNs - sentNs) / 1e6];
  });
}
