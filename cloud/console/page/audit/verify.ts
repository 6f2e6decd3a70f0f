import type { CallFailure } from '#shared/client/index.ts';
import { type AuditEntryShown, type ChainPlace, followChain } from '#shared/contract/record/index.ts';
import type { Result } from '#shared/result.ts';

interface Head extends ChainPlace {
  readonly begin: ChainPlace;
  readonly tenant: string;
}

interface EntryPage {
  readonly items: readonly AuditEntryShown[];
  readonly nextToken?: string | undefined;
}

/** Where the log is read from. */
export interface AuditSource {
  readonly head: () => Promise<Result<Head, CallFailure>>;
  /** The entries, oldest first. */
  readonly page: (token: string | undefined) => Promise<Result<EntryPage, CallFailure>>;
}

/** `broken`: number of the first entry that was changed, removed or put in; absent: the chain is whole. */
export interface ChainVerdict {
  readonly checked: number;
  readonly hash: string;
  readonly broken?: number;
}

/** Follows the hashes of the whole log up to its head, in this browser: the control plane only hands out the entries. */
export async function verifyChain(source: AuditSource): Promise<Result<ChainVerdict, CallFailure>> {
  const head = await source.head();
  if (!head.ok) return head;
  const { begin, tenant, seq } = head.value;
  let place: ChainPlace = begin;
  let token: string | undefined;
  do {
    const page = await source.page(token);
    if (!page.ok) return page;
    // An entry that came after the head was read is not part of the question.
    const entries = page.value.items.filter((entry) => entry.seq <= seq);
    const hashes = await hashesOf(entries, tenant);
    const followed = followChain(place, tenant, entries, (text) => hashes.get(text) ?? '');
    const checked = place.seq - begin.seq;
    if ('broken' in followed) return verdict(checked, place.hash, followed.broken);
    place = followed.place;
    token = page.value.nextToken;
  } while (token !== undefined && place.seq < seq);
  const isWhole = place.seq === seq && place.hash === head.value.hash;
  return verdict(place.seq - begin.seq, place.hash, isWhole ? undefined : place.seq + 1);
}

const verdict = (checked: number, hash: string, broken: number | undefined) => ({
  ok: true as const,
  value: { checked, hash, ...(broken === undefined ? {} : { broken }) },
});

/** The hash of each text that the chain covers: a browser hashes asynchronously, the chain is followed at once. */
async function hashesOf(
  entries: readonly AuditEntryShown[],
  tenant: string,
): Promise<ReadonlyMap<string, string>> {
  const texts: string[] = [];
  for (const entry of entries)
    followChain({ seq: entry.seq - 1, hash: entry.previous }, tenant, [entry], (text) => {
      texts.push(text);
      return '';
    });
  return new Map(await Promise.all(texts.map(async (text) => [text, await sha256(text)] as const)));
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
