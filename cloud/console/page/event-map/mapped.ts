import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import { type Kind, RECEIVER, SENDER } from '../setup/kind.ts';
import { type Resource, readPage } from '../setup/resource.ts';

/** An object that can have an event map. */
export interface Mapped {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  /** Number of rules; 0: it has no map. */
  readonly rules: number;
  /** Rules that send nothing. */
  readonly drops: number;
}

/** All alarm receivers and event senders: those with a map first, each part in the order of the API. */
export async function readMapped(): Promise<Result<readonly Mapped[], CallFailure>> {
  const found: Mapped[] = [];
  for (const kind of [RECEIVER, SENDER]) {
    let nextToken: string | undefined;
    do {
      const answer = await readPage(kind, nextToken);
      if (!answer.ok) return answer;
      found.push(...answer.value.items.map((row) => mappedOf(kind, row)));
      ({ nextToken } = answer.value);
    } while (nextToken !== undefined);
  }
  return { ok: true, value: found.toSorted((a, b) => Number(b.rules > 0) - Number(a.rules > 0)) };
}

function mappedOf(kind: Kind, row: Resource): Mapped {
  const { rules = [] } = (row[kind.mapField ?? ''] ?? {}) as {
    readonly rules?: readonly { readonly drop?: boolean }[];
  };
  return {
    ...{ kind, id: row.id, name: row.name ?? row.id, rules: rules.length },
    drops: rules.filter(({ drop }) => drop === true).length,
  };
}
