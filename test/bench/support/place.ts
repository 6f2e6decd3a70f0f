import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Resources that a bench or a peer test started: closed in the opposite order, whatever happens. */
export class Place {
  readonly #ends: (() => Promise<void> | void)[] = [];

  /** A folder of its own, removed at the end. */
  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
    this.#ends.push(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  /** Keeps what was started until the end. */
  async keep<Started extends { readonly stop: () => Promise<void> }>(
    starting: Promise<Started>,
  ): Promise<Started> {
    const started = await starting;
    this.#ends.push(() => started.stop());
    return started;
  }

  async close(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }
}

export async function inPlace<Result>(work: (place: Place) => Promise<Result>): Promise<Result> {
  const place = new Place();
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}
