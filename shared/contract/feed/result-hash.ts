import { canonicalJson } from '../../canonical-json.ts';
import type { Sha256 } from './topic.ts';

/** A row as the hash sees it. */
export interface HashedRow {
  readonly entity: string;
  readonly id: string;
  readonly rowHash: string;
}

/** SHA-256 over the RFC 8785 form of a row's body, hex. */
export const rowHash = (body: unknown, sha256: Sha256): string => sha256(canonicalJson(body));

/**
 * SHA-256 over the rows of a scope, whatever way they came: `sha256:` and 64 hex digits. Rows are sorted by entity, then
 * id (UTF-16 code units); each is the RFC 8785 form of `[entity, id, rowHash]` followed by a line feed.
 */
export function resultHash(rows: Iterable<HashedRow>, sha256: Sha256): string {
  const sorted = [...rows].sort((a, b) => order(a.entity, b.entity) || order(a.id, b.id));
  // JSON.stringify makes the RFC 8785 form of a list of strings, many times faster: scopes have 100,000 rows.
  const lines = sorted.map((row) => `${JSON.stringify([row.entity, row.id, row.rowHash])}\n`);
  return `sha256:${sha256(lines.join(''))}`;
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
