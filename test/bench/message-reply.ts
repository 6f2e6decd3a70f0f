import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { median } from './support/figure.ts';
import { measureGenerator, streamTo } from './support/generator.ts';
import { startKamailio } from './support/kamailio.ts';
import { inPlace } from './support/place.ts';
import { processorMs } from './support/processor-time.ts';
import { startAppliance, startLoad } from './support/start.ts';

/** Requests a second to each of the two. */
const PER_SECOND = 2_000;

/**
 * Row 1: a MESSAGE answered 200 over UDP. Both get the same load from the same generator at the same time, so that
 * whatever else this machine does meets both alike; each window compares what the scheduler accounted to each.
 *
 * The warm-up is longer than timer J (RFC 3261: 32 s over UDP), so that as many transactions end as begin.
 */
export const messageReply: Bench = { row: 1, name: 'message-reply', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const time = quick
    ? { repetitions: 3, windowMs: 2_000, warmUpMs: 4_000 }
    : { repetitions: 7, windowMs: 8_000, warmUpMs: 40_000 };
  const most = await measureGenerator('message', quick ? 1_000 : 4_000);
  say(`the generator alone: ${most.toFixed(0)} MESSAGE/s`);
  return await inPlace(async (place) => {
    const fleet = { prefix: 'device-', count: 1_000, fields: {} };
    const setting = { folder: place.folder(), part: 'answering', bridges: [], devices: [], fleet } as const;
    const ours = await place.keep(startAppliance(setting));
    const peer = await place.keep(startKamailio());
    const streams = [
      { ...streamTo(ours.ready.udp, 'message'), name: 'ours' },
      { ...streamTo(peer.port, 'message'), name: 'kamailio' },
    ];
    const load = await place.keep(startLoad(streams));
    await load.ask({ kind: 'pace', perSecond: { ours: PER_SECOND, kamailio: PER_SECOND } });
    await sleep(time.warmUpMs);

    const windows: { readonly ours: number; readonly peer: number }[] = [];
    for (let repetition = 1; repetition <= time.repetitions; repetition++) {
      const before = { ...sampled(ours.pid, peer.pid), load: await load.ask({ kind: 'count' }) };
      await sleep(time.windowMs);
      const after = { ...sampled(ours.pid, peer.pid), load: await load.ask({ kind: 'count' }) };
      const done = (name: string) => (after.load[name]?.done ?? 0) - (before.load[name]?.done ?? 0);
      const window = {
        ours: ((after.ours - before.ours) * 1000) / done('ours'),
        peer: ((after.peer - before.peer) * 1000) / done('kamailio'),
      };
      windows.push(window);
      say(`window ${repetition}: ours ${window.ours.toFixed(1)} µs, Kamailio ${window.peer.toFixed(1)} µs`);
    }
    const end = await load.ask({ kind: 'drain', ms: 2_000 });
    const lost = (end.ours?.inFlight ?? 0) + (end.kamailio?.inFlight ?? 0);
    const { counts, logged } = await ours.ask('report');
    const ratio = median(windows.map((window) => window.ours / window.peer));
    return {
      figures: [
        {
          row: 1,
          what: 'processor time for a MESSAGE answered 200, UDP; peer Kamailio, stateful reply',
          unit: 'µs',
          ours: median(windows.map((window) => window.ours)),
          peer: median(windows.map((window) => window.peer)),
          judged: lost > 0 ? Number.POSITIVE_INFINITY : ratio,
          gate: 1.3,
          ambition: 1,
          wanted: 'most',
        },
      ],
      notes: [
        `load ${PER_SECOND}/s to each at once; warm-up ${time.warmUpMs} ms; ${time.repetitions} windows of ${time.windowMs} ms, median`,
        `generator alone ${most.toFixed(0)}/s, ${((200 * PER_SECOND) / most).toFixed(0)} % of it used`,
        `unanswered ${lost} of ${(end.ours?.sent ?? 0) + (end.kamailio?.sent ?? 0)}; other answers ${(end.ours?.refused ?? 0) + (end.kamailio?.refused ?? 0)}; defects ${counts.defects}; ${logged.length} warnings`,
        'ours: node on the TypeScript sources; endpoint, capability, authenticator, look-up among 1,000 devices',
      ],
    };
  });
}

const sampled = (ours: number, peer: number) => ({ ours: processorMs(ours), peer: processorMs(peer) });
