import { z } from 'zod';
import { callListTestSchema } from '../alarm-queue/index.ts';
import { historyTrialArgsSchema } from '../history/index.ts';
import { scopeField, ulidField, version, wallMs } from './field.ts';
import { dataSubjectSchema } from './subject.ts';

/** The operations that the cloud may ask of a host over the management connection. There is no shell. */
export const REMOTE_OPERATIONS = [
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
  'sw.upgrade',
  'outbox.list',
  'outbox.replay',
  'sip.registrations',
  'callback.copies',
  'recording.send',
  'capture.export',
  'trace.get',
  'transcript.get',
  'transcript.search',
  'history.try',
  'list.test',
  'privacy.export',
  'privacy.erase',
  'api.relay',
] as const;

export type RemoteOperation = (typeof REMOTE_OPERATIONS)[number];

const none = z.object({});

/**
 * `args` of each operation, and what its answer carries in `data`:
 *
 *     ping            → {ts, up, svc}                    svc.restart     → {service}
 *     probe           → {sees, lastSeenS?}               diag.bundle     → {bytes, sha256}: PUT to `url` (edge listener) first
 *     rebirth         → {}                               selftest        → {checks: [{name, ok, message}], record, sent}
 *     logs.tail       → {lines: [text]}, in parts        cfg.resync      → {scopes}
 *     cert.renew      → {expiresAt}                      override.clear  → {cleared: [key]}
 *     sw.upgrade      → {file}: the signature is here, the file is being fetched; what becomes of it is a note of the host
 *     outbox.list     → {letters: [{id, seq, lane, type, dest, createdAt, attempts, lastError, state}], after?}: callbacks given up, or that wait
 *     outbox.replay   → {taken}: they are tried again
 *     sip.registrations → {devices: [{deviceId, contacts: [{uri, transport?, userAgent, registeredAt, expiresAt}]}], of, more}:
 *                       who is registered, newest contact first; `of` all that are; no transport: its connection is lost (2026-11)
 *     callback.copies → {copies: [{seq, at, path, traceId, key, eventSeq, attempt, late, body}], after, dropped}: masked copies of
 *                       callbacks, oldest first; `after` goes on, `dropped` were overwritten before they were asked for (2026-11)
 *     recording.send  → {size}: the recording is here; with `url` it is sent there (edge listener)
 *     capture.export  → {bytes, sha256, messages, overwritten, oldestAt, cut}: PUT to `url` (edge listener) first (2026-11)
 *     trace.get       → {bytes}: the trace is at `url` (edge listener), gzip; 0 bytes: this host has none of it (2026-11)
 *     transcript.get  → {recordings}: `hostTranscriptSchema` of `shared/contract/session-record`, lines after those of `after` (2026-11)
 *     transcript.search → {found, more}: `hostTranscriptMatchesSchema`, recordings in which all these words were said, newest first (2026-11)
 *     history.try     → see `shared/contract/history` (2026-11)
 *     list.test       → {state: running or done, called, confirmed}: the test call of an emergency list, begun by the first request of
 *                       this name; `notFound` or `busy`: again later (2026-11)
 *     privacy.export  → {rows: [{kind, key, piece, of, text}], next?}: pieces of one key in order are the JSON of one row
 *     privacy.erase   → {removed: {kind: count}, files: [name]}; refused with `alarmActive` or `owed`: again later
 *     api.relay       → see `shared/contract/runtime`
 */
export const REMOTE_ARGS = {
  ping: none,
  /** Do you see this peer of your site? */
  probe: z.object({ uid: ulidField }),
  rebirth: none,
  'logs.tail': z.object({
    lines: z.number().int().min(1).max(2_000).default(200),
    level: z.enum(['debug', 'info', 'warn', 'error']).optional(),
    /** Only lines that contain this text. */
    match: z.string().max(200).optional(),
  }),
  'svc.restart': z.object({ service: z.string().min(1).max(32) }),
  'diag.bundle': z.object({ url: z.string().max(500) }),
  selftest: none,
  'cfg.resync': z.object({ scope: scopeField.optional() }),
  'cert.renew': none,
  /** Without a key: all of them. */
  'override.clear': z.object({ key: z.string().min(1).max(64).optional() }),
  /** A `.run` file or a binary; its signature lies beside it under the same address and `.minisig`. */
  'sw.upgrade': z.object({
    url: z.url({ protocol: /^https$/ }).max(500),
    /** Also while no other host of the site is healthy, or another one takes a release: judged by the cloud (2026-11-23). */
    force: z.boolean().optional(),
  }),
  /** Dead letters after this sequence number, oldest first; `after` of the answer goes on. */
  'outbox.list': z.object({
    after: z.number().int().nonnegative().default(0),
    limit: z.number().int().min(1).max(100).default(100),
    /** `waiting`: those that are still tried. An older host lists dead letters then, too, and gives no `state`. */
    state: z.enum(['dead', 'waiting']).default('dead'),
  }),
  /** Without ids: all of them. */
  'outbox.replay': z.object({ ids: z.array(ulidField).min(1).max(1_000).optional() }),
  /** `match`: part of a device id. */
  'sip.registrations': z.object({
    match: z.string().max(128).default(''),
    limit: z.number().int().min(1).max(100).default(100),
  }),
  /** Copies after this number, or those of a trace. `filter`: part of the path or the body. */
  'callback.copies': z.object({
    after: z.number().int().nonnegative().optional(),
    traceId: z.string().min(1).max(128).optional(),
    filter: z.string().max(200).optional(),
  }),
  /** Without `url` only whether it is here. */
  'recording.send': z.object({
    fileName: z.string().min(1).max(200),
    url: z.string().max(500).optional(),
  }),
  /** The captured messages of a trace or of these Call-IDs, gzip: `capture.json` or `capture.pcapng`. Times narrow it down. */
  'capture.export': z.object({
    url: z.string().max(500),
    traceId: z.string().min(1).max(128).optional(),
    callIds: z.array(z.string().min(1).max(512)).max(64).default([]),
    from: wallMs.optional(),
    to: wallMs.optional(),
    format: z.enum(['json', 'pcapng']).default('json'),
  }),
  'trace.get': z.object({ traceId: z.string().min(1).max(128), url: z.string().max(500) }),
  /** The words of the recordings of a trace, and of these files; `after`: number of lines that are known, by recording. */
  'transcript.get': z.object({
    traceId: z.string().min(1).max(128),
    fileNames: z.array(z.string().min(1).max(256)).max(16).default([]),
    after: z.record(z.string().max(64), z.number().int().nonnegative()).default({}),
    /** Only recordings that run, and those that `after` names: asked each second. */
    live: z.boolean().default(false),
  }),
  /** Recordings with these words that began in `[from, to)`, epoch ms; `before`: older than the last one that is known. */
  'transcript.search': z.object({
    words: z.string().min(1).max(128),
    from: z.number().nonnegative(),
    to: z.number().nonnegative(),
    before: z.object({ startedAt: z.number(), recordingId: z.string().max(64) }).optional(),
  }),
  'history.try': historyTrialArgsSchema,
  'list.test': callListTestSchema,
  'privacy.export': z.object({
    subject: dataSubjectSchema,
    /** `next` of the page before. */
    after: z.string().max(64).optional(),
  }),
  /** `keepDevice`: it stays in service. `check`: only says whether it could be done now. */
  'privacy.erase': z.object({
    subject: dataSubjectSchema,
    keepDevice: z.boolean().default(false),
    check: z.boolean().default(false),
  }),
  'api.relay': z.record(z.string(), z.unknown()),
} as const satisfies { readonly [O in RemoteOperation]: z.ZodType };

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
