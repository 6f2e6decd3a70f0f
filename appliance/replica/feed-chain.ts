import type { FeedScope } from '#shared/contract/feed/index.ts';
import { fail } from '#shared/result.ts';
import type { FeedSource, Fetched } from './feed-source.ts';

/**
 * The same signed bytes from any source that has them: the cloud first, then a stick that was put in, then another host of the
 * site. The chain asks the next source for bytes that one does not have; a clear answer, also that there is nothing newer, is one.
 * `onManifest`: the source with this place in the list has given the manifest of a scope.
 */
export function feedChain(
  sources: readonly FeedSource[],
  onManifest: (scope: FeedScope, place: number) => void = () => {},
): FeedSource {
  const first = async <T>(
    ask: (source: FeedSource) => Promise<Fetched<T>>,
    onGiven: (place: number) => void = () => {},
  ): Promise<Fetched<T>> => {
    let last: Fetched<T> = fail('unreachable', 'there is nobody to ask');
    let refusal: Fetched<T> | undefined;
    for (const [place, source] of sources.entries()) {
      const answer = await ask(source);
      if (answer.ok) onGiven(place);
      if (answer.ok || answer.error.code === 'notModified') return answer;
      refusal ??= answer;
      last = answer;
    }
    // Why the cloud was not reached is what a person can mend.
    return refusal ?? last;
  };
  return {
    twin: () => first((source) => source.twin()),
    manifest: (scope, since, has) =>
      first(
        (source) => source.manifest(scope, since, has),
        (place) => onManifest(scope, place),
      ),
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
