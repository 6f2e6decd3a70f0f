import {
  PROMPT_BYTES,
  PROMPT_FILE,
  PROMPT_SECONDS,
  type PromptFileMove,
  type PromptFormat,
  type ReplicatedPromptFile,
} from '#shared/contract/runtime/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  deletePromptFile,
  hasPromptBytes,
  listPromptFiles,
  mutate,
  type Page,
  type PromptFileRow,
  pageOf,
  putPromptFile,
  readPromptFile,
  recordAudit,
  recordChange,
  type Tx,
} from '../store/index.ts';
import { cutBytes, partOf, type RangeRequest } from './byte-range.ts';
import type { PromptFilePort, TakenBytes } from './prompt-port.ts';

const URL_VALID_MS = 15 * 60 * 1_000;
/** Address that opens a file without a token. */
export interface SignedUrl {
  readonly domain: string;
  readonly name: string;
  readonly expires: string;
  /** The person who asked for it, as the audit log names it. */
  readonly maker?: string | undefined;
  readonly signature: string;
}

const MEDIA_TYPE: Readonly<Record<PromptFormat, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
};

export const mediaTypeOf = ({ format }: Pick<PromptFileRow, 'format'>): string => MEDIA_TYPE[format];

/** Outcome of a write: the revision of the configuration from which sites have it; absent for a recording. */
export interface PromptFileChange {
  readonly revision?: number;
}

/** Bytes that a write has made superfluous, and its revision. */
interface Written {
  readonly sha256: string | null;
  readonly revision: number | null;
}

/** An answer under an idempotency key; that of an earlier program is the hash alone. */
type Kept = Written | string | null;

const writtenOf = (kept: Kept): Written =>
  typeof kept === 'string' || kept === null ? { sha256: kept, revision: null } : kept;
const changeOf = (revision: number | null): PromptFileChange => (revision === null ? {} : { revision });

/** A recording that a site hands over. */
export interface HandedRecording {
  readonly tenant: string;
  readonly host: string;
  readonly name: string;
  readonly sha256: string;
  /** A recording of that name gives way; an uploaded prompt file never does. */
  readonly replaces?: boolean;
  readonly at: number;
}

/** The asker, as hosts write it into their log. */
const askerOf = ({ actor: { name } }: Call): string => (name.startsWith('host:') ? name : `user:${name}`);

/** Recorders write two formats, and the name says which. */
const formatOf = (name: string): PromptFormat => (/\.mp3$/i.test(name) ? 'mp3' : 'wav');

export type PromptFiles = ReturnType<typeof promptFiles>;

/**
 * Prompt storage (document 3, 4.1): uploads go to every site as rows with a hash, recordings come from sites and stay here.
 * Bytes are checked before they are kept, and stand under their hash: the same file twice is there once.
 */
