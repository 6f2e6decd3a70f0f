import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { median } from './support/figure.ts';
import { measureGenerator, streamTo } from './support/generator.ts';
import { startKamailio } from './support/kamailio.ts';
import { inPlace } from './support/place.ts';
import { processorMs } from './support/processor-time.ts';
import { type Appliance, alarmBridge, startAppliance, startApplication, startLoad } from './support/start.ts';

/** Always so many alarms under way, and so many MESSAGE requests: enough that neither ever waits for work. */
const ALARMS_UNDER_WAY = 128;
const MESSAGES_UNDER_WAY = 32;
const TESTED_CORE = 0;
const OTHER_CORE = 1;

/**
 * Row 3: alarms a second on one core, each synced to the disk, posted to the application and answered. Appliance and
 * Kamailio are bound to the same core with all their threads and take turns; generator and application have the other.
 * A program that does not fill the core (because the other side is the slower one) is credited with the rest: the rate is that
 * of a core in full use.
 */
export const alarmRate: Bench = { row: 3, name: 'alarm-rate', run };

interface Turn {
  /** Done a second, as it was. */
  readonly perSecond: number;
  /** Share of the core in use. */
  readonly busy: number;
}

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const time = quick
    ? { repetitions: 2, windowMs: 3_000, warmUpMs: 4_000 }
    : { repetitions: 5, windowMs: 10_000, warmUpMs: 40_000 };
  const most = await measureGenerator('alarm', quick ? 1_000 : 4_000);
  say(`the generator alone: ${most.toFixed(0)} alarms/s`);
  return await inPlace(async (place) => {
    const { application, trust, url } = await startApplication(place, { core: OTHER_CORE });
    const ours = await place.keep(
      startAppliance(
        {
          folder: place.folder(),
          part: 'whole',
          bridges: [alarmBridge(url)],
          devices: [],
          fleet: { prefix: 'device-', count: 1_000, fields: {} },
          trust,
        },
        { core: TESTED_CORE },
      ),
    );
    const peer = await place.keep(startKamailio({ core: TESTED_CORE }));
    const streams = [
      { ...streamTo(ours.ready.udp, 'alarm'), name: 'ours' },
      { ...streamTo(peer.port, 'message'), name: 'kamailio' },
    ];
    const load = await place.keep(startLoad(streams, { core: OTHER_CORE }));

    const turn = async (stream: string, pid: number, underWay: number, warmUpMs: number): Promise<Turn> => {
      await load.ask({ kind: 'keep', stream, underWay });
      await sleep(warmUpMs);
      const before = { ms: processorMs(pid), done: (await load.ask({ kind: 'count' }))[stream]?.done ?? 0 };
      const startMs = performance.now();
      await sleep(time.windowMs);
      const after = { ms: processorMs(pid), done: (await load.ask({ kind: 'count' }))[stream]?.done ?? 0 };
      const tookMs = performance.now() - startMs;
      await load.ask({ kind: 'drain', ms: 5_000 });
      await application.ask('take');
      return {
        perSecond: ((after.done - before.done) * 1000) / tookMs,
        busy: (after.ms - before.ms) / tookMs,
      };
    };

    // A few first: connections to the application open one by one and not all in one moment.
    await turn('ours', ours.pid, 8, 3_000);
    await turn('ours', ours.pid, ALARMS_UNDER_WAY, time.warmUpMs);
    const turns: { readonly ours: Turn; readonly peer: Turn }[] = [];
    const warm = (await load.ask({ kind: 'count' })).ours;
    await ours.ask('report');
    for (let repetition = 1; repetition <= time.repetitions; repetition++) {
      const each = {
        ours: await turn('ours', ours.pid, ALARMS_UNDER_WAY, 1_000),
        peer: await turn('kamailio', peer.pid, MESSAGES_UNDER_WAY, 1_000),
      };
      turns.push(each);
      say(
        `turn ${repetition}: ours ${shown(each.ours)}, Kamailio ${shown(each.peer)}, ${((100 * full(each.ours)) / full(each.peer)).toFixed(1)} %`,
      );
    }
    const report = await ours.ask('report');
    const end = await load.ask({ kind: 'count' });
    const sent = (end.ours?.sent ?? 0) - (warm?.sent ?? 0);
    const lost = sent - (end.ours?.done ?? 0) + (warm?.done ?? 0);
    const ratio = median(turns.map((each) => full(each.ours) / full(each.peer)));
    return {
      figures: [
        {
          row: 3,
          what: 'alarms/s on one core, synced, told and answered; peer Kamailio, MESSAGE/s',
          unit: '/s',
          ours: median(turns.map((each) => full(each.ours))),
          peer: median(turns.map((each) => full(each.peer))),
          judged: lost > 0 ? 0 : ratio,
          gate: 0.15,
          ambition: 0.3,
          wanted: 'least',
        },
      ],
      notes: [
        `closed loop, ${ALARMS_UNDER_WAY} alarms or ${MESSAGES_UNDER_WAY} MESSAGE requests under way; warm-up ${time.warmUpMs} ms; ${time.repetitions} turns of ${time.windowMs} ms each, median`,
        `generator alone ${most.toFixed(0)} alarms/s; core in use: ours ${busy(turns.map((each) => each.ours))}, Kamailio ${busy(turns.map((each) => each.peer))}`,
        `without an answer within 2 s ${lost} of ${sent}; ${report.logged.length} warnings; ${perCommit(report)} callers in a group commit`,
        'all threads of the appliance (SIP, journal writer, thread pool, garbage collection) share the one core',
      ],
    };
  });
}

/** The rate of a core in full use. */
const full = ({ perSecond, busy }: Turn): number => perSecond / Math.min(1, busy);

const shown = (turn: Turn): string => `${turn.perSecond.toFixed(0)}/s at ${(100 * turn.busy).toFixed(0)} %`;

const busy = (turns: readonly Turn[]): string =>
  `${(100 * median(turns.map((turn) => turn.busy))).toFixed(0)} %`;

const perCommit = ({ commits }: Awaited<ReturnType<Appliance['ask']>>): string =>
  (commits.callers / Math.max(1, commits.batches)).toFixed(1);
