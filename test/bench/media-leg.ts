import { OWN, startOurs, startRtpengine } from './media/device.ts';
import { compiled } from './media/program.ts';
import { generatorNote, playRound, type Round } from './media/round.ts';
import type { Bench, BenchContext, BenchResult } from './support/bench.ts';
import { median } from './support/figure.ts';
import { inPlace } from './support/place.ts';

/**
 * Row 8: a leg that does everything: its packets are decoded and heard by the DTMF detector, and a prompt is played to it.
 * The peer only forwards: what an IVR costs beside what carrying audio costs anyway.
 */
export const mediaLeg: Bench = { row: 8, name: 'media-leg', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const legs = 500;
  const time = quick
    ? { rounds: 2, warmUpMs: 700, windowMs: 1_500 }
    : { rounds: 7, warmUpMs: 2_000, windowMs: 5_000 };
  return await inPlace(async (place) => {
    const generator = compiled(place.folder(), 'rtp-load', ['-lsrtp2']);
    const plan = { ...time, ...OWN.generator(quick), generator };
    const own = OWN.device(quick);
    const rtpengine = await place.keep(startRtpengine(legs, own));
    // Both would play all the time: one after the other.
    const rounds: { readonly coded: Round; readonly samples: Round; readonly peer: Round }[] = [];
    for (let round = 1; round <= time.rounds; round++) {
      const worked = async (work: 'playback' | 'samples'): Promise<Round> =>
        await inPlace(async (inner) => await playRound(await inner.keep(startOurs(legs, work, own)), plan));
      const found = {
        coded: await worked('playback'),
        samples: await worked('samples'),
        peer: await playRound(rtpengine, plan),
      };
      rounds.push(found);
      const each = Object.entries(found).map(
        ([name, { usPerPacket }]) => `${name} ${usPerPacket.toFixed(1)} µs`,
      );
      say(`round ${round}: ${each.join(', ')}`);
    }
    const cost = (name: keyof (typeof rounds)[number]) => rounds.map((each) => each[name].usPerPacket);
    const figure = (name: 'coded' | 'samples', what: string) => ({
      row: 8,
      what: `processor time for a packet decoded, heard by the DTMF detector, and answered ${what}; peer rtpengine forwarding`,
      unit: 'µs',
      ours: median(cost(name)),
      peer: median(cost('peer')),
      judged: median(rounds.map((each) => each[name].usPerPacket / each.peer.usPerPacket)),
      gate: 2.2,
      ambition: 1.6,
      wanted: 'most' as const,
    });
    const received = rounds.flatMap((each) => [
      each.coded.received,
      each.samples.received,
      each.peer.received,
    ]);
    return {
      figures: [figure('coded', 'with a prompt'), figure('samples', 'with a prompt encoded for each leg')],
      notes: [
        `${legs} legs, 50 packets/s each both ways, phases spread; rounds in turn, ${time.rounds} of ${time.windowMs} ms after ${time.warmUpMs} ms, median`,
        `ours sends late by (p99) ${(median(rounds.map((each) => each.coded.received.gridP99Us)) / 1_000).toFixed(1)} ms, holes ${received.reduce((sum, { missing }) => sum + missing, 0)}`,
        generatorNote(received),
      ],
    };
  });
}
