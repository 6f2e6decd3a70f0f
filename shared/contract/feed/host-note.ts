import { z } from 'zod';
import { version } from './field.ts';

const short = z.string().max(300);

/** The technician's acceptance record, as `carillon selftest` prints it. */
const selfTestRecordSchema = z.object({
  v: version,
  at: z.iso.datetime(),
  release: short,
  hostId: short,
  siteId: short.optional(),
  passed: z.boolean(),
  points: z
    .array(
      z.object({
        id: z.string().max(32),
        verdict: z.enum(['ok', 'warning', 'failure', 'skipped']),
        found: short,
        ms: z.number().nonnegative(),
      }),
    )
    .max(64)
    .readonly(),
});

/**
 * POST /edge/v1/note (edge listener, certificate of the host): what a technician did at the machine, for the journal of the
 * tenant. Answered 200 once it stands there; it changes nothing about the host.
 */
export const hostNoteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('selfTest'), record: selfTestRecordSchema }),
  /** The product is taken off this machine; `purge`: with its keys and everything it has stored. */
  z.object({ kind: z.literal('uninstalled'), release: short, purge: z.boolean() }),
]);

export type HostNote = z.input<typeof hostNoteSchema>;
