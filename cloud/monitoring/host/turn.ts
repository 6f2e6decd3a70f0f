import { Turns } from '#shared/turns.ts';

/** Seconds between two tries of lasting work: doubled from 1 to this. */
const LONGEST_PAUSE_S = 16;

interface Pause {
  readonly sh: string;
  leftS: number;
  readonly end: () => void;
}

export interface ReportedTurnsPort {
  readonly onFailure: (name: string, error: unknown) => void;
  /** The storage failed, and no defect: it will work again. */
  readonly isStorageFault: (error: unknown) => boolean;
}

/** Work in turns by name that no caller waits for: a failure is reported, and the next task runs. */
export class ReportedTurns {
  readonly #turns = new Turns();
  readonly #port: ReportedTurnsPort;
  #pauses: Pause[] = [];
  /** How often this process has lost each shard. */
  readonly #losses = new Map<string, number>();
  #isEnding = false;

  constructor(port: ReportedTurnsPort) {
    this.#port = port;
  }

  add(name: string, run: () => Promise<unknown>): void {
    this.#turns.run(name, run).catch((error: unknown) => this.#port.onFailure(name, error));
  }

  /**
   * Work that nothing brings about a second time, such as an alarm: while the storage fails it is done again, and lasting work under this
   * name that comes later waits for it; other work does not. `sh`: the shard that it concerns; with it, the work is given up, since its
   * next owner goes by the rows.
   */
  addLasting(name: string, sh: string, run: () => Promise<unknown>): void {
    const losses = this.#lossesOf(sh);
    const isWanted = (): boolean => !this.#isEnding && this.#lossesOf(sh) === losses;
    const again = `${name} again`;
    this.add(name, async () => {
      let pauseS = 0;
      if (!this.#turns.isBusy(again))
        try {
          return await run();
        } catch (error) {
          if (!isWanted() || !this.#port.isStorageFault(error)) throw error;
          // It may fail for as long as the database is away: said once.
          this.#port.onFailure(name, error);
          pauseS = 1;
        }
      const work = this.#turns.run(again, () => this.#repeat(sh, pauseS, run, isWanted));
      work.catch((error: unknown) => this.#port.onFailure(name, error));
      return undefined;
    });
  }

  async #repeat(
    sh: string,
    firstPauseS: number,
    run: () => Promise<unknown>,
    isWanted: () => boolean,
  ): Promise<void> {
    for (let pauseS = firstPauseS; ; pauseS = Math.min(Math.max(1, 2 * pauseS), LONGEST_PAUSE_S)) {
      const leftS = pauseS;
      if (leftS > 0) await new Promise<void>((end) => this.#pauses.push({ sh, leftS, end }));
      if (!isWanted()) return;
      try {
        await run();
        return;
      } catch (error) {
        if (!isWanted() || !this.#port.isStorageFault(error)) throw error;
      }
    }
  }

  /** Once a second. */
  tick(): void {
    for (const pause of this.#pauses) pause.leftS--;
    this.#resume(({ leftS }) => leftS <= 0);
  }

  /** This process observes these shards no more: lasting work that concerns them is given up. */
  leave(shards: ReadonlySet<string>): void {
    for (const sh of shards) this.#losses.set(sh, this.#lossesOf(sh) + 1);
    this.#resume(({ sh }) => shards.has(sh));
  }

  /** Work that fails from now on is given up: the rows say what the next start needs. */
  end(): void {
    this.#isEnding = true;
    this.#resume(() => true);
  }

  /** Whether work under this name waits or runs. */
  isBusy(name: string): boolean {
    return this.#turns.isBusy(name);
  }

  idle(): Promise<void> {
    return this.#turns.idle();
  }

  #lossesOf(sh: string): number {
    return this.#losses.get(sh) ?? 0;
  }

  #resume(isOver: (pause: Pause) => boolean): void {
    if (this.#pauses.length === 0) return;
    const over = this.#pauses.filter(isOver);
    this.#pauses = this.#pauses.filter((pause) => !isOver(pause));
    for (const { end } of over) end();
  }
}
