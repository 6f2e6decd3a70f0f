import { createSiteKey, type KeptKey } from '#cloud/io/key/index.ts';

/** One key of an installation without a database: what one process writes, every other one that has this reads. */
export function keptKey(first: string = JSON.stringify(createSiteKey())): KeptKey {
  let text = first;
  return {
    text: () => text,
    reload: async () => undefined,
    replace: async (next) => {
      text = next;
      return true;
    },
  };
}
