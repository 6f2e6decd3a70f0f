import { phrasesOf } from '../../alarm/voice/index.ts';
import { ALARM_POLICY } from '../../call/control/index.ts';
import type { Line } from '../endpoint/telephone.ts';
import { type DetectedSignal, ToneUnit, type ToneUnitProtocol, unitListens } from '../endpoint/tone-unit.ts';
import { openTelephone } from './open-telephone.ts';

/** An alarm in tones to raise, and to whom. */
export interface ToneRun {
  readonly to: string;
  readonly transport: 'udp' | 'tcp';
  readonly domain: string;
  /** User part that is called. */
  readonly receiver: string;
  readonly device: string;
  readonly password: string | undefined;
  readonly protocol: ToneUnitProtocol;
  /** Digits of controller and unit. */
  readonly identity: string;
  /** The call ends by itself after this, ms. */
  readonly talkMs: number;
  /** Hangs up when this is settled; for a person who has seen enough. */
  readonly until?: Promise<unknown>;
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
}

export interface ToneOutcome {
  readonly acknowledged: boolean;
  /** From the last digit of the string to the end of the acknowledge, ms. */
  readonly acknowledgeMs: number | undefined;
  readonly ended: string;
}

/** Rings the receiver as an analogue unit and waits for the end of the call. Rejects when no receiver can be reached. */
export async function simulateTone(run: ToneRun): Promise<ToneOutcome> {
  const unit = ToneUnit.of(run.protocol, run.identity);
  if (!unit.ok) throw new Error(unit.error.reason);
  const startMs = performance.now();
  const print = (text: string): void => run.onStep?.({ atMs: performance.now() - startMs, text });
  const open = await openTelephone({ ...run, user: run.device, policy: ALARM_POLICY });
  const { telephone, media } = open;
  void run.until?.then(() => telephone.hangUp());
  let acknowledgeMs: number | undefined;
  let saidMs = 0;
  let plays = 0;
  let playing: string | undefined;
  /** Cleared: what is being said is said to its end. */
  let releaseMs: number | undefined;
  let limit: NodeJS.Timeout | undefined;

  const release = (line: Line): void => {
    if (releaseMs === undefined || playing !== undefined) return;
    print('is cleared, and hangs up');
    clearTimeout(limit);
    limit = setTimeout(() => line.hangUp(), releaseMs);
  };

  const hear = (line: Line, signal: DetectedSignal): void => {
    print(
      'digit' in signal ? `hears ${signal.digit} of ${Math.round(signal.ms)} ms` : `hears ${signal.hz} Hz`,
    );
    for (const effect of unit.value.onSignal(signal)) {
      if (effect.type === 'say') {
        playing = `${line.name} ${++plays}`;
        print(effect.text);
        void media.play(line.name, playing, { phrases: phrasesOf(effect.tones, 'inaudio'), over: 'instead' });
      } else if (effect.type === 'acknowledged') {
        acknowledgeMs = performance.now() - saidMs;
        print('the alarm is acknowledged');
      } else {
        releaseMs = effect.afterMs;
        release(line);
      }
    }
  };

  try {
    const ended = await new Promise<string>((resolve) => {
      telephone.call(run.receiver, {
        ringing: (_, status) => print(`rings: ${status}`),
        answered: (line) => {
          print('is answered');
          void media.listen(line.name, { profile: 'alarm', digits: true, ...unitListens(run.protocol) });
          limit = setTimeout(() => line.hangUp(), run.talkMs);
        },
        mediaEvent: (line, event) => {
          if (event.kind === 'digit' && event.edge === 'end')
            hear(line, {
              digit: event.digit,
              ms: event.durationMs ?? 0,
              isStmf: event.stmf === 'heard',
            });
          else if (event.kind === 'tone' && event.edge === 'end')
            hear(line, { hz: event.frequencyHz, ms: event.durationMs ?? 0 });
          else if (event.kind === 'played') {
            saidMs = performance.now();
            if (event.play !== playing) return;
            playing = undefined;
            release(line);
          }
        },
        ended: (_, reason) => resolve(reason),
      });
    });
    print(`the call is over: ${ended}`);
    return { acknowledged: acknowledgeMs !== undefined, acknowledgeMs, ended };
  } finally {
    clearTimeout(limit);
    await open.close();
  }
}
