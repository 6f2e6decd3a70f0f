import { createStore, useStore } from '../../client/store.ts';

/** The width of a telephone, as the style has it. */
const query = matchMedia('(max-width: 48rem)');
const isNarrow = createStore(query.matches);
query.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches;
});

/** The page has the width of a telephone. */
export const useNarrow = (): boolean => useStore(isNarrow);
