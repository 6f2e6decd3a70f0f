import type { SpeechEvent, SpeechResult } from '../../media/control/index.ts';
import type { ParticipantId, WiredHearing } from '../media-session/index.ts';
import type { Hearing, Sound } from '../sound/index.ts';

export interface SessionHearingsDependencies {
  readonly sound: Sound | undefined;
  readonly legOf: (participant: ParticipantId) => string | undefined;
  /** The participant speaks, or has its result. */
  readonly onSpeech: (hearing: string, event: SpeechEvent) => void;
}

/** The participants of one session whose speech is recognised: begun and ended by what the wiring says. */
export class SessionHearings {
  readonly #dependencies: SessionHearingsDependencies;
  readonly #running = new Map<string, Hearing | undefined>();

  constructor(dependencies: SessionHearingsDependencies) {
    this.#dependencies = dependencies;
  }

  wire(next: readonly WiredHearing[]): void {
    for (const [id, hearing] of [...this.#running]) {
      if (next.some((each) => each.id === id)) continue;
      this.#running.delete(id);
      hearing?.stop();
    }
    for (const wired of next) if (!this.#running.has(wired.id)) this.#begin(wired);
  }

  #begin({ id, participant, speech }: WiredHearing): void {
    const { sound, legOf, onSpeech } = this.#dependencies;
    const leg = legOf(participant);
    this.#running.set(id, undefined);
    if (leg === undefined || sound === undefined) {
      const error =
        leg === undefined ? 'the participant has no audio' : 'this appliance recognises no speech';
      onSpeech(id, { kind: 'ended', result: { reason: 'error', error } });
      return;
    }
    const hearing = sound.hear({
      leg,
      ...(speech.language !== undefined && { language: speech.language }),
      hints: speech.hints ?? [],
      endSilenceMs: speech.endSilence,
      longestMs: speech.maxDuration,
      answerMs: speech.resultTimeout,
      leastConfidence: speech.minConfidence ?? 0,
      onEvent: (event) => onSpeech(id, event),
    });
    if (this.#running.has(id)) this.#running.set(id, hearing);
  }
}

/** For the trace: what became of an utterance, without a word of it. */
export function speechWords({ reason, recogniser, duration, error }: SpeechResult): string {
  const by = recogniser === undefined ? '' : ` by ${recogniser}`;
  const length = duration === undefined ? '' : `, ${duration} ms of speech`;
  return `speech: ${reason}${by}${length}${error === undefined ? '' : `: ${error}`}`;
}
