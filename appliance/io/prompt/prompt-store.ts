import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { ReplicatedPromptFile } from '#shared/contract/runtime/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { Prompts } from '../../media/prompt/index.ts';

/** Chosen: bytes that no row names stay this long: the last known good configuration may name them. */
const KEPT_MS = 7 * 86_400_000;
/** Chosen: and no more of them than this; those that were named last stay. */
const SPARE_BYTES = 512 * 1024 * 1024;

/** Fetches a file; the feed of the site, as far as it is needed here. */
type Save = (
  file: { readonly sha256: string; readonly size: number },
  path: string,
) => Promise<Result<null, Failure<string>>>;

/**
 * Bytes of prompt files under their hash, fetched before the rows that name them are in force. Each is decoded once when it
 * comes: what cannot be played is refused with the name of the file, and the configuration before it stays.
 */
export class PromptStore {
  readonly #folder: string;
  readonly #prompts: Prompts;

  constructor(folder: string, prompts: Prompts) {
    this.#folder = folder;
    this.#prompts = prompts;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  pathOf({ sha256 }: Pick<ReplicatedPromptFile, 'sha256'>): string {
    return join(this.#folder, sha256);
  }

  /** `unreachable`: try again. `promptFile`: never to be played; `path` names the row. */
  async bring(
    files: readonly ReplicatedPromptFile[],
    save: Save | undefined,
  ): Promise<Result<null, Failure<'unreachable' | 'promptFile'>>> {
    for (const file of files) {
      const path = this.pathOf(file);
      if (existsSync(path)) continue;
      if (save === undefined)
        return fail('unreachable', `the bytes of ${file.name} cannot be fetched this way`);
      const saved = await save(file, path);
      const rejected = (reason: string) => fail('promptFile' as const, reason, `/promptfile/${file.name}`);
      if (!saved.ok && saved.error.code === 'damaged') return rejected(saved.error.reason);
      if (!saved.ok) return fail('unreachable', saved.error.reason);
      const made = await this.#prompts.prepare({ kind: 'file', path }, new AbortController().signal);
      if (made.ok) continue;
      rmSync(path, { force: true });
      const { code, reason } = made.error;
      if (code === 'Lost' || code === 'Failed' || code === 'Stopped') return fail('unreachable', reason);
      return rejected(reason.replaceAll(path, file.name));
    }
    return ok(null);
  }

  /** Removes the files that no configuration names and none may come back to. The time of a file is when it was named last. */
  prune(named: readonly ReplicatedPromptFile[], nowMs: number, spareBytes = SPARE_BYTES): void {
    const kept = new Set(named.map(({ sha256 }) => sha256));
    const spare: { readonly path: string; readonly size: number; readonly namedMs: number }[] = [];
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      // Another look at the folder may have been faster.
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined) continue;
      if (kept.has(name)) utimesSync(path, nowMs / 1_000, nowMs / 1_000);
      else spare.push({ path, size: found.size, namedMs: found.mtimeMs });
    }
    let bytes = 0;
    for (const { path, size, namedMs } of spare.sort((a, b) => b.namedMs - a.namedMs)) {
      bytes += size;
      if (namedMs < nowMs - KEPT_MS || bytes > spareBytes) rmSync(path, { force: true });
    }
  }
}
