import {
  begin,
  type EmergencyList,
  type ListEffect,
  type ListInput,
  step,
} from '#appliance/alarm/emergency-list/index.ts';
import { CALLEE_LISTENING, LineEvidence } from '#appliance/alarm/people/line-evidence.ts';
import { FRAME_MS, FRAME_SAMPLES, pcma } from '#appliance/media/audio/index.ts';
import type { MediaEvent } from '#appliance/media/control/index.ts';
import { dtmf, render } from '#appliance/media/dtmf/index.ts';
import { LegDigits } from '#appliance/media/engine/leg/leg-digits.ts';

/** A party that answers: its audio from the answer on. A person presses 1 when the question comes. */
export interface Party {
  readonly sound: Int16Array;
  readonly isPerson: boolean;
}

type TimelessInput = ListInput extends infer Input
  ? Input extends ListInput
    ? Omit<Input, 'at'>
    : never
  : never;

export interface Ending {
  /** Its call was ended before it had the alarm, or while it had it. */
  readonly isDropped: boolean;
  /** It has the alarm in the end. */
  readonly hasAlarm: boolean;
  /** It was asked for the key although its answer alone was to take the alarm. */
  readonly isAsked: boolean;
  /** From the answer to the call of the next entry, ms; absent: it was not called. */
  readonly nextMs?: number;
}

/** A person presses the key so long after the question, ms. */
const THINKS_MS = 4_000;
/** A question is heard for so long and so loud. */
const QUESTION_MS = 5_000;
const QUESTION_DBM0 = -16;
/** A person has decided by then; the windows of a machine are over. */
const WATCHED_MS = { person: 40_000, machine: 66_000 } as const;
/** The attempt of the party, and the one after it. */
const [FIRST, NEXT] = [1, 2];
const KEY = render(dtmfOf('1'));

/**
 * One call of a list as the host runs it: the ear of the leg, the evidence of the line and the list, on the audio of the party after
 * A-law. The next entry rings and does not answer.
 */
export function answersCall(party: Party, accept: 'key' | 'answer'): Ending {
  const call = new ListCall(accept);
  const watchedMs = party.isPerson ? WATCHED_MS.person : WATCHED_MS.machine;
  for (let ms = 0; ms < watchedMs; ms += FRAME_MS) call.tick(ms, party);
  return call.ending;
}

class ListCall {
  readonly #accept: 'key' | 'answer';
  readonly #evidence = new LineEvidence();
  readonly #ear: LegDigits;
  readonly #inputs: TimelessInput[] = [];
  #list: EmergencyList;
  #now = 0;
  #wakeAt = Number.POSITIVE_INFINITY;
  #saysUntil = 0;
  #pressAt = Number.POSITIVE_INFINITY;
  #isDropped = false;
  #isAsked = false;
  #nextMs: number | undefined;

  constructor(accept: 'key' | 'answer') {
    this.#accept = accept;
    this.#ear = new LegDigits('callee', 'ordinary', (event) => this.#onMediaEvent(event));
    this.#ear.listen(CALLEE_LISTENING);
    const entry = (destination: string) => ({ destination, ringMs: 25_000, accept });
    const steps = [[entry('first')], [entry('next')]];
    const plan = { steps, rounds: 1, pauseMs: 60_000, longestMs: 600_000 };
    const begun = begin(plan, true, 0, true);
    this.#list = begun.state;
    this.#perform(begun.effects);
    this.#input({ type: 'answered', attempt: FIRST });
  }

  get ending(): Ending {
    const hasAlarm = this.#list.attempts.some(({ id, phase }) => id === FIRST && phase === 'accepted');
    const nextMs = this.#nextMs;
    return {
      isDropped: this.#isDropped,
      hasAlarm,
      isAsked: this.#isAsked,
      ...(nextMs !== undefined && { nextMs }),
    };
  }

  tick(ms: number, { sound, isPerson }: Party): void {
    this.#now = ms;
    const frame = new Int16Array(FRAME_SAMPLES);
    frame.set(sound.subarray(ms * 8, ms * 8 + FRAME_SAMPLES));
    const pressedMs = ms - this.#pressAt;
    if (isPerson && pressedMs >= 0 && pressedMs * 8 < KEY.length)
      frame.set(KEY.subarray(pressedMs * 8, pressedMs * 8 + FRAME_SAMPLES));
    if (ms < this.#saysUntil) this.#ear.sent(QUESTION_DBM0);
    this.#ear.tick(
      { frame: decodedFrame(frame), speaking: true, lost: false, levelAhead: () => undefined },
      ms / FRAME_MS,
      ms,
    );
    for (const input of this.#inputs.splice(0)) this.#input(input);
    if (ms >= this.#wakeAt) this.#input({ type: 'timer' });
  }

  #onMediaEvent(event: MediaEvent): void {
    if (event.kind === 'digit') {
      if (event.edge === 'begin') this.#inputs.push({ type: 'key', attempt: FIRST, key: event.digit });
      return;
    }
    const evidence = this.#evidence.evidenceOf(event);
    if (evidence !== undefined) this.#inputs.push({ type: 'evidence', attempt: FIRST, evidence });
  }

  #input(input: TimelessInput): void {
    const next = step(this.#list, { ...input, at: this.#now } as ListInput);
    this.#list = next.state;
    this.#perform(next.effects);
  }

  #perform(effects: readonly ListEffect[]): void {
    for (const effect of effects) {
      if (effect.type === 'wake') this.#wakeAt = this.#now + effect.ms;
      else if (effect.type === 'sleep') this.#wakeAt = Number.POSITIVE_INFINITY;
      else if (effect.type === 'commit')
        this.#inputs.push({ type: 'committed', attempt: effect.attempt, isStored: true });
      else if (effect.type === 'dial' && effect.attempt === NEXT) this.#nextMs = this.#now;
      else if (effect.type === 'hangUp' && effect.attempt === FIRST) this.#isDropped = true;
      else if (effect.type === 'say' && effect.attempt === FIRST) this.#asks(effect.sentence);
    }
  }

  #asks(sentence: string): void {
    if (sentence !== 'announce' && sentence !== 'how') return;
    if (this.#accept === 'answer') this.#isAsked = true;
    this.#saysUntil = this.#now + QUESTION_MS;
    if (this.#pressAt === Number.POSITIVE_INFINITY) this.#pressAt = this.#now + THINKS_MS;
  }
}

/** The frame behind the codec of the line. */
function decodedFrame(frame: Int16Array): Int16Array {
  const bytes = new Uint8Array(frame.length);
  pcma.encode(frame, bytes, 0);
  const out = new Int16Array(frame.length);
  pcma.decode(bytes, 0, bytes.length, out);
  return out;
}

function dtmfOf(digits: string) {
  const made = dtmf(digits, { onMs: 120 });
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
}
