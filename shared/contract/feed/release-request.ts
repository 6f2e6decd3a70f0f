import { z } from 'zod';
import { version, wallMs } from './field.ts';

/**
 * `request/wanted.json` in the folder of state: what the appliance, which has no root, asks of `carillon maintenance`. The file
 * and its `.minisig` lie beside it, whole. Root reads them as if they came from anybody: it copies them, and believes nothing
 * but the signature.
 */
export const releaseRequestSchema = z.object({
  v: version,
  kind: z.literal('upgrade'),
  file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,119}$/),
  /** The person who asked. */
  by: z.string().max(128),
  at: wallMs,
});

export type ReleaseRequest = z.output<typeof releaseRequestSchema>;
