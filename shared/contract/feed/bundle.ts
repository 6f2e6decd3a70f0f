import { z } from 'zod';
import { ulidField, version } from './field.ts';
import { keyChainField } from './key-chain.ts';

const compact = z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, { message: 'must be a compact JWS' });

/**
 * A file (JSON) that carries configuration to a site without WAN: the same signed bytes that the edge listener gives, so
 * whoever carries it need not be trusted. Manifests are snapshots of every scope of the named hosts.
 *
 * 2026-11: first; `keys`, for a host that has missed a change of the signing key.
 */
export const bundleSchema = z.object({
  v: version,
  kind: z.literal('carillon-bundle'),
  /** Twin of each host, by uid. */
  twins: z.record(ulidField, compact),
  manifests: z.array(compact).max(1_000),
  keys: keyChainField.optional(),
  /** gzip bytes of each page in base64, by SHA-256 (hex). */
  pages: z.record(z.string().regex(/^[0-9a-f]{64}$/), z.string()),
});

export type Bundle = z.output<typeof bundleSchema>;