export function promptFiles({
  store,
  blobs,
  objects,
  sign,
  isSigned,
  publicUrl,
  mayRead,
  sites,
}: PromptFilePort) {
  const unknown = (name: string) =>
    fail('notFound', `The prompt file ${name} does not exist. Upload it first.`);

  /** Removes its bytes when no file names them any more. */
  async function forget(sha256: string): Promise<void> {
    if (!(await hasPromptBytes(store, sha256))) await blobs.remove(sha256);
  }

  async function write(tx: Tx, call: Call, row: PromptFileRow): Promise<Written> {
    const before = await readPromptFile(tx, row.tenant, row.name);
    await putPromptFile(tx, row);
    const { name, sha256, size, format } = row;
    const at = call.actor.at;
    const change = {
      scope: 'tenant',
      owner: row.tenant,
      entity: PROMPT_FILE,
      id: name,
      massChange: false,
      at,
    } as const;
    const revision =
      row.origin === 'upload'
        ? await recordChange(tx, { ...change, op: 'put', body: { name, sha256, size, format } })
        : before?.origin === 'upload'
          ? await recordChange(tx, { ...change, op: 'delete', body: undefined })
          : null;
    await audit(tx, call, before === undefined ? 'create' : 'put', name, { before, after: row });
    return { sha256: before?.sha256 ?? null, revision };
  }

  const audit = (tx: Tx, call: Call, action: string, name: string, detail: unknown): Promise<unknown> =>
    recordAudit(tx, call.actor, { tenant: call.tenant, action, entity: PROMPT_FILE, entityId: name, detail });

  /** Prompts are no secret of anybody; recordings are what people said. */
  async function noteAccess(
    call: Call,
    { name, origin }: Pick<PromptFileRow, 'name' | 'origin'>,
    action: string,
    detail: object,
  ) {
    if (origin !== 'recording') return ok(null);
    // Reading is no request that is done once.
    const { once: _, ...each } = call;
    return await mutate(store, each, async (tx) => {
      await audit(tx, call, action, name, detail);
      return ok(null);
    });
  }

  /** A recording that is not here, from the host that has it; `unknown` where no host has. */
  async function openAtSite(call: Call, name: string, wanted: RangeRequest) {
    const held = await sites?.find(call.tenant, name, askerOf(call));
    if (sites === undefined || held === undefined) return unknown(name);
    const { hostId, size } = held;
    const part = partOf(wanted, size);
    if (!part.ok) return part;
    const range = part.value;
    const noted = await noteAccess(call, { name, origin: 'recording' }, 'read', { hostId, ...range });
    if (!noted.ok) return noted;
    const bytes = await sites.open(held, name, askerOf(call));
    if (!bytes.ok) return bytes;
    const sent = range === undefined ? bytes.value : cutBytes(bytes.value, range);
    return ok({ row: { size, format: formatOf(name) }, bytes: sent, range });
  }

  async function remove(
    call: Call,
    name: string,
    action: string,
    detail: unknown = {},
  ): Promise<Result<PromptFileChange>> {
    const removed = await mutate<Kept>(store, call, async (tx) => {
      const before = await readPromptFile(tx, call.tenant, name);
      if (before === undefined) return unknown(name);
      await deletePromptFile(tx, call.tenant, name);
      const change = { scope: 'tenant', owner: call.tenant, entity: PROMPT_FILE, id: name } as const;
      const removal = {
        ...change,
        op: 'delete',
        body: undefined,
        massChange: false,
        at: call.actor.at,
      } as const;
      const revision = before.origin === 'upload' ? await recordChange(tx, removal) : null;
      await audit(tx, call, action, name, { before, ...(detail as object) });
      return ok({ sha256: before.sha256, revision });
    });
    if (!removed.ok) return removed;
    const { sha256, revision } = writtenOf(removed.value);
    if (sha256 !== null) await forget(sha256);
    return ok(changeOf(revision));
  }

  /** Checks what came and makes it the file of that name. */
  async function settle(
    call: Call,
    name: string,
    taken: TakenBytes,
    origin: PromptFileRow['origin'],
  ): Promise<Result<PromptFileChange>> {
    const sound = await taken.sound();
    if (!sound.ok) return sound;
    const { format, seconds } = sound.value;
    if (origin === 'upload' && seconds > PROMPT_SECONDS) {
      const hours = (seconds / 3_600).toFixed(1);
      return fail(
        'invalid',
        `The file is not stored: it is ${hours} h long and a prompt has at most 2 h. Shorten or divide it.`,
      );
    }
    await taken.keep();
    const row: PromptFileRow = {
      tenant: call.tenant,
      name,
      sha256: taken.sha256,
      size: taken.size,
      format,
      durationMs: Math.round(seconds * 1_000),
      origin,
      updatedAt: call.actor.at,
    };
    const done = await mutate<Kept>(store, call, async (tx) => ok(await write(tx, call, row)));
    if (!done.ok) return done;
    const { sha256, revision } = writtenOf(done.value);
    if (sha256 !== null && sha256 !== row.sha256) await forget(sha256);
    return ok(changeOf(revision));
  }

  return {
    list: async (tenant: string, after: string, limit: number): Promise<Page<PromptFileRow>> =>
      pageOf(
        await listPromptFiles(store, tenant, after, limit + 1),
        limit,
        (row) => row.name,
        (row) => row,
      ),

    put: async (
      call: Call,
      name: string,
      body: ReadableStream<Uint8Array> | null,
    ): Promise<Result<PromptFileChange>> => {
      const taken = await blobs.take(body, PROMPT_BYTES);
      if (!taken.ok) return taken;
      try {
        return await settle(call, name, taken.value, 'upload');
      } finally {
        await taken.value.drop();
      }
    },

    /** From a site; the same recording again changes nothing. */
    hand: async (
      { tenant, host, name, sha256, replaces = false, at }: HandedRecording,
      body: ReadableStream<Uint8Array> | null,
    ): Promise<Result<null>> => {
      const present = await readPromptFile(store, tenant, name);
      if (present?.sha256 === sha256) return ok(null);
      if (present !== undefined && !(replaces && present.origin === 'recording'))
        return fail(
          'conflict',
          `The recording is not stored: another prompt file has the name ${name}. The recording stays at its site.`,
        );
      const taken = await blobs.take(body, Number.POSITIVE_INFINITY);
      if (!taken.ok) return taken;
      try {
        if (taken.value.sha256 !== sha256)
          return fail(
            'invalid',
            'The file is not stored: its bytes do not match the announced hash. Send it again.',
          );
        const actor = { name: `host:${host}`, address: '', requestId: '', at };
        const kept = await settle({ tenant, domain: '', actor }, name, taken.value, 'recording');
        return kept.ok ? ok(null) : kept;
      } finally {
        await taken.value.drop();
      }
    },

    remove: (call: Call, name: string) => remove(call, name, 'delete'),

    /** As `remove`, for a recording that is removed for good; `why` is the action of the audit: `expire`, `erase`. */
    dropRecording: async (call: Call, name: string, why: string): Promise<Result<PromptFileChange>> => {
      const row = await readPromptFile(store, call.tenant, name);
      return row?.origin === 'recording' ? await remove(call, name, why) : unknown(name);
    },

    /** Name, size and a stream of its bytes, or of the part that is asked for. The audit log names the person who hears a recording before the first byte is sent. */
    open: async (call: Call, name: string, wanted: RangeRequest = {}) => {
      const row = await readPromptFile(store, call.tenant, name);
      if (row === undefined) return await openAtSite(call, name, wanted);
      const part = partOf(wanted, row.size, row.sha256);
      if (!part.ok) return part;
      const range = part.value;
      const bytes = await blobs.open(row.sha256, range);
      if (bytes === undefined)
        return fail('defect', `The file ${name} cannot be sent: its bytes are missing. Upload it again.`);
      const noted = await noteAccess(call, row, 'read', { sha256: row.sha256, ...range });
      if (noted.ok) return ok({ row, bytes, range });
      await bytes.cancel();
      return noted;
    },

    /** Bytes for a host of the tenant; undefined when no file of it has them. */
    bytesFor: async (tenant: string, sha256: string) =>
      (await hasPromptBytes(store, sha256, tenant)) ? await blobs.open(sha256) : undefined,

    /**
     * The row of an uploaded file for a host of the tenant, as the feed will bring it. Chosen: no recordings. A copy of what
     * people said stays at the host that recorded it, where it is erased.
     */
    rowFor: async (tenant: string, name: string): Promise<ReplicatedPromptFile | undefined> => {
      const row = await readPromptFile(store, tenant, name);
      if (row?.origin !== 'upload') return undefined;
      return { name, sha256: row.sha256, size: row.size, format: row.format };
    },

    /** A recording for a host of the tenant that has not made it: its size, then its bytes. The audit log names the host. */
    recordingFor: async (call: Call, name: string) => {
      const row = await readPromptFile(store, call.tenant, name);
      const { origin, size } = row ?? {
        origin: 'recording',
        size: (await sites?.find(call.tenant, name, askerOf(call)))?.size,
      };
      return origin === 'recording' && size !== undefined ? ok(size) : unknown(name);
    },

    /** A URL that opens the file without a token until it expires. */
    url: async (call: Call, name: string, nowMs: number) => {
      const row = await readPromptFile(store, call.tenant, name);
      const held = row === undefined ? await sites?.find(call.tenant, name, askerOf(call)) : undefined;
      if (row === undefined && held === undefined) return unknown(name);
      const { origin = 'recording', sha256 } = row ?? {};
      const detail = sha256 === undefined ? { hostId: held?.hostId } : { sha256 };
      const noted = await noteAccess(call, { name, origin }, 'read url', detail);
      if (!noted.ok) return noted;
      const expires = String(Math.floor((nowMs + URL_VALID_MS) / 1_000));
      const { domain } = call;
      const maker = call.actor.name;
      const signature = sign(signedText({ domain, name, expires, maker }));
      const query = new URLSearchParams({ domain, name, expires, maker, signature });
      return ok({
        url: `${publicUrl}/promptfile?${query}`,
        mediaType: mediaTypeOf(row ?? { format: formatOf(name) }),
      });
    },

    /** Whether a URL that was given opens this file now: its maker must still have the right to read it. */
    mayOpen: async (tenant: string, url: SignedUrl, nowMs: number): Promise<boolean> =>
      /^\d{1,12}$/.test(url.expires) &&
      Number(url.expires) * 1_000 > nowMs &&
      isSigned(signedText(url), url.signature) &&
      (await mayRead(store, tenant, url.maker ?? null, nowMs)),

    /** To the object store; it is deleted here afterwards. */
    move: async (call: Call, name: string, target: PromptFileMove): Promise<Result<PromptFileChange>> => {
      const row = await readPromptFile(store, call.tenant, name);
      const bytes = row && (await blobs.open(row.sha256));
      if (row === undefined || bytes === undefined) return unknown(name);
      const { bucketName, bucketRegion, objectKey = name, kmsKey } = target;
      const put = await objects.put({
        domain: call.domain,
        bucket: bucketName,
        region: bucketRegion,
        key: objectKey,
        encryptionKey: kmsKey,
        size: row.size,
        sha256: row.sha256,
        bytes,
      });
      return put.ok ? await remove(call, name, 'move', { target }) : put;
    },
  };
}

/** An address made by a program from before makers were named has none, and lives 15 minutes. */
const signedText = ({ domain, name, expires, maker }: Omit<SignedUrl, 'signature'>): string =>
  [domain, name, expires, ...(maker === undefined ? [] : [maker])].join('\n');
