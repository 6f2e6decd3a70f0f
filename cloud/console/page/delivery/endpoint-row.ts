import type { Operations } from '#shared/client/index.ts';

export type Stuck = Operations['getDeliveryByDomain']['answer']['endpoints'][number];
export type Figure = Operations['getRecordByDomainFigure']['answer']['figure']['endpoints'][number];

/** An endpoint with what it took in 24 hours and what it has not taken. */
export interface EndpointRow {
  /** Destination as the API names it; the address of its panel. */
  readonly endpoint: string;
  readonly name: string;
  readonly url?: string;
  readonly stuck?: Stuck;
  readonly figure?: Figure;
}

/**
 * One row for each endpoint: `stuck` lists those with callbacks that wait or were given up, `figures` those with sessions. Those
 * that need a person come first: dead letters, then what waits, then failures.
 */
export function endpointRows(stuck: readonly Stuck[], figures: readonly Figure[]): EndpointRow[] {
  const left = new Map(figures.map((figure) => [figure.receiver, figure]));
  const rows: EndpointRow[] = stuck.map((each) => {
    const figure = each.id === undefined ? undefined : left.get(each.id);
    if (each.id !== undefined) left.delete(each.id);
    return {
      endpoint: each.endpoint,
      name: each.name ?? figure?.name ?? each.id ?? each.endpoint,
      stuck: each,
      ...(each.url === undefined ? {} : { url: each.url }),
      ...(figure === undefined ? {} : { figure }),
    };
  });
  for (const figure of left.values())
    rows.push({ endpoint: figure.receiver, name: figure.name ?? figure.receiver, figure });
  return rows.toSorted(
    (a, b) =>
      (b.stuck?.dead ?? 0) - (a.stuck?.dead ?? 0) ||
      (b.stuck?.waiting ?? 0) - (a.stuck?.waiting ?? 0) ||
      (b.figure?.failedSessions ?? 0) - (a.figure?.failedSessions ?? 0) ||
      a.name.localeCompare(b.name),
  );
}

/** Share of sessions whose callbacks were all accepted at once; undefined: there was none. */
export const successOf = (figure: Figure | undefined): number | undefined =>
  figure === undefined || figure.sessions === 0
    ? undefined
    : (figure.sessions - figure.failedSessions) / figure.sessions;

/** Why attempts were not accepted, the most frequent first: of what is stuck and of the sessions. */
export function reasonsOf({ stuck, figure }: EndpointRow): readonly { reason: string; times: number }[] {
  return stuck !== undefined && stuck.errors.length > 0 ? stuck.errors : (figure?.reasons ?? []);
}
