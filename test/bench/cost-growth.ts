import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { median } from './support/figure.ts';
import { streamTo } from './support/generator.ts';
import { inPlace, type Place } from './support/place.ts';
import { processorMs } from './support/processor-time.ts';
import {
  alarmBridge,
  callsTo,
  type Load,
  startAppliance,
  startApplication,
  startCalls,
  startLoad,
} from './support/start.ts';

const STANDING = [10, 100, 1_000];
const CALLS_PER_SECOND = 60;
const ALARMS_PER_SECOND = 50;
/** How fast those that stay are begun. */
const FILL_PER_SECOND = 200;

/** One process with so many in progress, and what comes and goes beside them. */
interface Subject {
  readonly standing: number;
  readonly pid: number;
  readonly load: Load;
  /** In progress now, as the process counts them. */
  readonly inProgress: () => Promise<number>;
}

/**
 * Row 19: what a call and an alarm cost with 10, 100 and 1,000 others in progress. One process for each, all at the same
 * time under the same load, so that only what stands beside it differs.
 */
export const costGrowth: Bench = { row: 19, name: 'cost-growth', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  // Alarms that wait for a call are given up after a minute: the windows end before.
  const time = quick
    ? { windows: 3, windowMs: 1_500, warmUpMs: 2_000 }
    : { windows: 5, windowMs: 6_000, warmUpMs: 8_000 };
  const notes: string[] = [];
  const figure = async (
    what: string,
    perSecond: number,
    subjects: (place: Place, standing: number) => Promise<Subject>,
  ) =>
    await inPlace(async (place) => {
      const all = await Promise.all(STANDING.map((standing) => subjects(place, standing)));
      await Promise.all(all.map(({ load }) => load.ask({ kind: 'pace', perSecond: { flow: perSecond } })));
      await sleep(time.warmUpMs);
      const sampled = async () =>
        await Promise.all(
          all.map(async ({ pid, load }) => ({
            ms: processorMs(pid),
            done: (await load.ask({ kind: 'count' })).flow?.done ?? 0,
          })),
        );
      const rows: number[][] = [];
      for (let window = 1; window <= time.windows; window++) {
        const before = await sampled();
        await sleep(time.windowMs);
        const after = await sampled();
        const us = after.map(
          ({ ms, done }, i) => ((ms - (before[i]?.ms ?? 0)) * 1_000) / (done - (before[i]?.done ?? 0)),
        );
        rows.push(us);
        say(
          `${what} ${window}: ${us.map((each, i) => `${each.toFixed(0)} µs with ${STANDING[i]}`).join(', ')}`,
        );
      }
      const stood = await Promise.all(all.map((subject) => subject.inProgress()));
      const whole = stood.every((count, i) => count >= (STANDING[i] ?? 0));
      const cost = (i: number) => median(rows.map((row) => row[i] ?? Number.NaN));
      notes.push(
        `${what}: ${STANDING.map((standing, i) => `${cost(i).toFixed(0)} µs with ${standing}`).join(', ')}; ${perSecond}/s to each of the three at once; in progress at the end ${stood.join(', ')}`,
      );
      return {
        row: 19,
        what: `processor time for one ${what} with 1,000 in progress; peer itself with 10`,
        unit: 'µs',
        ours: cost(2),
        peer: cost(0),
        judged: whole
          ? median(rows.map(([few = Number.NaN, , many = Number.NaN]) => many / few))
          : Number.POSITIVE_INFINITY,
        gate: 1.5,
        ambition: 1.1,
        wanted: 'most' as const,
      };
    });
  const call = await figure('call', CALLS_PER_SECOND, callsBeside);
  const alarm = await figure('alarm', ALARMS_PER_SECOND, alarmsBeside);
  return {
    figures: [call, alarm],
    notes: [
      ...notes,
      `${time.windows} windows of ${time.windowMs} ms after ${time.warmUpMs} ms, median of ratios; calls: answered, without media; alarms in progress wait for the call of their device`,
    ],
  };
}

async function callsBeside(place: Place, standing: number): Promise<Subject> {
  const ours = await place.keep(startCalls({ folder: place.folder(), media: 'none' }));
  const to = callsTo(ours.ready.port, 'bridge');
  const load = await place.keep(
    startLoad([
      { ...to, name: 'flow' },
      { ...to, name: 'standing', stays: true },
    ]),
  );
  await fill(load, standing);
  return { standing, pid: ours.pid, load, inProgress: async () => (await ours.ask('report')).calls };
}

async function alarmsBeside(place: Place, standing: number): Promise<Subject> {
  const { trust, url } = await startApplication(place, {}, { wait: { action: 'callEmergencyCenter' } });
  const defaultEmergencyDestination = 'sip:arc@bench.example';
  const waiting = { id: 'waiting', destinationMatch: '^waiting$', defaultEmergencyDestination };
  const ours = await place.keep(
    startAppliance({
      folder: place.folder(),
      part: 'whole',
      bridges: [alarmBridge(`${url}/event`), { ...alarmBridge(`${url}/wait`), ...waiting }],
      devices: Array.from({ length: standing }, (_, number) => ({ deviceId: `waiting-${number}` })),
      fleet: { prefix: 'device-', count: 1_000, fields: {} },
      trust,
    }),
  );
  const to = streamTo(ours.ready.udp, 'alarm');
  const load = await place.keep(
    startLoad([
      { ...to, name: 'flow' },
      { ...to, name: 'standing', receiver: 'waiting', prefix: 'waiting-', devices: standing },
    ]),
  );
  await fill(load, standing);
  return { standing, pid: ours.pid, load, inProgress: async () => (await ours.ask('report')).alarms };
}

/** So many of the stream that stays, and no more. */
async function fill(load: Load, standing: number): Promise<void> {
  await load.ask({ kind: 'begin', stream: 'standing', count: standing, perSecond: FILL_PER_SECOND });
}
