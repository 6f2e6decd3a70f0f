import type { PromptFormat } from '#shared/contract/runtime/index.ts';
import type { Result } from '#shared/result.ts';
import type { Reader, Store } from '../store/index.ts';
import type { ByteRange } from './byte-range.ts';

/** Bytes on their way: on the disk, and without effect until they are kept. */
export interface TakenBytes {
  /** The hash of all bytes, lower-case hex. */
  readonly sha256: string;
  readonly size: number;
  /** Their format; `invalid` with the fault and the advice. */
  readonly sound: () => Promise<Result<{ readonly format: PromptFormat; readonly seconds: number }>>;
  readonly keep: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

/** Where bytes stand, by their hash. */
export interface BlobStore {
  /** Fails with `tooLarge` as soon as it is. */
  readonly take: (from: ReadableStream<Uint8Array> | null, mostBytes: number) => Promise<Result<TakenBytes>>;
  /** `range`: these bytes alone. */
  readonly open: (sha256: string, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | undefined>;
  readonly remove: (sha256: string) => Promise<void>;
}

/** Where files are moved to: a bucket of the tenant, of the local store a folder; a key has a name. */
export interface ObjectStore {
  readonly put: (target: {
    /** Domain of the tenant. */
    readonly domain: string;
    readonly bucket: string;
    readonly region: string;
    readonly key: string;
    readonly encryptionKey: string | undefined;
    readonly size: number;
    readonly sha256: string;
    readonly bytes: ReadableStream<Uint8Array>;
  }) => Promise<Result<null>>;
}

/** A recording that lies at a host of the tenant. */
interface HeldRecording {
  readonly uid: string;
  readonly hostId: string;
  readonly size: number;
}

/** Recordings that lie at sites: of recording services, and those on their way. */
export interface SiteRecordings {
  readonly find: (tenant: string, name: string, by: string) => Promise<HeldRecording | undefined>;
  readonly open: (
    held: HeldRecording,
    name: string,
    by: string,
  ) => Promise<Result<ReadableStream<Uint8Array>>>;
}

export interface PromptFilePort {
  readonly store: Store;
  /** Absent: what is not here does not exist. */
  readonly sites?: SiteRecordings;
  readonly blobs: BlobStore;
  readonly objects: ObjectStore;
  /** Signature of a text for URLs, and whether one is good. */
  readonly sign: (text: string) => string;
  readonly isSigned: (text: string, signature: string) => boolean;
  readonly publicUrl: string;
  /** Whether the maker of an address may still read the file; null = made before makers were named. */
  readonly mayRead: (from: Reader, tenant: string, maker: string | null, nowMs: number) => Promise<boolean>;
}
