import { z } from 'zod';
import { ulidField, version, wallMs } from './field.ts';

/** What the cloud may ask a host to do over the management connection. There is no shell. */
const REMOTE_OPERATIONS = [
  'ping',
  'probe',
  'rebirth',
  'logs.tail',
  'svc.restart',
  'diag.bundle',
  'selftest',
  'cfg.resync',
  'cert.renew',
  'override.clear',
  'api.relay',
] as const;

export type RemoteOperation = (typeof REMOTE_OPERATIONS)[number];

/**
 * dn/req (QoS 1). `exp` is mandatory and checked by the host; a repeated `id` is answered from its cache of ten
 * minutes. `op` stays open: a host answers one it does not know with the error `unknownOperation`.
 */
export const remoteRequestSchema = z.object({
  v: version,
  id: ulidField,
  op: z.string().min(1).max(32),
  exp: wallMs,
  /** For the audit of the host: `user:<name>` or `system`. */
  by: z.string().max(128),
  args: z.record(z.string(), z.unknown()).default({}),
});

/** up/res (QoS 1): parts count from 1, each at most 64 KiB. */
export const remoteResponseSchema = z.object({
  v: version,
  id: ulidField,
  ok: z.boolean(),
  data: z.record(z.string(), z.unknown()).default({}),
  error: z.object({ code: z.string(), reason: z.string() }).optional(),
  part: z.number().int().positive().default(1),
  last: z.boolean().default(true),
});

export type RemoteRequest = z.output<typeof remoteRequestSchema>;
export type RemoteResponse = z.output<typeof remoteResponseSchema>;
