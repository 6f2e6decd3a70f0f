import type { Result } from '#shared/result.ts';
import type { RingMemory } from '../../audio/index.ts';
import type {
  ConferenceId,
  DigitRelay,
  LegId,
  MediaFault,
  ParticipantSetting,
  TapId,
} from '../../control/index.ts';
import { DIGITS, type DigitSource } from '../../dtmf/index.ts';

/** Names what joins two workers; the same at both ends. */
export type LinkId = string;

/**
 * One end of what joins a leg with a leg or a conference of another worker: everything that passes is in rings, one frame
 * each way and tick. The word that other rings have for the tick of a frame is its mark here.
 *
 * ```
 *   worker 1:  leg a ── far b      says ═════════════> hears      far a ── leg b :worker 2
 *                                  hears <════════════ says
 * ```
 */
export interface LinkEnd {
  readonly link: LinkId;
  /** Written here, read there; and the other way round. */
  readonly says: RingMemory;
  readonly hears: RingMemory;
  /** The prompts of a participant, for a monitor of the conference: written at its leg, read at the conference. */
  readonly prompts?: RingMemory;
  /** How digits pass, as for `connect`: those heard of the leg here, and those for it. */
  readonly relay?: { readonly out: DigitRelay; readonly in: DigitRelay };
}

type Done = Result<undefined, MediaFault>;

/** The commands of an engine besides those of a `Media`: how its legs hear those of other workers. */
export interface LinkCommands {
  /** The leg hears and is heard over there, as after `connect`. */
  link(leg: LegId, end: LinkEnd): Done;
  /** A leg of another worker takes part, as after `join`; it answers to the name it has there. */
  admit(conference: ConferenceId, leg: LegId, end: LinkEnd, participant: ParticipantSetting): Done;
  /** Either is over; no fault when it was before. */
  unlink(link: LinkId): Done;
  /** A leg of a tap is on another worker: what it says comes by this ring. */
  feed(tap: TapId, leg: LegId, ring: RingMemory): Done;
}

/** The data that pass with the samples of a frame. */
export interface Mark {
  speaking: boolean;
  /** The leg may be sent telephone-events now. */
  takesEvents: boolean;
  /** A digit that began or ended. */
  edge: {
    readonly kind: 'begin' | 'end';
    readonly digit: string;
    readonly source: DigitSource;
    /** At the end, ms. */
    readonly durationMs: number;
  } | null;
}

const SPEAKING = 1;
const TAKES_EVENTS = 2;
const BEGINS = 4;
const ENDS = 8;
const BY_EVENT = 16;
const DIGIT_SHIFT = 5;
const DURATION_SHIFT = 9;
const MOST_MS = 0xffff;

/** A mark as one word: flags, digit (4 bits), duration (16). */
export function packMark({ speaking, takesEvents, edge }: Mark): number {
  const flags = (speaking ? SPEAKING : 0) | (takesEvents ? TAKES_EVENTS : 0);
  if (edge === null) return flags;
  const digit = Math.max(0, DIGITS.indexOf(edge.digit)) << DIGIT_SHIFT;
  const duration = Math.min(MOST_MS, Math.round(edge.durationMs)) << DURATION_SHIFT;
  const kind = edge.kind === 'begin' ? BEGINS : ENDS;
  return flags | kind | (edge.source === 'event' ? BY_EVENT : 0) | digit | duration;
}

export function unpackMark(word: number): Mark {
  const has = (word & (BEGINS | ENDS)) !== 0;
  return {
    speaking: (word & SPEAKING) !== 0,
    takesEvents: (word & TAKES_EVENTS) !== 0,
    edge: !has
      ? null
      : {
          kind: (word & BEGINS) !== 0 ? 'begin' : 'end',
          digit: DIGITS[(word >> DIGIT_SHIFT) & 15] ?? '0',
          source: (word & BY_EVENT) !== 0 ? 'event' : 'inband',
          durationMs: (word >> DURATION_SHIFT) & MOST_MS,
        },
  };
}
