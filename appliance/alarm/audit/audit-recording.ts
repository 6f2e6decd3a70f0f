import type { LegId, MediaEvent } from '../../media/control/index.ts';
import type { VconDigit } from '../../media/recording/index.ts';
import { STMF_TIMES, type StmfTimes, type Tone } from '../protocol/tone/index.ts';

/** In the order of the channels of the file. */
export const DEVICE = 0;
export const CENTRE = 1;

/** Chosen: a call says less than this; a device that never stops must not fill the memory. */
const MOST_DIGITS = 2_000;

/**
 * The tones that were said in one recorded call, with the time of each: `party_history` of the vCon. `send` is what we
 * said to a party, `receive` what came from it.
 */
export class AuditRecording {
  readonly startMs: number;
  readonly #device: LegId;
  readonly #digits: VconDigit[] = [];

  /** @param startMs epoch ms of the first sample */
  constructor(device: LegId, startMs: number) {
    this.#device = device;
    this.startMs = startMs;
  }

  get digits(): readonly VconDigit[] {
    return this.#digits;
  }

  onMediaEvent(event: MediaEvent, wallMs: number): void {
    if (event.kind !== 'digit' || event.edge !== 'end') return;
    // A tone that was not heard does not belong into the record.
    if (event.stmf !== undefined && event.stmf !== 'heard') return;
    const durationMs = event.durationMs ?? 0;
    this.#add({
      party: event.leg === this.#device ? DEVICE : CENTRE,
      direction: 'receive',
      digit: event.digit,
      offsetMs: wallMs - durationMs - this.startMs,
      durationMs,
      toneType: event.source === 'inband' ? 'inaudio' : '2833',
    });
  }

  /** Tones that begin to play to the device now. */
  said(tones: readonly Tone[], toneType: '2833' | 'inaudio', wallMs: number): void {
    let offsetMs = wallMs - this.startMs;
    for (const tone of tones) {
      if ('silenceMs' in tone) {
        offsetMs += tone.silenceMs;
        continue;
      }
      if ('hz' in tone) {
        offsetMs += tone.ms;
        continue;
      }
      const [digits, onMs, offMs] =
        'digit' in tone
          ? [tone.digit, tone.ms, 0]
          : 'stmf' in tone
            ? [tone.digits, ...onAndOff(tone.times)]
            : [tone.digits, tone.onMs, tone.offMs];
      for (const digit of digits) {
        this.#add({ party: DEVICE, direction: 'send', digit, offsetMs, durationMs: onMs, toneType });
        offsetMs += onMs + offMs;
      }
    }
  }

  #add(digit: VconDigit): void {
    if (this.#digits.length < MOST_DIGITS)
      this.#digits.push({ ...digit, offsetMs: Math.max(0, digit.offsetMs) });
  }
}

/** Row and column tone with the pause between them, and the pause behind (TT92). */
function onAndOff({ rowMs, gapMs, columnMs, digitMs }: StmfTimes = STMF_TIMES): [number, number] {
  const onMs = rowMs + gapMs + columnMs;
  return [onMs, digitMs - onMs];
}
