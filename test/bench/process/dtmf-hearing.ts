import { DtmfDetector, IVR_PROFILE } from '#appliance/media/dtmf/index.ts';
import { threadMsOf } from '../../support/processor/thread-time.ts';
import { serveParent } from './serve-parent.ts';

/** The sound that is heard again and again. */
export interface DtmfSetting {
  readonly samples: Int16Array;
}

/** So many rounds; the answer is the processor time of the fastest, ns. */
export interface DtmfTurn {
  readonly rounds: number;
}

/** A detector as a listening leg has it, in a process of its own, warmed up by five rounds. */
serveParent<DtmfSetting, null, DtmfTurn, number>(async ({ samples }) => {
  const frames = Array.from({ length: Math.floor(samples.length / 160) }, (_, i) =>
    samples.subarray(i * 160, (i + 1) * 160),
  );
  const fastest = (rounds: number): number => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) {
      const detector = new DtmfDetector(IVR_PROFILE, () => undefined);
      const spentMs = threadMsOf(() => {
        for (const [tick, frame] of frames.entries()) detector.push(frame, tick, false);
      });
      best = Math.min(best, spentMs * 1e6);
    }
    return best;
  };
  fastest(5);
  return {
    ready: null,
    answer: ({ rounds }) => fastest(rounds),
    close: () => Promise.resolve(),
  };
});
