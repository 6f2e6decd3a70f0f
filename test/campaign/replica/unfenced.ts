import { replaceModules } from './replaced-module.ts';

/**
 * Words for Node that load this file before the control plane: its replica goes on observing its hosts when its lease has run out, and no
 * transaction asks whether the term of a shard still stands. It exists so that partitions can be seen to turn their judgement red.
 */
export const unfenced: readonly string[] = ['--import', `${import.meta.url}?unfenced`];

if (new URL(import.meta.url).search === '?unfenced')
  replaceModules([
    ['/cloud/shard/ownership.ts', 'endless-ownership.ts'],
    ['/cloud/store/site/shard-fence.ts', 'open-fence.ts'],
  ]);
