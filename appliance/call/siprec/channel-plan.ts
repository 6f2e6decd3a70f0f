/** A stream as the description has it now: whose leg hears it. */
export interface ReceivedStream {
  readonly leg: string;
  readonly label?: string;
}

/** Chosen: a label that the description does not give is the place of the stream, from 1. */
const labelOf = ({ label }: ReceivedStream, index: number): string => label ?? String(index + 1);

/**
 * Which leg each channel of a running recording or stream hears, after the description has changed. Channels are named by
 * labels (RFC 7866 7.1.1) and keep their places: a stream that ended leaves silence, and a new one has no place in a recording
 * that runs already.
 *
 *   labels at the beginning   1   2        now   2   3        channels   [ ]  [leg of 2]
 */
export function channelPlan(
  labels: readonly string[],
  now: readonly ReceivedStream[],
): readonly (readonly string[])[] {
  const legs = new Map(now.map((stream, index) => [labelOf(stream, index), stream.leg]));
  return labels.map((label) => {
    const leg = legs.get(label);
    return leg === undefined ? [] : [leg];
  });
}

/** The labels of the streams there are now, in their order; `wanted` picks some, in its own order. */
export function labelsOf(now: readonly ReceivedStream[], wanted: readonly string[] = []): readonly string[] {
  const all = now.map(labelOf);
  return wanted.length === 0 ? all : wanted.filter((label) => all.includes(label));
}
