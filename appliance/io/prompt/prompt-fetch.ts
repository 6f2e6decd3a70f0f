import type { ReplicatedPromptFile } from '#shared/contract/runtime/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { PromptFault } from '../../media/prompt/index.ts';
import type { PromptStore } from './prompt-store.ts';

/** Chosen: a caller hears silence meanwhile; the file still comes, and the next phrase that names it finds it. */
const PATIENCE_MS = 5_000;

/** Where files are asked for by name. */
interface FileSource {
  readonly row: (
    name: string,
    signal: AbortSignal,
  ) => Promise<Result<ReplicatedPromptFile, Failure<'notFound' | 'unreachable'>>>;
  readonly save: Parameters<PromptStore['bring']>[1];
  readonly close: () => Promise<void>;
}

/**
 * Prompt files ahead of the configuration that names them: an application that has just uploaded a file plays it, and the row
 * comes a second later. Each name is asked for once at a time.
 *
 *   fetch ─▶ row at the control plane ─┬─ none ─▶ NotFound
 *                                      └─ bytes here? else saved and decoded once ─▶ path
 */
export class PromptFetch {
  readonly #store: PromptStore;
  readonly #open: () => FileSource | undefined;
  readonly #patienceMs: number;
  readonly #coming = new Map<string, Promise<Result<string, PromptFault>>>();

  /** `open`: undefined while this machine is no host of a site. */
  constructor(store: PromptStore, open: () => FileSource | undefined, patienceMs = PATIENCE_MS) {
    this.#store = store;
    this.#open = open;
    this.#patienceMs = patienceMs;
  }

  async fetch(name: string, signal: AbortSignal): Promise<Result<string, PromptFault>> {
    const coming = this.#coming.get(name) ?? this.#begin(name);
    const late = AbortSignal.any([signal, AbortSignal.timeout(this.#patienceMs)]);
    const given = new Promise<Result<string, PromptFault>>((resolve) => {
      const end = () =>
        resolve(
          signal.aborted
            ? fail('Stopped', `${name} was not wanted any more.`)
            : fail('Late', `The file ${name} did not come from the control plane in time; check the line.`),
        );
      if (late.aborted) end();
      else late.addEventListener('abort', end, { once: true });
    });
    return await Promise.race([coming, given]);
  }

  #begin(name: string): Promise<Result<string, PromptFault>> {
    const begun = this.#bring(name).finally(() => this.#coming.delete(name));
    this.#coming.set(name, begun);
    return begun;
  }

  async #bring(name: string): Promise<Result<string, PromptFault>> {
    const source = this.#open();
    if (source === undefined) return fail('NotFound', `There is no prompt file ${name}; upload it first.`);
    try {
      const row = await source.row(name, AbortSignal.timeout(this.#patienceMs));
      if (!row.ok && row.error.code === 'notFound')
        return fail(
          'NotFound',
          `There is no prompt file ${name}, here or at the control plane; upload it first.`,
        );
      if (!row.ok) return unreachable(name, row.error.reason);
      const brought = await this.#store.bring([row.value], source.save);
      if (brought.ok) return ok(this.#store.pathOf(row.value));
      const { code, reason } = brought.error;
      return code === 'unreachable' ? unreachable(name, reason) : fail('Unreadable', reason);
    } finally {
      await source.close();
    }
  }
}

const unreachable = (name: string, reason: string) =>
  fail(
    'Unreachable' as const,
    `The file ${name} is not at this host, and the control plane cannot be asked: ${reason}. Check the line.`,
  );
