import { fail } from '#shared/result.ts';
import type { EngineCommand } from '../../media/engine/index.ts';
import type { MediaThread } from './media-thread.ts';
import type { CommandResult } from './message.ts';

/** One worker and how it does. */
export class Slot {
  readonly worker: number;
  thread: MediaThread | null = null;
  /** For whatever reason; nothing is refused for it. */
  late = false;
  /** By its own load. */
  overloaded = false;
  legs = 0;

  constructor(worker: number) {
    this.worker = worker;
  }

  get ready(): boolean {
    return this.thread?.ready === true;
  }

  async command(command: EngineCommand): Promise<CommandResult> {
    return (await this.thread?.command(command)) ?? lost();
  }
}

export const lost = () => fail('Lost', 'The media worker of this leg ended, and the leg was lost with it.');
