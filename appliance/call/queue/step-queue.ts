import {
  type AgentId,
  inOrder,
  type QueueAgent,
  type QueueCount,
  type QueuedCaller,
  type QueueEffect,
  type QueueInput,
  type QueueOverflow,
  type QueueRequest,
  type QueueState,
} from './queue-state.ts';

type Of<K extends QueueInput['kind']> = Extract<QueueInput, { readonly kind: K }>;

/** SIP responses of an agent that is there and speaks in another call. */
const BUSY: ReadonlySet<number> = new Set([486, 600]);
/** Chosen: a busy agent is rung again after so long, ms. */
const BUSY_MS = 5_000;
/** Chosen: agents without a call that are remembered, with the time since which each is free. */
const MOST_FREE = 1_000;

const NOTHING_COUNTED: QueueCount = {
  ...{ entered: 0, answered: 0, abandoned: 0, overflowed: 0, waitedMs: 0, served: 0, servedMs: 0 },
  agents: [],
};

/**
 * The queues of a host: who waits, and which agent is rung for whom. An agent has one caller at most, in whichever queue.
 *
 * @returns `dueMs`: when the next `time` is wanted
 */
export function stepQueue(
  state: QueueState,
  input: QueueInput,
): { readonly state: QueueState; readonly effects: readonly QueueEffect[]; readonly dueMs?: number } {
  const draft = new Draft(state, input.atMs);
  draft.wake();
  switch (input.kind) {
    case 'entered':
      draft.entered(input);
      break;
    case 'left':
      draft.left(input);
      break;
    case 'answered':
      draft.answered(input);
      break;
    case 'failed':
      draft.failed(input);
      break;
    case 'ended':
      draft.over(input);
      break;
    case 'time':
  }
  draft.assign();
  draft.forget();
  const dueMs = draft.dueMs;
  return { state: draft.state, effects: draft.effects, ...(dueMs !== undefined && { dueMs }) };
}

class Draft {
  readonly effects: QueueEffect[] = [];
  readonly #atMs: number;
  readonly #callers: Map<string, QueuedCaller>;
  readonly #agents: Map<AgentId, QueueAgent>;
  readonly #counts: Map<string, QueueCount>;
  #places: number;

  constructor({ callers, agents, counts, places }: QueueState, atMs: number) {
    this.#atMs = atMs;
    this.#callers = new Map(callers);
    this.#agents = new Map(agents);
    this.#counts = new Map(counts);
    this.#places = places;
  }

