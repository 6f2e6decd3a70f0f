/** A connection's reads, by name. */
type Reads<R> = { readonly [K in keyof R]: R[K] };

/**
 * The same reads over whichever connection is open now. `failed` hears what a read throws; the asker gets it too, and finds
 * another file when he asks again.
 */
export function watchedReads<R extends object>(
  current: () => Reads<R>,
  failed: (thrown: unknown) => void,
): Reads<R> {
  const names = Object.keys(current()) as (keyof R)[];
  const watched = names.map((name) => [
    name,
    (...args: unknown[]): unknown => {
      try {
        return (current()[name] as (...args: unknown[]) => unknown)(...args);
      } catch (thrown) {
        failed(thrown);
        throw thrown;
      }
    },
  ]);
  return Object.fromEntries(watched) as Reads<R>;
}
