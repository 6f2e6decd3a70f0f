import { z } from 'zod';
import { version, wallMs } from './field.ts';

/** A compact JWS of a twin; the largest has sixteen addresses and a reason. */
const TWIN_MOST_CHARACTERS = 16_384;

/**
 * `network-request/wanted.json` in the folder of state: the addresses that the control plane wishes for this host, as it signed
 * them. Root believes nothing here but the signature of the twin, by keys of its own.
 */
export const networkRequestSchema = z.object({
  v: version,
  kind: z.literal('network'),
  twin: z.string().max(TWIN_MOST_CHARACTERS),
  at: wallMs,
});

export type NetworkRequest = z.output<typeof networkRequestSchema>;
