import {
  NO_QUEUE,
  type QueueEffect,
  type QueueInput,
  type QueueRequest,
  type QueueState,
  stepQueue,
} from '#appliance/call/queue/index.ts';

type TimelessInput = QueueInput extends infer Each
  ? Each extends QueueInput
    ? Omit<Each, 'atMs'>
    : never
  : never;

const REQUEST: QueueRequest = {
  queue: 'support',
  agents: ['anna', 'bo'],
  urgent: false,
  wrapUpMs: 0,
  retryMs: 30_000,
};

/** The queues of a host step by step. */
export class QueueWorld {
  state: QueueState = NO_QUEUE;
  atMs = 0;
  dueMs: number | undefined;

  input(input: TimelessInput): readonly QueueEffect[] {
    const step = stepQueue(this.state, { ...input, atMs: this.atMs } as QueueInput);
    this.state = step.state;
    this.dueMs = step.dueMs;
    return step.effects;
  }

  enters(caller: string, request: Partial<QueueRequest> = {}): readonly QueueEffect[] {
    return this.input({ kind: 'entered', caller, request: { ...REQUEST, ...request } });
  }

  /** Time passes, with every `time` that was wanted on the way. */
  after(ms: number): readonly QueueEffect[] {
    const untilMs = this.atMs + ms;
    const effects: QueueEffect[] = [];
    while (this.dueMs !== undefined && this.dueMs <= untilMs) {
      this.atMs = Math.max(this.atMs, this.dueMs);
      effects.push(...this.input({ kind: 'time' }));
    }
    this.atMs = untilMs;
    return effects;
  }
}
