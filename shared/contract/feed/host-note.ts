import { z } from 'zod';
import { version } from './field.ts';

const short = z.string().max(300);

/** The technician's acceptance record, as `carillon selftest` prints it. */
export const selfTestRecordSchema = z.object({
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
        /** The key of the advice for a person: `shared/self-test`. */
        code: z.string().max(32).optional(),
        ms: z.number().nonnegative(),
      }),
    )
    .max(64)
    .readonly(),
});

/**
 * POST /edge/v1/note (edge listener, certificate of the host): what was done at the machine, for the journal of the
 * tenant. Answered 200 once it stands there; it changes nothing about the host.
 */
export const hostNoteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('selfTest'), record: selfTestRecordSchema }),
  /** The product is taken off this machine; `purge`: with its keys and everything it has stored. */
  z.object({ kind: z.literal('uninstalled'), release: short, purge: z.boolean() }),
  /** The result of a release that the host was asked to take (`sw.upgrade`). */
  z.object({
    kind: z.literal('upgrade'),
    file: short,
    /** The person who asked. */
    by: short,
    /** Exit code of the upgrade: 0 = it runs, or ran already. */
    code: z.number().int().min(0).max(255),
    sentence: z.string().max(1_000),
    /** The release that runs now. */
    release: short,
  }),
  /** The result of the addresses that a twin asks for (2026-11-22). */
  z.object({
    kind: z.literal('network'),
    /** The revision of the twin; null = the twin could not be read. */
    twinRev: z.number().int().nonnegative().nullable(),
    networkInterfaces: z.array(z.string().max(64)).max(16),
    networkPrefixLength: z.number().int().min(0).max(128),
    /** Exit code: 0 = in force, 4 = undone because the control plane was not reached, else nothing was changed. */
    code: z.number().int().min(0).max(255),
    sentence: z.string().max(1_000),
  }),
]);

export type HostNote = z.input<typeof hostNoteSchema>;
/** A self-test as the control plane keeps it. */
export type HostSelfTest = z.output<typeof selfTestRecordSchema>;
