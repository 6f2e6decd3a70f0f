import type { CallFailure, Client } from '#shared/client/index.ts';
import { ok, type Result } from '#shared/result.ts';

/** The content of the command line: arguments and options by name, as text; options that were not given are absent. */
export type Given = Readonly<Record<string, string | undefined>>;

export type Answered = Promise<Result<object, CallFailure>>;

/** One command of the operator: a row of the table, and one call of the API or a few. */
export interface Operation {
  /** `device list`: group and verb, or one word. */
  readonly name: string;
  readonly does: string;
  /** In order; `[name]` may be left out. */
  readonly arguments: readonly string[];
  /** Flag as commander reads it, and its meaning. */
  readonly options?: readonly (readonly [flag: string, meaning: string])[];
  readonly example: string;
  /** Resolves with the answer of the API; throws `Stop` for a file or word that is of no use. */
  readonly run: (client: Client, given: Given) => Answered;
  /** For a list: the member that holds it, and the columns a person sees. */
  readonly list?: readonly [member: string, ...columns: string[]];
  /** For a list: sentences behind its rows. */
  readonly notes?: (answer: Readonly<Record<string, unknown>>) => readonly string[];
  /** With `--follow`: shows an answer, and says what is asked next; undefined: it is over. */
  readonly follow?: (
    say: (line: string) => void,
  ) => (answer: Readonly<Record<string, unknown>>, given: Given) => Given | undefined;
  /** For anything else: the sentence for a person; absent = the answer as JSON. */
  readonly sentence?: (answer: Readonly<Record<string, unknown>>, given: Given) => string;
}

/** Entries that a list gives unless `--most` says otherwise. */
const MOST = 1_000;
const PAGE = 100;

type Paged = { readonly nextToken?: string } & object;

/**
 * All pages of a list as one answer, up to `--most` entries; `more` says that there are others. Further members are those of the
 * first page.
 */
export async function wholeList(
  member: string,
  given: Given,
  read: (part: { limit: string; nextToken?: string }) => Promise<Result<Paged, CallFailure>>,
): Answered {
  const most = Number(given.most ?? MOST);
  const entries: unknown[] = [];
  let nextToken: string | undefined;
  let beside: Readonly<Record<string, unknown>> | undefined;
  do {
    const limit = String(Math.max(1, Math.min(PAGE, most - entries.length)));
    const part = await read({ limit, ...(nextToken === undefined ? {} : { nextToken }) });
    if (!part.ok) return part;
    const { [member]: page, nextToken: next, ...rest } = part.value as Record<string, unknown>;
    entries.push(...(page as unknown[]));
    nextToken = next as string | undefined;
    beside ??= rest;
  } while (nextToken !== undefined && entries.length < most);
  return ok({
    ...beside,
    success: true,
    [member]: entries,
    ...(nextToken === undefined ? {} : { more: true }),
  });
}
