/** A caller that waits: its participant, unique on this host. */
export type CallerId = string;
/** An agent is its destination, in the words of the application. */
export type AgentId = string;

export interface QueueRequest {
  /** Unique among the services of this host. */
  readonly queue: string;
  readonly agents: readonly AgentId[];
  /** An alarm: before all ordinary callers. */
  readonly urgent: boolean;
  readonly wrapUpMs: number;
  /** An agent that has not answered is rung again after this. */
  readonly retryMs: number;
  /** Ordinary callers beyond so many are not taken. */
  readonly mostWaiting?: number;
  readonly mostWaitMs?: number;
}

export interface QueuedCaller extends QueueRequest {
  readonly id: CallerId;
  readonly enteredMs: number;
  /** Callers of the host so far: the order of arrival. */
  readonly place: number;
  /** The agent that is rung for it. */
  readonly rings?: AgentId;
}

/**
 * One agent.
 *
 *   free ── ring ──▶ ringing ── answered ──▶ talking ── ended ──▶ wrapUp ── time ──▶ free
 *     ▲                 ├── 486, 600: busy ───────────── time ────────────────────────┤
 *     └── caller left ──┴── anything else: away ──────── time ────────────────────────┘
 */
export interface QueueAgent {
  readonly id: AgentId;
  readonly phase: 'free' | 'ringing' | 'talking' | 'wrapUp' | 'busy' | 'away';
  readonly sinceMs: number;
  /** wrapUp, busy, away: until then. */
  readonly untilMs?: number;
  /** ringing, talking. */
  readonly caller?: CallerId;
  readonly queue?: string;
  readonly wrapUpMs: number;
}

/** Counted since the start of the program, or since the queue was named first. */
export interface QueueCount {
  readonly entered: number;
  readonly answered: number;
  readonly abandoned: number;
  readonly overflowed: number;
  /** Waits of the answered callers together. */
  readonly waitedMs: number;
  /** Conversations that have ended, and their time with the wrap-up. */
  readonly served: number;
  readonly servedMs: number;
  /** As the last caller has named them. */
  readonly agents: readonly AgentId[];
}

export interface QueueState {
  readonly callers: ReadonlyMap<CallerId, QueuedCaller>;
  readonly agents: ReadonlyMap<AgentId, QueueAgent>;
  readonly counts: ReadonlyMap<string, QueueCount>;
  readonly places: number;
}

export const NO_QUEUE: QueueState = { callers: new Map(), agents: new Map(), counts: new Map(), places: 0 };

export type QueueOverflow = 'full' | 'maxWait' | 'noAgents';

/** `atMs`: monotonic. */
export type QueueInput = { readonly atMs: number } & (
  | { readonly kind: 'entered'; readonly caller: CallerId; readonly request: QueueRequest }
  /** It has hung up, or does something else. */
  | { readonly kind: 'left'; readonly caller: CallerId }
  | { readonly kind: 'answered'; readonly caller: CallerId; readonly agent: AgentId }
  /** `status`: the SIP response. */
  | { readonly kind: 'failed'; readonly caller: CallerId; readonly agent: AgentId; readonly status: number }
  /** The conversation, or the call that rang, is over. */
  | { readonly kind: 'ended'; readonly caller: CallerId; readonly agent: AgentId }
  | { readonly kind: 'time' }
);

export type QueueEffect =
  | { readonly kind: 'ring'; readonly caller: CallerId; readonly agent: AgentId }
  /** The agent is not rung for this caller any more. */
  | { readonly kind: 'withdraw'; readonly caller: CallerId; readonly agent: AgentId }
  /** The caller waits no longer. */
  | { readonly kind: 'overflow'; readonly caller: CallerId; readonly reason: QueueOverflow };

/** Urgent callers first, then by arrival. */
export const inOrder = (callers: Iterable<QueuedCaller>): readonly QueuedCaller[] =>
  [...callers].sort((a, b) => Number(b.urgent) - Number(a.urgent) || a.place - b.place);
