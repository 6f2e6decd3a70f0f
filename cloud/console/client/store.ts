import { useSyncExternalStore } from 'react';

/** A value outside of the tree of components: pages and plain functions read it alike. */
export interface Store<T> {
  readonly value: T;
  /** Calls `changed` after each change until the function that is returned is called. */
  readonly subscribe: (changed: () => void) => () => void;
}

interface WritableStore<T> extends Store<T> {
  value: T;
}

/** A value that is written from anywhere; the same value again is no change. */
export function createStore<T>(initial: T): WritableStore<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get value() {
      return current;
    },
    set value(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** A value that follows from others. */
export const derive = <T>(from: readonly Store<unknown>[], read: () => T): Store<T> => ({
  get value() {
    return read();
  },
  subscribe: (changed) => {
    const stops = from.map(({ subscribe }) => subscribe(changed));
    return () => {
      for (const stop of stops) stop();
    };
  },
});

/** The value in a component, which is drawn again when it changes. */
export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, () => store.value);
