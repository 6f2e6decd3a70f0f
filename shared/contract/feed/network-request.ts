import { z } from 'zod';
import { version, wallMs } from './field.ts';
import { keyChainField } from './key-chain.ts';

/** A compact JWS of a twin; the largest has sixteen addresses and a reason. */
const TWIN_MOST_CHARACTERS = 16_384;

/**
 * `network-request/wanted.json` in the folder of state: the addresses that the control plane asks for for this host, as it signed
 * them. Root believes nothing here but the signature of the twin, by keys of its own.
 */
export const networkRequestSchema = z.object({
  v: version,
  kind: z.literal('network'),
  twin: z.string().max(TWIN_MOST_CHARACTERS),
  /** How the key of the twin followed those that root knows (2026-11-23). */
  keys: keyChainField.default([]),
  at: wallMs,
});

/**
 * `network-outcome.json` in the folder of state: what became of the newest request, as root leaves it for the appliance
 * (2026-11-23). `code`: exit code, 0 = in force, 4 = undone because the control plane was not reached, else nothing was changed.
 */
export const networkOutcomeSchema = z.object({
  v: version,
  kind: z.literal('networkOutcome'),
  /** The revision of the twin; null = the twin could not be read. */
  twinRev: z.number().int().nonnegative().nullable(),
  networkInterfaces: z.array(z.string().max(64)).max(16).readonly(),
  code: z.number().int().min(0).max(255),
  sentence: z.string().max(1_000),
  at: wallMs,
});

export type NetworkOutcome = z.output<typeof networkOutcomeSchema>;
export type NetworkRequest = z.output<typeof networkRequestSchema>;
