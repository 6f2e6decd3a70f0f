import { createReadStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { uuid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { BorrowRecording } from '../../call/sound/index.ts';
import type { RecordingSource } from '../../io/edge/index.ts';
import type { FindRecording, FoundRecording, RecordingStore } from '../../media/recording/index.ts';
import type { FindPeerRecording } from './recording-part.ts';

/** Chosen: a caller hears silence meanwhile; a recording that comes more slowly is not played. */
const COPY_MS = 30_000;

export interface SiteRecordingDependencies {
  readonly recordingStore: Pick<RecordingStore, 'pathOf'>;
  readonly peers: FindPeerRecording;
  /** Undefined: this machine is no host of a site, or there is no control plane. */
  readonly cloud: () => RecordingSource | undefined;
  readonly random: (length: number) => Uint8Array;
}

/**
 * A recording by its name, at whichever host of the site it was made (decisions 5).
 *
 *   own store ─ none ─▶ other hosts whose link is up ─ none ─▶ control plane ─ none ─▶ notFound
 */
export const findRecording =
  ({ recordingStore, peers, cloud }: SiteRecordingDependencies): FindRecording =>
  async (fileName) => {
    const found = localRecording(recordingStore, fileName) ?? (await peers(fileName));
    if (found !== undefined) return ok(found);
    return (await cloud()?.find(fileName)) ?? missing(fileName);
  };

const missing = (fileName: string) =>
  fail('notFound', `No host of this site that answers has the recording ${fileName}. Check the name.`);

export function localRecording(
  recordingStore: Pick<RecordingStore, 'pathOf'>,
  fileName: string,
): (FoundRecording & { readonly path: string }) | undefined {
  const path = recordingStore.pathOf(fileName);
  const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === undefined || found?.isFile() !== true) return undefined;
  const open = async () => ok(Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>);
  return { path, sizeBytes: found.size, open };
}

/**
 * Copies of recordings of other hosts, each for as long as its borrower needs it.
 *
 * Chosen: no copy stays. A recording is erased at the host that made it and at the control plane; a third copy would escape.
 */
export class BorrowedRecordings {
  readonly #folder: string;
  readonly #dependencies: Omit<SiteRecordingDependencies, 'recordingStore'>;

  /** Copies of an earlier run go. */
  constructor(folder: string, dependencies: Omit<SiteRecordingDependencies, 'recordingStore'>) {
    this.#folder = folder;
    this.#dependencies = dependencies;
    rmSync(folder, { recursive: true, force: true });
  }

  readonly borrow: BorrowRecording = async (fileName, from, signal) => {
    const { peers, cloud } = this.#dependencies;
    const found = from === 'peer' ? await peers(fileName) : await cloud()?.find(fileName);
    if (found === undefined) return fail('NotFound', `There is no prompt file ${fileName}; upload it first.`);
    if (!('ok' in found)) return await this.copy(fileName, found, signal);
    if (found.ok) return await this.copy(fileName, found.value, signal);
    return found.error.code === 'notFound'
      ? fail(
          'NotFound',
          `There is no prompt file ${fileName}, at this site or at the control plane; upload it first.`,
        )
      : fail(
          'Unreachable',
          `The file ${fileName} is not at this site, and the control plane cannot be asked: ${found.error.reason}. Check the line.`,
        );
  };

  async copy(fileName: string, found: FoundRecording, signal: AbortSignal): ReturnType<BorrowRecording> {
    const bytes = await found.open();
    if (!bytes.ok) return unread(fileName, bytes.error.reason);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, uuid(this.#dependencies.random(16)));
    const release = () => rm(path, { force: true });
    const within = AbortSignal.any([signal, AbortSignal.timeout(COPY_MS)]);
    try {
      await write(path, bytes.value, within);
      return ok({ path, release });
    } catch (cause) {
      await release();
      if (signal.aborted) return fail('Stopped', `${fileName} was not wanted any more.`);
      if (within.aborted)
        return fail('Late', `The recording ${fileName} did not come in time; check the line.`);
      return unread(fileName, cause instanceof Error ? cause.message : String(cause));
    }
  }
}

const unread = (fileName: string, reason: string): Result<never, { code: 'Unreachable'; reason: string }> =>
  fail('Unreachable', `The recording ${fileName} did not come from where it is: ${reason}. Check the line.`);

async function write(path: string, bytes: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of Readable.fromWeb(bytes as never, { signal })) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}
