import { CopyLane } from '#appliance/site/peer/index.ts';

/**
 * Words for Node that load this file before the appliance: what it says that it copies to the other host of its site never
 * leaves it. It exists so that the campaign of two hosts can be seen to turn red.
 */
export const solitary: readonly string[] = ['--import', `${import.meta.url}?alone`];

if (new URL(import.meta.url).search === '?alone') {
  CopyLane.prototype.offer = (_, __, wait) => (wait === undefined ? [] : [{ kind: 'copied', wait }]);
}
