import { availableParallelism } from 'node:os';

/** Chosen: so often is what we use of the processor looked at; asking costs two system calls. */
const EVERY_MS = 1_000;

/**
 * The share of the processor that this appliance uses itself: this thread of one core, or the whole process of all cores it may
 * use, whichever is more. The use of other programs, and the time that the host of a virtual machine steals, are in neither.
 */
export class ShareMeter {
  readonly #cores = availableParallelism();
  #atMs = 0;
  #thread = process.threadCpuUsage();
  #process = process.cpuUsage();

  /** 0 to 1, since the last time; undefined: it is too soon. */
  read(nowMs: number): number | undefined {
    const spanMs = nowMs - this.#atMs;
    if (spanMs < EVERY_MS) return undefined;
    this.#atMs = nowMs;
    const [thread, whole] = [process.threadCpuUsage(), process.cpuUsage()];
    const ofThread = usedMs(this.#thread, thread) / spanMs;
    const ofProcess = usedMs(this.#process, whole) / spanMs / this.#cores;
    this.#thread = thread;
    this.#process = whole;
    return Math.max(ofThread, ofProcess);
  }
}

interface Used {
  readonly user: number;
  readonly system: number;
}

const usedMs = (before: Used, after: Used): number =>
  (after.user + after.system - before.user - before.system) / 1_000;
