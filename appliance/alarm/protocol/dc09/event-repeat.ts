import { type Origin, type Remembered, type RepeatVerdict, sourceName } from '../repeat/index.ts';

/*
 * The rule for an event whose frame its link does not know. The link (`receiver.ts`) answers a frame that is said again;
 * this rule knows what an earlier run has stored, and what other sources have said.
 *
 *   said before by                      | the event
 *   none                                | gets a session
 *   its own source, on the disk         | is acknowledged at once; no event
 *   its own source, not on the disk yet | goes to its session again
 *   others                              | gets a session of its own, as a possible repeat
 *   others, often, the last on the disk | is counted and acknowledged
 *   others, often, the last not yet     | is counted; silence, so that the panel says it again
 */

/** An event, as its link names it. */
export interface SaidEvent {
  readonly link: string;
  /** Sequence and CRC of its frame. */
  readonly mark: string;
  /** Its place in the frame. */
  readonly ordinal: number;
  readonly origin: Origin;
}

export type EventTreatment =
  | { readonly kind: 'event'; readonly conversation: string; readonly possibleRepeatOf?: string }
  | { readonly kind: 'storedBefore'; readonly conversation: string }
  /** `of`: conversation of the last telling. */
  | { readonly kind: 'counted'; readonly of: string; readonly fate: 'stored' | 'storeFailed' };

/** Its repeat has the same mark, from wherever. */
export const eventMark = ({ link, mark, ordinal }: Omit<SaidEvent, 'origin'>): string =>
  `dc09 ${link} ${mark} ${ordinal}`;

/** `verdict`: of the memory of repeats, by `eventMark`. */
export function treatEvent(said: SaidEvent, verdict: RepeatVerdict<Remembered>): EventTreatment {
  const mark = eventMark(said);
  switch (verdict.kind) {
    case 'new':
      return { kind: 'event', conversation: mark };
    case 'repeat': {
      const isFirst = verdict.of.conversation === mark;
      const conversation = isFirst ? mark : `${mark} ${sourceName(said.origin)}`;
      return { kind: verdict.of.stored ? 'storedBefore' : 'event', conversation };
    }
    case 'possible':
      return {
        kind: 'event',
        conversation: `${mark} ${sourceName(said.origin)}`,
        possibleRepeatOf: verdict.of.conversation,
      };
    case 'counted': {
      const { conversation: of, stored } = verdict.of;
      return { kind: 'counted', of, fate: stored ? 'stored' : 'storeFailed' };
    }
  }
}
