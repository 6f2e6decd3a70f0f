/** Public face of queues: callers that wait, agents that are rung for them, and the figures of both. */
export { figuresOf, placeOf } from './queue-figure.ts';
export {
  NO_QUEUE,
  type QueueEffect,
  type QueueInput,
  type QueueOverflow,
  type QueueRequest,
  type QueueState,
} from './queue-state.ts';
export { stepQueue } from './step-queue.ts';
