import {
  EVIDENCE_MANIFEST,
  EVIDENCE_SIGNATURE,
  EVIDENCE_TYP,
  type EvidenceManifest,
  type SessionTrace,
  type ShownRecord,
} from '#shared/contract/session-record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { packTar, type TarFile } from '#shared/tar.ts';
import {
  auditAnchor,
  auditHead,
  type Call,
  currentRevision,
  readPromptFile,
  type Store,
} from '../store/index.ts';
import { auditedLook } from './audited-look.ts';
import { erasureLimit, evidencePage } from './format/evidence-page.ts';
import { shownRecord } from './shown-record.ts';
import type { TraceRelay } from './trace-relay.ts';

export interface EvidencePort {
  readonly store: Store;
  readonly traces: Pick<TraceRelay, 'read'>;
  /** Compact JWS by the key of the platform. */
  readonly sign: (typ: string, payload: unknown) => Promise<string>;
  /** The key that signs now: its id and its JWK thumbprint (RFC 7638). */
  readonly key: () => { readonly kid: string; readonly fingerprint: string };
  readonly sha256: (bytes: Uint8Array) => string;
  readonly gzip: (bytes: Uint8Array) => Promise<Uint8Array>;
  /** Days for which the platform keeps records of this kind; the file ends with them. */
  readonly keptDays: (kind: ShownRecord['kind']) => number;
  readonly nowMs: () => number;
}

const DAY_MS = 86_400_000;
/** Steps about what left for applications and receivers, and their answers. */
const DELIVERY_KINDS: ReadonlySet<string> = new Set([
  'callbackSent',
  'callbackAnswered',
  'callbackFailed',
  'alarmSending',
  'alarmSendFailure',
]);

const jsonFile = (name: string, value: unknown): TarFile => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value, undefined, 1)}\n`),
});

/**
 * Makes the evidence of one session: a gzip of a tar with its record, trace, deliveries, recordings and the head of the audit chain,
 * each with its SHA-256 in a manifest that the platform signs.
 */
export class EvidenceMaker {
  readonly #port: EvidencePort;

  constructor(port: EvidencePort) {
    this.#port = port;
  }

  /** Fails as `auditedLook`; with `hostAway` when a host is away and nothing of the trace came. */
  async make(call: Call, recordId: string): Promise<Result<Uint8Array>> {
    const { store, traces, gzip, nowMs } = this.#port;
    const look = await auditedLook(store, call, recordId, 'evidence');
    if (!look.ok) return look;
    const found = await traces.read(call, recordId);
    if (!found.ok) return found;
    const trace = found.value;
    const away = trace.hosts.filter(({ state }) => state === 'away' || state === 'failed');
    if (trace.steps.length === 0 && away.length > 0)
      return fail(
        'hostAway',
        `The evidence is not made: ${away.map(sentenceOf).join('; ')}. Repeat the request when the host is connected.`,
      );
    const record = shownRecord(look.value, true);
    const recordings = await this.#recordings(call.tenant, record, trace);
    const missing = [...away.map(sentenceOf), ...recordings.missing];
    const atMs = nowMs();
    const files = await this.#files(call, { record, trace, missing, recordings: recordings.list, atMs });
    return ok(await gzip(packTar(files, atMs / 1_000)));
  }

  async #files(
    call: Call,
    facts: {
      readonly record: ShownRecord;
      readonly trace: SessionTrace;
      readonly missing: readonly string[];
      readonly recordings: readonly object[];
      readonly atMs: number;
    },
  ): Promise<TarFile[]> {
    const { store, key, keptDays, sha256, sign } = this.#port;
    const { record, trace, missing, recordings, atMs } = facts;
    const { tenant, domain: owner } = call;
    const audit = await auditHead(store, tenant);
    const content = [
      jsonFile('record.json', record),
      jsonFile('trace.json', trace),
      jsonFile('deliveries.json', {
        summary: record.deliveries ?? null,
        steps: trace.steps.filter(({ kind }) => DELIVERY_KINDS.has(kind)),
      }),
      jsonFile('configuration.json', {
        session: record.configRevision ?? null,
        program: record.program ?? null,
        now: await currentRevision(store, 'tenant', tenant),
      }),
      jsonFile('recordings.json', recordings),
      ...vConsOf(trace).map((vCon, at) => jsonFile(`vcon-${at + 1}.json`, vCon)),
      jsonFile('audit.json', { head: audit, begin: await auditAnchor(store, tenant) }),
    ];
    const listed = (all: readonly TarFile[]) =>
      all.map(({ name, bytes }) => ({ name, bytes: bytes.length, sha256: sha256(bytes) }));
    const common = {
      ...{ owner, madeAt: atMs, madeBy: call.actor.name, expiresAt: atMs + keptDays(record.kind) * DAY_MS },
      ...{ key: key(), missing: [...missing] },
    };
    const page = evidencePage({ ...common, record, trace, auditHead: audit, files: listed(content) });
    const limits = `${erasureLimit(owner, common.expiresAt)}\n`;
    const all: TarFile[] = [
      ...content,
      { name: 'erasure.txt', bytes: Buffer.from(limits) },
      { name: 'index.html', bytes: Buffer.from(page) },
    ];
    const manifest: EvidenceManifest = {
      ...{ v: 1, kind: 'carillon-evidence', ...common },
      ...{ recordId: record.recordId, traceId: trace.traceId, files: listed(all) },
    };
    const [head, payload = '', signature] = (await sign(EVIDENCE_TYP, manifest)).split('.');
    return [
      // The bytes that were signed.
      { name: EVIDENCE_MANIFEST, bytes: Buffer.from(payload, 'base64url') },
      { name: EVIDENCE_SIGNATURE, bytes: Buffer.from(`${head}..${signature}\n`) },
      ...all,
    ];
  }

  /** Recordings of the session, each with its hash where the platform has it, or its vCon names it. */
  async #recordings(tenant: string, record: ShownRecord, trace: SessionTrace) {
    const list: object[] = [];
    const missing: string[] = [];
    const said = JSON.stringify(vConsOf(trace));
    for (const fileName of record.recordings ?? []) {
      const row = await readPromptFile(this.#port.store, tenant, fileName);
      list.push(row === undefined ? { fileName } : { fileName, sha256: row.sha256, bytes: row.size });
      if (row === undefined && !said.includes(JSON.stringify(fileName)))
        missing.push(`the recording ${fileName} is not at the control plane, and no vCon names its hash`);
    }
    return { list, missing };
  }
}

const sentenceOf = ({ hostId, state, since, reason }: SessionTrace['hosts'][number]): string =>
  state === 'away'
    ? `the host ${hostId} is away${since === undefined ? '' : ` since ${new Date(since).toISOString()}`}`
    : `the host ${hostId} sent no trace: ${reason ?? 'it gave no reason'}`;

/** vCons in what was delivered (draft-ietf-vcon-vcon-core): members `vCon` of the details. */
function vConsOf({ steps }: SessionTrace): unknown[] {
  const found: unknown[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value))
      if (name === 'vCon') found.push(member);
      else look(member);
  };
  for (const { detail } of steps) look(detail);
  return found;
}
