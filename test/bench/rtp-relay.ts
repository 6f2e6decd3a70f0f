import { OWN, startOurs, startPlain, startRtpengine } from './media/device.ts';
import { compiled } from './media/program.ts';
import { generatorNote, playRound, type Round } from './media/round.ts';
import type { Bench, BenchContext, BenchResult } from './support/bench.ts';
import { median } from './support/figure.ts';
import { inPlace } from './support/place.ts';

/**
 * Row 7: a packet that comes from one telephone and goes to the other. Ours reads and writes datagrams in a worker thread of
 * Node; rtpengine forwards in user space with one thread; the plain relay does nothing but receive and send.
 */
export const rtpRelay: Bench = { row: 7, name: 'rtp-relay', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const legs = 500;
  const time = quick
    ? { rounds: 2, warmUpMs: 700, windowMs: 1_500 }
    : { rounds: 7, warmUpMs: 2_000, windowMs: 5_000 };
  return await inPlace(async (place) => {
    const folder = place.folder();
    const plan = { ...time, ...OWN.generator(quick), generator: compiled(folder, 'rtp-load', ['-lsrtp2']) };
    const own = OWN.device(quick);
    const ours = await place.keep(startOurs(legs, 'relay', own));
    const rtpengine = await place.keep(startRtpengine(legs, own));
    const plain = await place.keep(startPlain(compiled(folder, 'plain-relay'), legs, own));
    const rounds: { readonly ours: Round; readonly rtpengine: Round; readonly plain: Round }[] = [];
    for (let round = 1; round <= time.rounds; round++) {
      const found = {
        ours: await playRound(ours, plan),
        rtpengine: await playRound(rtpengine, plan),
        plain: await playRound(plain, plan),
      };
      rounds.push(found);
      const each = Object.entries(found).map(
        ([name, { usPerPacket }]) => `${name} ${usPerPacket.toFixed(1)} µs`,
      );
      say(`round ${round}: ${each.join(', ')}`);
    }
    const cost = (name: 'ours' | 'rtpengine' | 'plain') => rounds.map((each) => each[name].usPerPacket);
    const received = rounds.flatMap((each) => [
      each.ours.received,
      each.rtpengine.received,
      each.plain.received,
    ]);
    const lost = received.reduce((sum, { sent, passed }) => sum + sent - passed, 0);
    const against = (peer: 'rtpengine' | 'plain', gate: number, ambition: number) => ({
      row: 7,
      what: `processor time for a relayed packet, ${legs} legs; peer ${peer === 'plain' ? 'plain C relay' : 'rtpengine in user space'}`,
      unit: 'µs',
      ours: median(cost('ours')),
      peer: median(cost(peer)),
      judged: median(rounds.map((each) => each.ours.usPerPacket / each[peer].usPerPacket)),
      gate,
      ambition,
      wanted: 'most' as const,
    });
    const p99 = (of: 'ours' | 'rtpengine' | 'plain') =>
      `${(median(rounds.map((each) => each[of].received.transitP99Us)) / 1_000).toFixed(1)} ms`;
    return {
      figures: [against('rtpengine', 1.5, 1.1), against('plain', 3, 2.2)],
      notes: [
        `${legs} legs, 50 packets/s each both ways, phases spread; rounds in turn, ${time.rounds} of ${time.windowMs} ms after ${time.warmUpMs} ms, median`,
        `through in (p99): ours ${p99('ours')}, rtpengine ${p99('rtpengine')}, plain ${p99('plain')}`,
        `lost ${lost} packets of ${received.reduce((sum, { sent }) => sum + sent, 0)}; ${generatorNote(received)}`,
      ],
    };
  });
}
