import type { OwnListener } from '#shared/matching/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Freshness,
  type Kept,
  keyOf,
  nameOf,
  type Prepared,
  PromptCache,
  type PromptFault,
  type PromptSource,
  type Prompts,
} from '../../media/prompt/index.ts';
import type { VoiceSetting } from './prompt-message.ts';
import { PromptThread } from './prompt-thread.ts';
import { versionOf } from './read-file.ts';
import type { Patience } from './web.ts';

/** Chosen: some 140 minutes of speech, 4 bytes a sample. */
const CACHE_BYTES = 256 * 1024 * 1024;

export interface PromptSetting {
  /** Most bytes of prompts kept; default 256 MiB. */
  readonly cacheBytes?: number;
  /** CIDR blocks of `CARILLON_ALLOW_PRIVATE`; none is the default. */
  readonly allowPrivate?: readonly string[];
  /** Own listeners, never fetched from. */
  readonly listeners?: readonly OwnListener[];
  /** PEM certificates trusted beside the system's. */
  readonly extraCas?: readonly string[];
  /** Other times than 5 s to the first byte and 30 s to the last of a page. */
  readonly patience?: Patience;
  readonly voices?: VoiceSetting;
}

/** Starts the thread; resolves when it is ready and knows its voices. Rejects when it cannot start. */
export async function openPrompts(setting: PromptSetting = {}): Promise<Prompts> {
  const prompts = createPrompts(setting);
  await prompts.voices();
  return prompts;
}

/** Without waiting: the first who asks for a voice or a prompt starts the thread. */
export const createPrompts = (setting: PromptSetting = {}): Prompts => new CachedPrompts(setting);

/** The marks of a good copy: the version of the file, the freshness of the page; a text stays what it is. */
interface Mark {
  readonly version?: string;
  readonly freshness?: Freshness;
}

/** One load, wanted by one caller or several. */
interface PendingLoad {
  readonly answer: Promise<Result<Prepared, PromptFault>>;
  readonly stop: AbortController;
  callers: number;
}

/*
 *   prepare ─▶ in the cache and good? ──yes──▶ hit (no thread is asked)
 *                    │ no
 *                    ▼
 *              under way for another caller? ──yes──▶ wait with them
 *                    │ no
 *                    ▼
 *              thread: read or fetch or speak ─▶ decode ─▶ 8 kHz ─▶ both laws ─▶ cache
 */
class CachedPrompts implements Prompts {
  readonly #thread: PromptThread;
  readonly #cache: PromptCache<Mark>;
  readonly #pending = new Map<string, PendingLoad>();

  constructor(setting: PromptSetting) {
    this.#cache = new PromptCache(setting.cacheBytes ?? CACHE_BYTES);
    this.#thread = new PromptThread({
      allowPrivate: setting.allowPrivate ?? [],
      listeners: setting.listeners ?? [],
      extraCas: setting.extraCas ?? [],
      ...(setting.patience === undefined ? {} : { patience: setting.patience }),
      voices: setting.voices ?? {},
    });
  }

  get cachedBytes(): number {
    return this.#cache.bytes;
  }

  voices() {
    return this.#thread.voices();
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  crash(): Promise<void> {
    return this.#thread.crash();
  }

  async prepare(source: PromptSource, signal: AbortSignal): Promise<Result<Prepared, PromptFault>> {
    if (signal.aborted) return stopped(source);
    const key = keyOf(source);
    if (key === undefined) return this.#load(source, undefined, undefined, {}, signal);
    const version = source.kind === 'file' ? await versionOf(source.path) : undefined;
    const kept = this.#cache.get(key);
    if (kept !== undefined && isGood(source, kept.mark, version)) {
      return ok({ prompt: kept.prompt, cacheHit: true });
    }
    return this.#together(key, version ?? '', signal, (stop) =>
      this.#load(source, key, kept, version === undefined ? {} : { version }, stop),
    );
  }

  /** Callers that want the same at the same time wait for the same work; it is stopped when no caller waits any more. */
  async #together(
    key: string,
    version: string,
    signal: AbortSignal,
    load: (stop: AbortSignal) => Promise<Result<Prepared, PromptFault>>,
  ): Promise<Result<Prepared, PromptFault>> {
    const name = `${version} ${key}`;
    let work = this.#pending.get(name);
    if (work === undefined) {
      const stop = new AbortController();
      const made: PendingLoad = { answer: load(stop.signal), stop, callers: 0 };
      const done = () => {
        if (this.#pending.get(name) === made) this.#pending.delete(name);
      };
      void made.answer.then(done, done);
      this.#pending.set(name, made);
      work = made;
    }
    const mine = work;
    mine.callers++;
    const given = Promise.withResolvers<Result<Prepared, PromptFault>>();
    const give = () => {
      given.resolve(fail('Stopped', 'The prompt was not wanted any more.'));
      if (--mine.callers > 0) return;
      this.#pending.delete(name);
      mine.stop.abort(new Error('nobody waits'));
    };
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
    try {
      return await Promise.race([mine.answer, given.promise]);
    } finally {
      signal.removeEventListener('abort', give);
    }
  }

  async #load(
    source: PromptSource,
    key: string | undefined,
    kept: Kept<Mark> | undefined,
    mark: Mark,
    signal: AbortSignal,
  ): Promise<Result<Prepared, PromptFault>> {
    const answer = await this.#thread.load(source, kept?.mark.freshness, signal);
    if (!answer.ok) return this.#instead(source, kept, answer.error);
    const { prompt = kept?.prompt, freshness, spoken } = answer.value;
    if (prompt === undefined)
      return fail('Unreachable', `${nameOf(source)} answered 304 to a first question.`);
    if (key !== undefined) {
      if (freshness?.storable === false) this.#cache.drop(key);
      else this.#cache.put(key, prompt, { ...mark, ...(freshness === undefined ? {} : { freshness }) });
    }
    const cacheHit = answer.value.prompt === undefined;
    return ok({ prompt, cacheHit, ...(spoken === undefined ? {} : { spoken }) });
  }

  /** A copy that may be stale is better than silence when only the way to the server is broken. */
  #instead(
    source: PromptSource,
    kept: Kept<Mark> | undefined,
    error: PromptFault,
  ): Result<Prepared, PromptFault> {
    const broken = error.code === 'Unreachable' || error.code === 'Late';
    if (source.kind === 'url' && broken && kept?.mark.freshness?.staleAllowed === true) {
      return ok({ prompt: kept.prompt, cacheHit: true, stale: true });
    }
    return { ok: false, error };
  }
}

function isGood(source: PromptSource, mark: Mark, version: string | undefined): boolean {
  if (source.kind === 'file') return version !== undefined && mark.version === version;
  if (source.kind === 'url') return (mark.freshness?.freshUntilMs ?? 0) > Date.now();
  return true;
}

const stopped = (source: PromptSource) =>
  fail('Stopped' as const, `${nameOf(source)} was not wanted any more.`);