  get state(): QueueState {
    return { callers: this.#callers, agents: this.#agents, counts: this.#counts, places: this.#places };
  }

  /** Agents whose pause is over. */
  wake(): void {
    for (const agent of [...this.#agents.values()])
      if (agent.untilMs !== undefined && agent.untilMs <= this.#atMs) this.#free(agent, agent.untilMs);
  }

  entered({ caller: id, request }: Of<'entered'>): void {
    if (this.#callers.has(id)) return;
    this.#count(request.queue, ({ entered }) => ({ entered: entered + 1, agents: request.agents }));
    const caller: QueuedCaller = { ...request, id, enteredMs: this.#atMs, place: ++this.#places };
    const waiting = [...this.#callers.values()].filter(({ queue }) => queue === request.queue).length;
    this.#callers.set(id, caller);
    // An alarm is never refused for those before it.
    if (!request.urgent && waiting >= (request.mostWaiting ?? Number.POSITIVE_INFINITY))
      this.#overflow(caller, 'full');
  }

  left({ caller: id }: Of<'left'>): void {
    const caller = this.#callers.get(id);
    if (caller === undefined) return;
    this.#callers.delete(id);
    this.#count(caller.queue, ({ abandoned }) => ({ abandoned: abandoned + 1 }));
    const agent = caller.rings === undefined ? undefined : this.#agents.get(caller.rings);
    if (agent === undefined) return;
    this.effects.push({ kind: 'withdraw', caller: id, agent: agent.id });
    this.#free(agent);
  }

  answered({ caller: id, agent: agentId }: Of<'answered'>): void {
    const caller = this.#callers.get(id);
    const agent = this.#ringing(id, agentId);
    if (caller === undefined || agent === undefined) return;
    this.#callers.delete(id);
    this.#agents.set(agent.id, { ...agent, phase: 'talking', sinceMs: this.#atMs });
    this.#count(caller.queue, ({ answered, waitedMs }) => ({
      answered: answered + 1,
      waitedMs: waitedMs + this.#atMs - caller.enteredMs,
    }));
  }

  /** The caller keeps its place; the agent is let alone for a while. */
  failed({ caller: id, agent: agentId, status }: Of<'failed'>): void {
    const caller = this.#callers.get(id);
    const agent = this.#ringing(id, agentId);
    if (caller === undefined || agent === undefined) return;
    const { rings: _, ...waits } = caller;
    this.#callers.set(id, waits);
    const isBusy = BUSY.has(status);
    this.#pause(agent, isBusy ? 'busy' : 'away', isBusy ? BUSY_MS : caller.retryMs);
  }

  over({ caller: id, agent: agentId }: Of<'ended'>): void {
    const agent = this.#agents.get(agentId);
    if (agent?.caller !== id) return;
    if (agent.phase === 'talking') {
      const servedMs = this.#atMs - agent.sinceMs + agent.wrapUpMs;
      if (agent.queue !== undefined)
        this.#count(agent.queue, (before) => ({
          served: before.served + 1,
          servedMs: before.servedMs + servedMs,
        }));
      if (agent.wrapUpMs > 0) this.#pause(agent, 'wrapUp', agent.wrapUpMs);
      else this.#free(agent);
      return;
    }
    const caller = this.#callers.get(id);
    if (caller?.rings === agentId) {
      const { rings: _, ...waits } = caller;
      this.#callers.set(id, waits);
    }
    this.#free(agent);
  }

  /** The longest free agent for each caller, in their order; those that wait too long, or for no agent at all, overflow. */
  assign(): void {
    for (const caller of inOrder(this.#callers.values())) {
      if (caller.rings !== undefined) continue;
      const agent = this.#agentFor(caller);
      if (agent !== undefined) {
        const { id, queue, wrapUpMs } = caller;
        this.#callers.set(id, { ...caller, rings: agent });
        const now = {
          id: agent,
          phase: 'ringing',
          sinceMs: this.#atMs,
          caller: id,
          queue,
          wrapUpMs,
        } as const;
        this.#agents.set(agent, now);
        this.effects.push({ kind: 'ring', caller: id, agent });
      } else if (caller.agents.every((each) => this.#agents.get(each)?.phase === 'away'))
        this.#overflow(caller, 'noAgents');
      else if (overdueMs(caller) <= this.#atMs) this.#overflow(caller, 'maxWait');
    }
  }

  get dueMs(): number | undefined {
    const agents = [...this.#agents.values()].flatMap(({ untilMs }) =>
      untilMs === undefined ? [] : [untilMs],
    );
    const callers = [...this.#callers.values()].filter(({ rings }) => rings === undefined).map(overdueMs);
    const due = Math.min(...agents, ...callers);
    return Number.isFinite(due) ? due : undefined;
  }

  /** Free agents that have been idle longest are forgotten when there are too many. */
  forget(): void {
    const free = [...this.#agents.values()].filter(({ phase }) => phase === 'free');
    if (free.length <= MOST_FREE) return;
    free.sort((a, b) => b.sinceMs - a.sinceMs);
    for (const { id } of free.slice(MOST_FREE)) this.#agents.delete(id);
  }

  #agentFor({ agents }: QueueRequest): AgentId | undefined {
    let [best, bestMs]: [AgentId | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const id of agents) {
      const { phase, sinceMs } = this.#agents.get(id) ?? { phase: 'free', sinceMs: Number.NEGATIVE_INFINITY };
      if (phase === 'free' && sinceMs < bestMs) [best, bestMs] = [id, sinceMs];
    }
    return best;
  }

  #ringing(caller: string, id: AgentId): QueueAgent | undefined {
    const agent = this.#agents.get(id);
    return agent?.phase === 'ringing' && agent.caller === caller ? agent : undefined;
  }

  #free({ id, wrapUpMs }: QueueAgent, sinceMs = this.#atMs): void {
    this.#agents.set(id, { id, phase: 'free', sinceMs, wrapUpMs });
  }

  #pause({ id, queue, wrapUpMs }: QueueAgent, phase: 'wrapUp' | 'busy' | 'away', ms: number): void {
    const times = { sinceMs: this.#atMs, untilMs: this.#atMs + ms };
    this.#agents.set(id, { id, phase, wrapUpMs, ...times, ...(queue !== undefined && { queue }) });
  }

  #overflow({ id, queue }: QueuedCaller, reason: QueueOverflow): void {
    this.#callers.delete(id);
    this.#count(queue, ({ overflowed }) => ({ overflowed: overflowed + 1 }));
    this.effects.push({ kind: 'overflow', caller: id, reason });
  }

  #count(queue: string, change: (before: QueueCount) => Partial<QueueCount>): void {
    const before = this.#counts.get(queue) ?? NOTHING_COUNTED;
    this.#counts.set(queue, { ...before, ...change(before) });
  }
}

const overdueMs = ({ enteredMs, mostWaitMs }: QueuedCaller): number =>
  mostWaitMs === undefined ? Number.POSITIVE_INFINITY : enteredMs + mostWaitMs;
