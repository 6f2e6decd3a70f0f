const ADDRESSES_KEPT = 10_000;

/** Lets `perSecond` new connections of one address through in each second. */
export function addressLimiter(perSecond: number): (address: string) => boolean {
  let second = 0;
  const counts = new Map<string, number>();
  return (address) => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second || counts.size >= ADDRESSES_KEPT) {
      second = now;
      counts.clear();
    }
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    return count <= perSecond;
  };
}
