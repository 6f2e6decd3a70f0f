import { useSearchState } from '../../client/route.ts';
import { type ListState, type Span, stateOf } from './list-state.ts';

/** Parameters of the address beside the filters. */
const OWN = ['from', 'to', 'span', 'columns', 'sort'] as const;

export interface ListAddress {
  readonly state: ListState;
  readonly filter: (name: string, value: string | undefined) => void;
  readonly clear: () => void;
  readonly during: (span: Span | undefined) => void;
  /** Epoch ms. */
  readonly between: (from: number | undefined, to: number | undefined) => void;
  readonly show: (columns: readonly string[] | undefined) => void;
}

/** The state of the list of this page, and what changes it. `filters`: the names of its filters. */
export function useListAddress(filters: readonly string[]): ListAddress {
  const [search, change] = useSearchState();
  return {
    state: stateOf(search, filters),
    filter: (name, value) => change({ [name]: value }),
    clear: () =>
      change(Object.fromEntries([...filters, ...OWN.slice(0, 3)].map((name) => [name, undefined]))),
    during: (span) => change({ span, from: undefined, to: undefined }),
    between: (from, to) => change({ span: undefined, from: from?.toString(), to: to?.toString() }),
    show: (columns) => change({ columns: columns?.join(',') }),
  };
}
