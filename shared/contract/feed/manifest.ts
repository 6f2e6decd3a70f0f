import { z } from 'zod';
import { count, scopeField, version, wallMs } from './field.ts';

/** `typ` of the JWS header of a manifest. */
export const MANIFEST_TYP = 'carillon-manifest';

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * Answer of GET /edge/v1/config/{scope}?since={rev}: payload of a compact JWS (EdDSA, `typ` carillon-manifest, `kid`),
 * media type application/jose. A delta brings `from` to `to`; a snapshot replaces everything and has `from` 0.
 */
export const manifestSchema = z.object({
  v: version,
  scope: scopeField,
  /** Whose rows: tenant id; `<tenant id>/<siteId>`; uid; empty for the platform. */
  owner: z.string(),
  kind: z.enum(['delta', 'snapshot']),
  from: count,
  to: count,
  /** Without it a host refuses to lose many devices or all alarm bridges at once. */
  massChange: z.boolean(),
  issuedAt: wallMs,
  /** The hash of all rows after the operations, see `resultHash`; `sha256:` and 64 hex digits. */
  resultHash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  /** In order. `sha256` (hex) of the compressed bytes, their `size`; fetched from /edge/v1/blob/{sha256}. */
  pages: z.array(z.object({ sha256: sha256Hex, size: count })),
});

/** One line of a page. A page is gzip over JSON lines, each ended by a line feed, in the order of application. */
const operationSchema = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('put'),
    /** First word of the API path: `alarmbridge`, `device`, … */
    entity: z.string().min(1),
    id: z.string().min(1),
    body: z.unknown(),
    /** `rowHash` of `body`. */
    rowHash: sha256Hex,
  }),
  z.object({ op: z.literal('delete'), entity: z.string().min(1), id: z.string().min(1) }),
]);

/** Operations of one page at most. */
export const PAGE_OPERATIONS = 1_000;

export type Manifest = z.output<typeof manifestSchema>;
export type Operation = z.output<typeof operationSchema>;

/** Lines of a page, before compression. */
export const formatPage = (operations: readonly Operation[]): string =>
  operations.map((operation) => `${JSON.stringify(operation)}\n`).join('');

/** Reads a page's lines; undefined when a line is no operation. */
export function parsePage(text: string): Operation[] | undefined {
  const operations: Operation[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const operation = readLine(line);
    if (operation === undefined) return undefined;
    operations.push(operation);
  }
  return operations;
}

function readLine(line: string): Operation | undefined {
  try {
    return operationSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
