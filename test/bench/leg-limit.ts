import { type Device, type DeviceOptions, OWN, startOurs, startRtpengine } from './media/device.ts';
import { compiled } from './media/program.ts';
import { playRound } from './media/round.ts';
import type { Bench, BenchContext, BenchResult } from './support/bench.ts';
import { median } from './support/figure.ts';
import { inPlace } from './support/place.ts';

const LATE_US = 5_000;
/** A generator that is itself later than this says nothing about the device. */
const OWN_LATE_US = 2_000;

type Kind = 'relay' | 'dtmf' | 'rtpengine';

/** From here on in steps, up to the first bad one; down when the first is bad. */
const STEPS: Readonly<Record<Kind, { readonly from: number; readonly by: number; readonly upTo: number }>> = {
  relay: { from: 1_600, by: 200, upTo: 2_800 },
  dtmf: { from: 1_000, by: 100, upTo: 2_000 },
  rtpengine: { from: 2_200, by: 200, upTo: 3_000 },
};

interface Burst {
  readonly good: boolean;
  /** The generator was late itself. */
  readonly void: boolean;
}

/**
 * Row 9: how many legs one core carries before packets come late: the last step with p99 ≤ 5 ms and nothing lost. Device and
 * generator each have a core of their own, first of all that wants to run there (round-robin class, needs root), in
 * bursts of a few seconds.
 */
export const legLimit: Bench = { row: 9, name: 'leg-limit', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const rounds = quick ? 1 : 3;
  const ownLateness: number[] = [];
  return await inPlace(async (place) => {
    const generator = compiled(place.folder(), 'rtp-load', ['-lsrtp2']);
    const burstOnce = async (kind: Kind, legs: number): Promise<Burst> => {
      const found = await inPlace(async (inner) => {
        const device = await inner.keep(startedDevice(kind, legs, OWN.device(quick)));
        const time = quick ? { warmUpMs: 700, windowMs: 1_000 } : { warmUpMs: 1_000, windowMs: 3_000 };
        const { received } = await playRound(device, { generator, ...time, ...OWN.generator(quick) });
        return received;
      });
      const late = kind === 'dtmf' ? found.gridP99Us : found.transitP99Us;
      const lost = kind === 'dtmf' ? found.missing + found.leftOut : found.sent - found.passed;
      ownLateness.push(found.ownP99Us);
      say(
        `${kind} ${legs} legs: late by ${(late / 1_000).toFixed(1)} ms (p99), lost ${lost}; generator ${(found.ownP99Us / 1_000).toFixed(2)} ms`,
      );
      return { good: late <= LATE_US && lost === 0, void: found.ownP99Us > OWN_LATE_US };
    };
    const burst = async (kind: Kind, legs: number): Promise<{ readonly good: boolean }> => {
      const first = await burstOnce(kind, legs);
      if (!first.void) return first;
      const second = await burstOnce(kind, legs);
      return { good: second.good && !second.void };
    };
    /** `from`: near where it was found before. */
    const knee = async (kind: Kind, from: number): Promise<number> => {
      const { by, upTo } = STEPS[kind];
      if (quick) return (await burst(kind, 200)).good ? 200 : 0;
      let legs = from;
      if ((await burst(kind, legs)).good) {
        while (legs + by <= upTo && (await burst(kind, legs + by)).good) legs += by;
        return legs;
      }
      do legs -= by;
      while (legs > 0 && !(await burst(kind, legs)).good);
      return legs;
    };
    const found: Record<Kind, number[]> = { relay: [], dtmf: [], rtpengine: [] };
    for (let round = 0; round < rounds; round++) {
      for (const kind of ['relay', 'rtpengine', 'dtmf'] as const)
        found[kind].push(await knee(kind, found[kind].at(-1) ?? STEPS[kind].from));
    }
    const figure = (kind: 'relay' | 'dtmf', what: string, gate: number, ambition: number) => ({
      row: 9,
      what: `legs on one core, ${what}, sent at most 5 ms late (p99); peer rtpengine relaying`,
      unit: 'legs',
      ours: median(found[kind]),
      peer: median(found.rtpengine),
      judged: median(found[kind].map((legs, round) => legs / (found.rtpengine[round] ?? Number.NaN))),
      gate,
      ambition,
      wanted: 'least' as const,
    });
    return {
      figures: [
        figure('relay', 'relayed', 0.5, 0.75),
        figure('dtmf', 'each with DTMF detector and prompt', 0.3, 0.5),
      ],
      notes: [
        `${rounds} rounds in turn, median; a fresh process for each step; bursts of ${quick ? 1 : 3} s, one core each for device and generator`,
        `steps of ${STEPS.relay.by} (relayed), ${STEPS.dtmf.by} (DTMF), ${STEPS.rtpengine.by} (rtpengine); the generator itself at most ${(Math.max(...ownLateness) / 1_000).toFixed(2)} ms late (p99)`,
        'lateness: of relayed packets their way through the device, of played ones against their 20 ms grid',
      ],
    };
  });
}

function startedDevice(kind: Kind, legs: number, options: DeviceOptions): Promise<Device> {
  if (kind === 'rtpengine') return startRtpengine(legs, options);
  return startOurs(legs, kind === 'relay' ? 'relay' : 'playback', options);
}
