import type { Operations } from '#shared/client/index.ts';

export type CallQueue = Operations['getMediaserviceByDomainQueue']['answer']['queues'][number];

/** `0:07`, `12:30`, `1:02:03` of whole seconds. */
export function lengthText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

/** The share of callers of whom it is known what became of them, whole percent; undefined: there are none. */
export function shareOf(
  count: number,
  { answered, abandoned, overflowed }: Pick<CallQueue, 'answered' | 'abandoned' | 'overflowed'>,
): number | undefined {
  const all = answered + abandoned + overflowed;
  return all === 0 ? undefined : Math.round((count / all) * 100);
}

/** The media services that have a queue, each once. */
export const servicesOf = (queues: readonly CallQueue[]): readonly string[] => [
  ...new Set(queues.map(({ mediaserviceId }) => mediaserviceId)),
];
