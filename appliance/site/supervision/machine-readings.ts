import {
  type DiskReading,
  type Judgement,
  judgeClock,
  judgeDisk,
  judgeLate,
  judgeMemory,
  type LateReading,
  type MemoryReading,
  p99,
} from '../index.ts';

/** Figures of the machine; undefined: they cannot be had now. */
export interface MachineReading {
  readonly memory: MemoryReading | undefined;
  readonly disk: DiskReading | undefined;
  readonly late: LateReading;
  readonly synchronised: boolean | undefined;
}

/** The figures judged, by the alarm that each raises (`error`, or `error service`). */
export const judgeMachine = ({
  memory,
  disk,
  late,
  synchronised,
}: MachineReading): Readonly<Record<string, Judgement>> => ({
  ...(memory && { lowMemory: judgeMemory(memory) }),
  ...(disk && { diskPressure: judgeDisk(disk) }),
  // Chosen: an alarm of a kind that every control plane knows, also an older one.
  'serviceFailure processor': judgeLate(late),
  ...(synchronised !== undefined && { clockUnsynchronised: judgeClock(synchronised) }),
});

const SAMPLES = 100;

/** How fast the disk is, as alarms see it: the 99th of a hundred synced commits, ms; undefined when one fails. */
export async function syncedWrites(
  write: () => Promise<unknown>,
  monoMs: () => number,
): Promise<number | undefined> {
  const samples: number[] = [];
  try {
    for (let sample = 0; sample < SAMPLES; sample++) {
      const beganMs = monoMs();
      await write();
      samples.push(monoMs() - beganMs);
    }
  } catch {
    return undefined;
  }
  return p99(samples);
}
