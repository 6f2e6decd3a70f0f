import { OWN, startOurs } from './media/device.ts';
import { compiled, finished } from './media/program.ts';
import { generatorNote, playRound, type Round } from './media/round.ts';
import type { Bench, BenchContext, BenchResult } from './support/bench.ts';
import { median } from './support/figure.ts';
import { inPlace } from './support/place.ts';

/** libsrtp at its best: Debian's, built on NSS, takes ten times as long with hundreds of streams. */
const PEER_STREAMS = 20;

/**
 * Row 10: what SRTP adds to a packet that comes and goes, AES_CM_128_HMAC_SHA1_80 on both sides: bridged legs through the
 * slices with it, less the same legs without it. The peer unprotects and protects in memory.
 */
export const srtp: Bench = { row: 10, name: 'srtp', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const legs = 500;
  const time = quick
    ? { rounds: 2, warmUpMs: 700, windowMs: 1_500 }
    : { rounds: 7, warmUpMs: 2_000, windowMs: 5_000 };
  const keys = { sendKey: new Uint8Array(30).fill(1), receiveKey: new Uint8Array(30).fill(2) };
  return await inPlace(async (place) => {
    const folder = place.folder();
    const plan = { ...time, ...OWN.generator(quick), generator: compiled(folder, 'rtp-load', ['-lsrtp2']) };
    const own = OWN.device(quick);
    const libsrtp = compiled(folder, 'libsrtp-cost', ['-lsrtp2']);
    const rounds: { readonly plain: Round; readonly secured: Round; readonly peerUs: number }[] = [];
    for (let round = 1; round <= time.rounds; round++) {
      const plain = await inPlace(async (inner) => {
        const device = await inner.keep(startOurs(legs, 'mixed', own));
        return await playRound(device, plan);
      });
      const secured = await inPlace(async (inner) => {
        const device = await inner.keep(startOurs(legs, 'mixed', { ...own, srtp: keys }));
        return await playRound(device, { ...plan, srtpKey: keys.receiveKey });
      });
      const lines = (await finished(libsrtp, [String(PEER_STREAMS), '60'])).trim().split('\n');
      const peerUs = median(lines.slice(10).map(Number)) / 1_000;
      rounds.push({ plain, secured, peerUs });
      say(
        `round ${round}: plain ${plain.usPerPacket.toFixed(1)} µs, SRTP ${secured.usPerPacket.toFixed(1)} µs, libsrtp ${peerUs.toFixed(1)} µs`,
      );
    }
    const extra = rounds.map(({ plain, secured }) => secured.usPerPacket - plain.usPerPacket);
    const received = rounds.flatMap(({ plain, secured }) => [plain.received, secured.received]);
    return {
      figures: [
        {
          row: 10,
          what: `processor time that SRTP adds to a packet, both ways, ${legs} legs; peer libsrtp`,
          unit: 'µs',
          ours: median(extra),
          peer: median(rounds.map(({ peerUs }) => peerUs)),
          judged: median(rounds.map(({ peerUs }, round) => (extra[round] ?? Number.NaN) / peerUs)),
          gate: 1.5,
          ambition: 1,
          wanted: 'most',
        },
      ],
      notes: [
        `${legs} bridged legs, 50 packets/s each both ways; rounds in turn, ${time.rounds} of ${time.windowMs} ms after ${time.warmUpMs} ms, median`,
        `without ${median(rounds.map(({ plain }) => plain.usPerPacket)).toFixed(1)} µs, with ${median(rounds.map(({ secured }) => secured.usPerPacket)).toFixed(1)} µs; libsrtp with ${PEER_STREAMS} streams, in memory`,
        generatorNote(received),
      ],
    };
  });
}
