/** Things that become due, soonest first: a binary heap. Dropping one means ignoring it when it comes out. */
export class WakeQueue<T> {
  private readonly heap: { readonly atMs: number; readonly what: T }[] = [];

  get nextMs(): number | undefined {
    return this.heap[0]?.atMs;
  }

  push(atMs: number, what: T): void {
    let at = this.heap.push({ atMs, what }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.timeAt(parent) <= atMs) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  /** Takes out the soonest one that is due at `nowMs`. */
  takeDue(nowMs: number): T | undefined {
    const first = this.heap[0];
    if (first === undefined || first.atMs > nowMs) return undefined;
    const last = this.heap.pop();
    if (last !== undefined && last !== first) {
      this.heap[0] = last;
      this.sink();
    }
    return first.what;
  }

  private sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = this.timeAt(left + 1) < this.timeAt(left) ? left + 1 : left;
      if (this.timeAt(child) >= this.timeAt(at)) return;
      this.swap(at, child);
      at = child;
    }
  }

  private timeAt(index: number): number {
    return this.heap[index]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  private swap(a: number, b: number): void {
    const first = this.heap[a];
    const second = this.heap[b];
    if (first === undefined || second === undefined) return;
    this.heap[a] = second;
    this.heap[b] = first;
  }
}
