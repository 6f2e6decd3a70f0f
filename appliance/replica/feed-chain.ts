import { fail } from '#shared/result.ts';
import type { FeedSource, Fetched } from './feed-source.ts';

/**
 * The same signed bytes from whoever has them: the cloud first, then a stick that was put in, then another host of the
 * site. What a source does not have is asked of the next; a clear answer, also that there is nothing newer, is one.
 */
export function feedChain(sources: readonly FeedSource[]): FeedSource {
  const first = async <T>(ask: (source: FeedSource) => Promise<Fetched<T>>): Promise<Fetched<T>> => {
    let last: Fetched<T> = fail('unreachable', 'there is nobody to ask');
    let told: Fetched<T> | undefined;
    for (const source of sources) {
      const answer = await ask(source);
      if (answer.ok || answer.error.code === 'notModified') return answer;
      told ??= answer;
      last = answer;
    }
    // Why the cloud was not reached is what a person can mend.
    return told ?? last;
  };
  return {
    twin: () => first((source) => source.twin()),
    manifest: (scope, since, has) => first((source) => source.manifest(scope, since, has)),
    page: (page) => first((source) => source.page(page)),
    keys: () =>
      first(
        async (source) => (await source.keys?.()) ?? fail('unreachable', 'this source has no key statements'),
      ),
    save: (file, path) =>
      first(
        async (source) =>
          (await source.save?.(file, path)) ?? fail('unreachable', 'this source has no prompt files'),
      ),
  };
}
