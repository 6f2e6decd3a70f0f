/** Numbers of the places in the page that rows have, by the key of their row. */
export type Places = ReadonlyMap<string, number>;

/**
 * The places of the rows with these `keys` (in the order of the list): a row that stays in sight keeps its place, and one that comes in takes
 * the place of one that has left, for to change texts costs a browser far less than to make elements and to remove others. `barred`: a row
 * whose place no other one takes now, for the focus may be in it.
 */
export function placesOf(before: Places, keys: readonly string[], barred?: string): Places {
  const places = new Map<string, number>();
  const taken = new Set<number>();
  for (const key of new Set(keys)) {
    const place = before.get(key);
    if (place !== undefined) taken.add(place);
    places.set(key, place ?? -1);
  }
  const closed = barred === undefined || places.has(barred) ? undefined : before.get(barred);
  let free = 0;
  for (const [key, place] of places) {
    if (place !== -1) continue;
    while (taken.has(free) || free === closed) free++;
    taken.add(free);
    places.set(key, free);
  }
  return places;
}
