import type { MediaEvent } from '../../control/index.ts';
import { LateWatch } from './late-watch.ts';
import { Overload, type OverloadSetting } from './overload.ts';

interface LoadSetting extends OverloadSetting {
  readonly worker: number;
  readonly tooLateMs?: number | undefined;
  readonly emit: (event: MediaEvent) => void;
}

/** How one worker does: late for whatever reason (a warning), overloaded by its own load (a reason to refuse). */
export class LoadWatch {
  readonly #setting: LoadSetting;
  readonly #late: LateWatch;
  readonly #overload: Overload;

  constructor(setting: LoadSetting) {
    this.#setting = setting;
    this.#late = new LateWatch(setting.tooLateMs);
    this.#overload = new Overload(setting);
  }

  get late(): boolean {
    return this.#late.on;
  }

  get overloaded(): boolean {
    return this.#overload.on;
  }

  /** One slice began. */
  slice(nowMs: number, latenessMs: number): void {
    if (this.#late.slice(nowMs, latenessMs)) this.#tell('late', this.late);
  }

  /** @param ownShare what this appliance has used of the processor lately, 0 to 1 */
  measured(nowMs: number, ownShare: number, legs: number): void {
    if (this.#overload.measured(nowMs, ownShare, legs)) this.#tell('overload', this.overloaded);
  }

  #tell(kind: 'late' | 'overload', on: boolean): void {
    this.#setting.emit({ kind, worker: this.#setting.worker, on });
  }
}
