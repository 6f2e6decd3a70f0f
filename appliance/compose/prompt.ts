import { join } from 'node:path';
import type { OwnListener } from '#shared/matching/index.ts';
import { type ApplianceConfig, listensOf } from '../config.ts';
import { createPrompts, PromptStore } from '../io/prompt/index.ts';
import type { Log } from '../io/system/index.ts';
import type { Prompts } from '../media/prompt/index.ts';
import type { PromptBytes } from '../site/host/site-port.ts';

/** Prompts, and the files of them that configurations name. */
export interface OpenPromptFiles {
  readonly prompts: Prompts;
  readonly store: PromptStore;
  /** Removes files that none of these rows names any more. */
  readonly prune: (named: Parameters<PromptStore['prune']>[0]) => void;
  readonly bytes: PromptBytes;
}

/** The addresses that prompts and streams may ask for: never those where this host listens. */
export const outgoingOf = (config: ApplianceConfig, trustPem: string | undefined) => ({
  allowPrivate: config.allowPrivate,
  extraCas: trustPem === undefined ? [] : [trustPem],
  listeners: listensOf(config).map(({ host, port }): OwnListener => ({ address: host, port })),
});

/** The thread of prompts begins when it is first needed. */
export function openPromptFiles(
  config: ApplianceConfig,
  { trustPem, log }: { readonly trustPem: string | undefined; readonly log: Log },
): OpenPromptFiles {
  const prompts = createPrompts(outgoingOf(config, trustPem));
  const store = new PromptStore(join(config.data, 'prompt'), prompts);
  // A disk that refuses is no reason to refuse a configuration.
  const prune: OpenPromptFiles['prune'] = (named) => {
    try {
      store.prune(named, Date.now());
    } catch (cause) {
      log('warn', 'prompt.cleanup_failed', 'Could not remove unused prompt files', { cause: String(cause) });
    }
  };
  return {
    prompts,
    store,
    prune,
    bytes: {
      async bring(files, feed) {
        const brought = await store.bring(files, feed.save);
        if (brought.ok) prune(files);
        return brought;
      },
    },
  };
}
