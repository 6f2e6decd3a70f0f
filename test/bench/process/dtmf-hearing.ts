import { DtmfDetector, IVR_PROFILE } from '#appliance/media/dtmf/index.ts';
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
      const before = process.threadCpuUsage();
      for (const [tick, frame] of frames.entries()) detector.push(frame, tick, false);
      const { user, system } = process.threadCpuUsage(before);
      best = Math.min(best, (user + system) * 1_000);
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
