import { registerHooks } from 'node:module';

/**
 * Words for Node that load this file before the control plane: its replica goes on observing its hosts when its lease has run out, and no
 * transaction asks whether the term of a shard still stands. It exists so that partitions can be seen to turn their judgement red.
 */
export const unfenced: readonly string[] = ['--import', `${import.meta.url}?unfenced`];

const FOLDER = new URL('removed/', import.meta.url).href;
/** Each module, and the one that stands in its place. */
const REMOVED: readonly (readonly [module: string, instead: string])[] = [
  ['/cloud/shard/ownership.ts', 'endless-ownership.ts'],
  ['/cloud/store/site/shard-fence.ts', 'open-fence.ts'],
];

if (new URL(import.meta.url).search === '?unfenced') {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const instead = REMOVED.find(([module]) => found.url.endsWith(module))?.[1];
      if (instead === undefined || context.parentURL?.startsWith(FOLDER)) return found;
      return { ...found, url: FOLDER + instead };
    },
  });
}
