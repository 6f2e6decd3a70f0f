import { type CallerId, inOrder, type QueueAgent, type QueueState } from './queue-state.ts';

/** Chosen: before the first conversation has ended, one is taken for so long, ms. */
const USUAL_SERVICE_MS = 180_000;

/** Where a caller stands: 1 is next. Undefined: it does not wait. */
export function placeOf(
  { callers, agents, counts }: QueueState,
  id: CallerId,
): { readonly position: number; readonly waitMs: number } | undefined {
  const caller = callers.get(id);
  if (caller === undefined) return undefined;
  const same = inOrder(callers.values()).filter(({ queue }) => queue === caller.queue);
  const position = same.findIndex((each) => each.id === id) + 1;
  const { served = 0, servedMs = 0 } = counts.get(caller.queue) ?? {};
  const mean = served === 0 ? USUAL_SERVICE_MS : servedMs / served;
  const able = caller.agents.filter((each) => agents.get(each)?.phase !== 'away').length;
  return { position, waitMs: Math.round((position / Math.max(1, able)) * mean) };
}

interface QueueFigures {
  readonly queue: string;
  readonly waiting: number;
  /** Those of them that are alarms. */
  readonly alarmsWaiting: number;
  readonly longestWaitMs: number;
  readonly entered: number;
  readonly answered: number;
  readonly abandoned: number;
  readonly overflowed: number;
  readonly meanWaitMs: number;
  readonly meanServiceMs: number;
  readonly agents: readonly {
    readonly agent: string;
    readonly state: QueueAgent['phase'];
    readonly sinceMs?: number;
  }[];
}

/** Each queue that was named since the start. */
export const figuresOf = ({ callers, agents, counts }: QueueState, nowMs: number): readonly QueueFigures[] =>
  [...counts].map(([queue, { waitedMs, served, servedMs, agents: named, ...counted }]) => {
    const waiting = [...callers.values()].filter((each) => each.queue === queue);
    const since = Math.min(nowMs, ...waiting.map(({ enteredMs }) => enteredMs));
    return {
      queue,
      waiting: waiting.length,
      alarmsWaiting: waiting.filter(({ urgent }) => urgent).length,
      longestWaitMs: nowMs - since,
      ...counted,
      meanWaitMs: counted.answered === 0 ? 0 : Math.round(waitedMs / counted.answered),
      meanServiceMs: served === 0 ? 0 : Math.round(servedMs / served),
      agents: named.map((agent) => {
        const known = agents.get(agent);
        return { agent, state: known?.phase ?? 'free', ...(known && { sinceMs: nowMs - known.sinceMs }) };
      }),
    };
  });
