import type { FrameSink } from '../audio/index.ts';
import { HIGH_HZ, LOW_HZ } from './digit.codes.ts';
import { type DetectedStmf, StmfReader } from './stmf-reader.ts';
import { ToneBank } from './tone-bank.ts';
import type { StmfTimes } from './tone-script.ts';

/** Chosen: between 1.5 % (accept) and 3.5 % (reject), as wide as the specification of the windows has it. */
const DEVIATION = 0.025;
/** Chosen: what is left of a tone when a frame of 20 ms was lost at either end of it. */
const SHORTEST_SHARE = 0.6;

/** Digits in sequential tones (STMF) in audio: `ToneBank` hears the rows and columns, `StmfReader` makes digits of them. */
export class StmfDetector implements FrameSink {
  readonly #bank: ToneBank;

  constructor(times: StmfTimes, emit: (event: DetectedStmf) => void) {
    const reader = new StmfReader(times, emit);
    const wanted = (ms: number) => (hz: number) => ({ hz, deviation: DEVIATION, minMs: ms * SHORTEST_SHARE });
    this.#bank = new ToneBank(
      [...LOW_HZ.map(wanted(times.rowMs)), ...HIGH_HZ.map(wanted(times.columnMs))],
      (tone) => reader.tone(tone),
    );
  }

  /** The next 20 ms. A tick that does not follow the last one is a break: what sounded has ended. */
  push(frame: Int16Array, tick: number, lost: boolean): void {
    this.#bank.push(frame, tick, lost);
  }
}
