import { fail, ok, type Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import {
  ArchiveFault,
  type BackupProgress,
  type OpenBy,
  type RestoredBackup,
  restoreBackup,
  type SealTo,
  type VerifiedBackup,
  verifyBackup,
  type WrittenBackup,
  writeBackup,
} from '../backup/index.ts';
import { type CloudConfig, cloudConfig } from '../config.ts';
import { openSealedDatabase } from '../installation/index.ts';

const DAY_MS = 86_400_000;

export interface BackupRequest {
  readonly file: string;
  readonly to: SealTo;
  readonly owner: string;
  readonly keepDays: number;
  readonly onProgress: (progress: BackupProgress) => void;
}

export interface RestoreRequest {
  readonly file: string;
  readonly by: OpenBy;
  readonly expired: boolean;
  readonly onProgress: (progress: BackupProgress) => void;
}

/** Copies of a whole installation. */
export interface BackupCommands {
  /** While the control plane runs. */
  readonly write: (sources: Sources, request: BackupRequest) => Promise<Result<WrittenBackup>>;
  readonly verify: (file: string, by: OpenBy) => Promise<Result<VerifiedBackup>>;
  /** Into an empty database and folder. */
  readonly restore: (sources: Sources, request: RestoreRequest) => Promise<Result<RestoredBackup>>;
}

export const backupCommands: BackupCommands = {
  write: (sources, { file, to, owner, keepDays, onProgress }) =>
    withConfig(sources, async (config) => {
      const port = await openSealedDatabase(config);
      try {
        const madeAt = Date.now();
        const objects = config.s3?.bucket === undefined ? 'files' : 'bucket';
        const times = { madeAt, expiresAt: madeAt + keepDays * DAY_MS };
        return ok(await writeBackup(port, { place: config, objects, file, to, owner, ...times, onProgress }));
      } finally {
        await port.connection.close();
      }
    }),
  verify: (file, by) => withArchiveFault(async () => ok(await verifyBackup(file, by))),
  restore: (sources, request) =>
    withConfig(sources, async (config) => {
      const actor = { name: 'system', address: 'console', requestId: '', at: Date.now() };
      return ok(await restoreBackup({ ...request, place: config, actor }));
    }),
};

async function withConfig<T>(
  sources: Sources,
  work: (config: CloudConfig) => Promise<Result<T>>,
): Promise<Result<T>> {
  const config = cloudConfig(sources);
  return config.ok ? await withArchiveFault(() => work(config.value)) : config;
}

/** An archive that cannot be used is another failure than a database or a disk. */
async function withArchiveFault<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return fail(cause instanceof ArchiveFault ? 'backupRefused' : 'databaseUnusable', reason);
  }
}
