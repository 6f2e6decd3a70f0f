import type { EnqueueCommand, GetIvrCommand, MediaPhrase } from '#shared/contract/callback/index.ts';

type QueueResult = NonNullable<NonNullable<GetIvrCommand['lastCommandResult']>['queue']>;

/** The queue of one command: it begins after the phrases, and ends with its reason or with an agent. */
export interface Queueing {
  readonly queueing: 'none' | 'waiting' | 'queued';
  /** Its place is being spoken. */
  readonly announcing: boolean;
}

export const NOT_QUEUED: Queueing = { queueing: 'none', announcing: false };

/** Chosen: between two announcements, s. */
const INTERVAL_S = 30;
const MINUTE_MS = 60_000;

export const intervalMs = ({ announcement }: EnqueueCommand): number =>
  (announcement?.interval ?? INTERVAL_S) * 1_000;

export const resultOf = (
  { queue }: EnqueueCommand,
  reason: QueueResult['reason'],
  waitedMs: number,
): QueueResult => ({ queue, reason, waited: Math.round(waitedMs / 1_000) });

/** The phrases of an announcement, with `{position}` and `{minutes}` in their texts. */
export function spoken(
  { announcement }: EnqueueCommand,
  { position, waitMs }: { readonly position: number; readonly waitMs: number },
): readonly MediaPhrase[] {
  const words = { position: String(position), minutes: String(Math.max(1, Math.ceil(waitMs / MINUTE_MS))) };
  return (announcement?.phrases ?? []).map((phrase) =>
    phrase.format === 'cloudtts'
      ? {
          ...phrase,
          cloudTTSParameters: {
            ...phrase.cloudTTSParameters,
            Text: phrase.cloudTTSParameters.Text.replaceAll(
              /\{(position|minutes)\}/g,
              (_, name: keyof typeof words) => words[name],
            ),
          },
        }
      : phrase,
  );
}
