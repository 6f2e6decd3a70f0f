import { floorWorker, openApplications, ourWorker, type Worker } from '../peer/same-job.ts';
import { type Bench, type BenchContext, type BenchResult, sleep } from '../support/bench.ts';
import { median } from '../support/figure.ts';
import { streamTo } from '../support/generator.ts';
import { inPlace } from '../support/place.ts';
import { processorMs } from '../support/processor-time.ts';
import { type Load, startLoad } from '../support/start.ts';

const PACES = [1, 10, 50];
const IN_PROGRESS = 64;
const STREAM = 'ours';
const FLOOR = 'floor';
/** The first alarms, of which the warm-up has its part, and those whose rate is set against them. */
const FIRST = 10_000;
const MANY = 100_000;

/** Timers of the transactions before (RFC 3261 17: 64 x T1 = 32 s) and the garbage of a full load are over after that. */
const CALM_MS = 45_000;

/**
 * Row 3l: what an alarm costs when few come, against full load in the same process; the time of the same process when none comes,
 * which is a figure of its own and no part of an alarm; and whether the cost of an alarm grows with the journal. On an idle processor
 * each alarm pays for cold caches and for each wake-up of a thread; the clock of the core is lower, too.
 */
export const alarmCost: Bench = { row: 3, name: 'alarm-cost', run };

interface Found {
  /** Processor time of one, µs. */
  readonly us: number;
  readonly perSecond: number;
}

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const size = quick
    ? { warmUpMs: 4_000, windows: 2, windowMs: 4_000, first: 500, many: 2_000 }
    : { warmUpMs: 20_000, windows: 5, windowMs: 20_000, first: FIRST, many: MANY };
  return await inPlace(async (place) => {
    const applications = await openApplications(place);
    const ours = await ourWorker(place, applications);
    const floor = await floorWorker(place, applications);
    const load = await place.keep(
      startLoad([
        { ...streamTo(ours.port, 'alarm'), name: STREAM },
        { ...streamTo(floor.port, 'alarm'), name: FLOOR },
      ]),
    );
    const { seen, between } = watched(load, ours, STREAM);
    const untilDone = async (count: number): Promise<void> => {
      const from = (await seen()).done ?? 0;
      while (((await seen()).done ?? 0) - from < count) await sleep(250);
    };
    const drain = (): Promise<unknown> => load.ask({ kind: 'drain', ms: 5_000 });

    await load.ask({ kind: 'keep', stream: STREAM, inFlight: IN_PROGRESS });
    await sleep(size.warmUpMs);
    const first = await between(() => untilDone(size.first));
    say(`full load: ${shown(first)}`);
    await drain();
    await sleep(quick ? 5_000 : CALM_MS);
    const idleBegan = await seen();
    await sleep(size.windowMs);
    const idleEnded = await seen();
    /** Share of a core. */
    const idle = (idleEnded.ms - idleBegan.ms) / (idleEnded.atMs - idleBegan.atMs);
    say(`idle: ${(idle * 100).toFixed(2)} % of a core`);
    const paced = new Map<number, number>();
    for (const pace of PACES) {
      await load.ask({ kind: 'pace', perSecond: { [STREAM]: pace } });
      await sleep(quick ? 1_000 : 10_000);
      const each: number[] = [];
      for (let window = 1; window <= size.windows; window++) {
        const { us, perSecond } = await between(() => sleep(size.windowMs));
        each.push(us - (idle * 1e6) / perSecond);
      }
      paced.set(pace, median(each));
      say(`${pace}/s: ${median(each).toFixed(0)} µs`);
    }
    await drain();
    await load.ask({ kind: 'keep', stream: STREAM, inFlight: IN_PROGRESS });
    await untilDone(size.many - size.first);
    const last = await between(() => untilDone(size.first));
    say(`after ${size.many} alarms: ${shown(last)}`);
    await drain();
    const end = await seen();
    const floorTimes = await timesOfFloor(load, floor, size.windowMs);
    const lost = (end.sent ?? 0) - (end.done ?? 0);
    const slowest = Math.max(...PACES.map((pace) => paced.get(pace) ?? Number.POSITIVE_INFINITY));
    return {
      figures: [
        {
          row: '3l',
          what: `processor time for an alarm at the dearest of ${PACES.join(', ')}/s; peer itself at full load`,
          unit: 'µs',
          ours: slowest,
          peer: first.us,
          judged: lost === 0 ? slowest / first.us : Number.POSITIVE_INFINITY,
          gate: 4,
          ambition: 2,
          wanted: 'most',
        },
        {
          row: '3l',
          what: 'processor time when no alarm comes, share of a core',
          unit: '%',
          ours: idle * 100,
          judged: idle * 100,
          gate: 1,
          ambition: 0.3,
          wanted: 'most',
        },
        {
          row: '3l',
          what: `alarms/s after ${size.many}; peer itself at the first ${size.first}`,
          unit: '/s',
          ours: last.perSecond,
          peer: first.perSecond,
          judged: lost === 0 ? last.perSecond / first.perSecond : 0,
          gate: 0.97,
          ambition: 1,
          wanted: 'least',
        },
      ],
      notes: [
        `${IN_PROGRESS} under way at full load after ${size.warmUpMs} ms; ${size.windows} windows of ${size.windowMs} ms at ${PACES.map((pace) => `${pace}/s (${paced.get(pace)?.toFixed(0)} µs)`).join(', ')}, the time of an idle process taken off`,
        `first ${size.first} ${shown(first)}, the last ${size.first} of ${size.many} ${shown(last)}; without an answer within 2 s ${lost} of ${end.sent ?? 0}`,
        `a program that does the steps and nothing else, on the same machine, not judged: ${floorTimes}`,
      ],
    };
  });
}

/** Counts and processor time of a worker. */
function watched(load: Load, worker: Worker, stream: string) {
  const seen = async () => ({
    ms: processorMs(...worker.pids),
    atMs: performance.now(),
    ...(await load.ask({ kind: 'count' }))[stream],
  });
  const between = async (work: () => Promise<unknown>): Promise<Found> => {
    const before = await seen();
    await work();
    const after = await seen();
    const done = (after.done ?? 0) - (before.done ?? 0);
    return {
      us: ((after.ms - before.ms) * 1_000) / done,
      perSecond: (done * 1_000) / (after.atMs - before.atMs),
    };
  };
  return { seen, between };
}

/** How much dearer an alarm gets on an idle machine whatever the program: it sleeps, and each wake-up finds cold caches. */
async function timesOfFloor(load: Load, floor: Worker, windowMs: number): Promise<string> {
  const { between } = watched(load, floor, FLOOR);
  await load.ask({ kind: 'keep', stream: FLOOR, inFlight: IN_PROGRESS });
  await sleep(windowMs / 2);
  const full = await between(() => sleep(windowMs / 2));
  await load.ask({ kind: 'drain', ms: 5_000 });
  const times = [`full load ${full.us.toFixed(0)} µs`];
  for (const pace of PACES) {
    await load.ask({ kind: 'pace', perSecond: { [FLOOR]: pace } });
    await sleep(2_000);
    const { us } = await between(() => sleep(windowMs));
    times.push(`${pace}/s ${us.toFixed(0)} µs (${(us / full.us).toFixed(1)} times)`);
  }
  await load.ask({ kind: 'drain', ms: 5_000 });
  return times.join(', ');
}

const shown = ({ us, perSecond }: Found): string => `${perSecond.toFixed(0)}/s at ${us.toFixed(0)} µs`;
