import type { Twin } from '#shared/contract/feed/index.ts';

/** The last request to root; kept over restarts. `null`: the twin named no addresses. */
export interface AskedNetwork {
  readonly net: Twin['net'];
}

/**
 * `ask`: lay the twin before root. `remember`: the request is withdrawn, so that the same one is asked for again when it comes back;
 * what is in force stays (a twin without addresses says "as it is").
 */
export type NetworkStep = 'nothing' | 'ask' | 'remember';

/** A host that is shut out or on its way out keeps the addresses by which it serves, or says its last word. */
const LIVES: ReadonlySet<Twin['life']> = new Set(['commissioning', 'active', 'draining', 'drained']);

/**
 * Each request is asked for once: what did not work a minute ago cuts the host off again. The first twin is asked for in any case,
 * so that root knows its platform before anything else can come between. `pinned`: a technician on site holds the network.
 */
export function networkStep(
  { life, net }: Pick<Twin, 'life' | 'net'>,
  asked: AskedNetwork | undefined,
  pinned: boolean,
): NetworkStep {
  if (!LIVES.has(life) || pinned) return 'nothing';
  if (asked === undefined) return 'ask';
  if (JSON.stringify(asked.net) === JSON.stringify(net)) return 'nothing';
  return net === null ? 'remember' : 'ask';
}

/** The chain of keys that proves all: that of the newest key holds those of the keys before it. */
export const longestChain = (chains: readonly (readonly string[])[]): readonly string[] =>
  chains.reduce((longer, chain) => (chain.length > longer.length ? chain : longer), []);
