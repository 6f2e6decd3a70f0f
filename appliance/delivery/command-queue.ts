/** Topics of the command queue that applications read, below `event/{domain}/`. */
export type QueueTopic = 'message' | 'alarm';

/** The command queue of the site (control plane 3.6), as the runtime tells it what happens. */
export interface CommandQueue {
  /** URL of the topic that takes commands of a kind. */
  readonly urlOf: (kind: 'message' | 'callrecording') => string;
  /** Sends the event to every client that listens, and waits for none. */
  readonly tell: (topic: QueueTopic, event: Readonly<Record<string, unknown>>) => void;
}

export interface QueuePorts {
  /** The command queue of the site; without it no client can listen there. */
  readonly queue?: CommandQueue;
}
