import {
  bareWorker,
  floorWorker,
  kamailioWorker,
  openApplications,
  ourWorker,
  type Worker,
} from './peer/same-job.ts';
import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { median, spreadOf } from './support/figure.ts';
import { measureGenerator, streamTo } from './support/generator.ts';
import { inPlace } from './support/place.ts';
import { processorMs } from './support/processor-time.ts';
import { startLoad } from './support/start.ts';

/** Always so many under way: each of Kamailio's workers has one, and its socket holds the rest. */
const IN_PROGRESS = 64;
/** Connections to an application open one by one and not all in one moment. */
const FIRST_IN_PROGRESS = 8;

/**
 * Row 3: an alarm from its MESSAGE to its answer: read, synced to the disk, posted over HTTPS on a kept connection, answered.
 * Kamailio with PostgreSQL does the same job; a program of this runtime does the steps and nothing else; Kamailio that only replies
 * shows the distance to the limit. They take turns on the same cores, generator and application beside them. The time of a database
 * and of every helper counts.
 */
export const alarmRate: Bench = { row: 3, name: 'alarm-rate', run };

interface Turn {
  readonly perSecond: number;
  /** Processor time of one, µs. */
  readonly us: number;
}

type Name = 'ours' | 'peer' | 'floor' | 'bare';

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const time = quick
    ? { repetitions: 2, windowMs: 3_000, warmUpMs: 4_000 }
    : { repetitions: 5, windowMs: 10_000, warmUpMs: 40_000 };
  const most = await measureGenerator('alarm', quick ? 1_000 : 4_000);
  say(`the generator alone: ${most.toFixed(0)} alarms/s`);
  return await inPlace(async (place) => {
    const applications = await openApplications(place);
    const workers: Readonly<Record<Name, Worker>> = {
      ours: await ourWorker(place, applications),
      peer: await kamailioWorker(place, applications),
      floor: await floorWorker(place, applications),
      bare: await bareWorker(place),
    };
    const names = Object.keys(workers) as Name[];
    const load = await place.keep(
      startLoad(
        names.map((name) => ({
          ...streamTo(workers[name].port, name === 'bare' ? 'message' : 'alarm'),
          name,
        })),
      ),
    );
    const seen = async (name: Name) => ({
      ms: processorMs(...workers[name].pids),
      done: (await load.ask({ kind: 'count' }))[name]?.done ?? 0,
      atMs: performance.now(),
    });
    const turn = async (
      name: Name,
      inProgress: number,
      warmUpMs: number,
      windowMs: number,
    ): Promise<Turn> => {
      await load.ask({ kind: 'keep', stream: name, inFlight: inProgress });
      await sleep(warmUpMs);
      const before = await seen(name);
      await sleep(windowMs);
      const after = await seen(name);
      await load.ask({ kind: 'drain', ms: 5_000 });
      const done = after.done - before.done;
      return {
        perSecond: (done * 1_000) / (after.atMs - before.atMs),
        us: ((after.ms - before.ms) * 1_000) / done,
      };
    };
    for (const name of names) {
      await turn(name, FIRST_IN_PROGRESS, 2_000, 1_000);
      await turn(name, IN_PROGRESS, name === 'ours' ? time.warmUpMs : time.warmUpMs / 4, 1_000);
    }
    const warm = await load.ask({ kind: 'count' });
    await workers.ours.logged?.();
    const turns: Record<Name, Turn>[] = [];
    for (let repetition = 1; repetition <= time.repetitions; repetition++) {
      const each: Partial<Record<Name, Turn>> = {};
      for (const name of names) each[name] = await turn(name, IN_PROGRESS, 1_000, time.windowMs);
      turns.push(each as Record<Name, Turn>);
      say(
        `turn ${repetition}: ${names.map((name) => `${workers[name].title} ${shown(each[name])}`).join(', ')}`,
      );
    }
    const end = await load.ask({ kind: 'count' });
    const lost = (name: Name): number => (end[name]?.sent ?? 0) - (end[name]?.done ?? 0);
    const lostSince = (name: Name): number => lost(name) - (warm[name]?.sent ?? 0) + (warm[name]?.done ?? 0);
    const connections = await Promise.all(
      names.map(async (name) => ({ name, made: (await workers[name].count?.())?.connections ?? 0 })),
    );
    // A peer that opens a connection for each alarm, or loses alarms, does another job.
    const opened = connections.filter(({ name, made }) => made > workers[name].mostConnections);
    const keeps = (one: Name): boolean => lostSince(one) === 0 && !opened.some(({ name }) => name === one);
    const ratios = (of: keyof Turn, name: Name): readonly number[] =>
      turns.map((each) => each.ours[of] / each[name][of]);
    const ratio = (of: keyof Turn, name: Name): number => median(ratios(of, name));
    const middle = (of: keyof Turn, name: Name): number => median(turns.map((each) => each[name][of]));
    const figure = (
      row: string,
      what: string,
      of: keyof Turn,
      name: Name,
      bounds: readonly [number, number],
    ) => ({
      row,
      what: `${what}; peer ${workers[name].title}`,
      unit: of === 'us' ? 'µs' : '/s',
      ours: middle(of, 'ours'),
      peer: middle(of, name),
      spread: spreadOf(ratios(of, name)),
      judged: keeps('ours') && keeps(name) ? ratio(of, name) : of === 'us' ? Number.POSITIVE_INFINITY : 0,
      gate: bounds[0],
      ambition: bounds[1],
      wanted: of === 'us' ? ('most' as const) : ('least' as const),
    });
    const job = 'alarm read, synced, posted over HTTPS, answered';
    const logged = (await workers.ours.logged?.()) ?? [];
    return {
      figures: [
        figure('3', `processor time: ${job}`, 'us', 'peer', [1, 0.6]),
        figure('3', `alarms/s: ${job}`, 'perSecond', 'peer', [1, 1.6]),
        figure('3f', `processor time: ${job}`, 'us', 'floor', [2.5, 1.6]),
      ],
      notes: [
        `closed loop, ${IN_PROGRESS} under way each; warm-up ${time.warmUpMs} ms; ${time.repetitions} turns of ${time.windowMs} ms each, median`,
        `generator alone ${most.toFixed(0)} alarms/s; without an answer within 2 s: ${names.map((name) => `${name} ${lostSince(name)}`).join(', ')}; ${logged.length} warnings of ours`,
        `connections that the application accepted: ${connections.map(({ name, made }) => `${name} ${made}`).join(', ')}; at most one for each worker`,
        `first and last turn: ours ${shown(turns[0]?.ours)} and ${shown(turns.at(-1)?.ours)}, peer ${shown(turns[0]?.peer)} and ${shown(turns.at(-1)?.peer)}`,
        `distance to the limit, not judged: Kamailio answers a MESSAGE in ${middle('us', 'bare').toFixed(0)} µs, ${middle('perSecond', 'bare').toFixed(0)}/s; ours is ${(1 / ratio('us', 'bare')).toFixed(3)} of it`,
        'the peer neither signs nor traces its callbacks; time of PostgreSQL counted in',
      ],
    };
  });
}

const shown = (turn: Turn | undefined): string =>
  turn === undefined ? '-' : `${turn.perSecond.toFixed(0)}/s at ${turn.us.toFixed(0)} µs`;
