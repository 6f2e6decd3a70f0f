import type { MediaQueueEntry } from '#shared/contract/runtime/index.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { ParticipantId, QueueInSession, SessionInput } from '../media-session/index.ts';
import {
  figuresOf,
  NO_QUEUE,
  placeOf,
  type QueueEffect,
  type QueueInput,
  type QueueState,
  stepQueue,
} from '../queue/index.ts';

type WithoutTime<Input> = Input extends { readonly atMs: number } ? Omit<Input, 'atMs'> : never;
export type QueueEvent = WithoutTime<
  Extract<SessionInput, { readonly kind: 'agentFree' | 'agentWithdrawn' | 'queueOver' | 'queuePlace' }>
>;

export interface ServiceQueuesDependencies<Session> {
  /** In a turn of its own. */
  readonly tell: (session: Session, event: QueueEvent) => void;
  readonly turn: (work: () => void) => void;
}

/** A session that is over, or never had a queue. */
export const NOT_IN_QUEUE: QueueInSession = { callers: [], agents: [] };

/** The queues of all media services: what sessions show of them becomes inputs, and effects go back to the sessions. */
export class ServiceQueues<Session> {
  readonly #ports: Pick<KernelPorts, 'clock'>;
  readonly #dependencies: ServiceQueuesDependencies<Session>;
  readonly #timers: TimerScope<'queue'>;
  /** The session in which a caller waits. */
  readonly #sessions = new Map<ParticipantId, Session>();
  readonly #seen = new Map<Session, QueueInSession>();
  #state: QueueState = NO_QUEUE;

  constructor(
    ports: Pick<KernelPorts, 'clock'> & TimerPorts,
    dependencies: ServiceQueuesDependencies<Session>,
  ) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope(() => dependencies.turn(() => this.#take({ kind: 'time' })));
  }

  /** `failed`: the agent whose call has failed with this input, and its SIP status. */
  follow(
    session: Session,
    serviceId: string,
    next: QueueInSession,
    failed?: { readonly participant: ParticipantId; readonly status: number },
  ): void {
    const before = this.#seen.get(session) ?? NOT_IN_QUEUE;
    if (next.callers.length + next.agents.length > 0) this.#seen.set(session, next);
    else this.#seen.delete(session);
    for (const was of before.agents) {
      const { caller, agent, participant, talking } = was;
      const now = next.agents.find((each) => each.participant === participant);
      if (now?.talking === true && !talking) this.#take({ kind: 'answered', caller, agent });
      if (now !== undefined) continue;
      if (failed?.participant === participant && !talking)
        this.#take({ kind: 'failed', caller, agent, status: failed.status });
      else this.#take({ kind: 'ended', caller, agent });
    }
    for (const { participant: caller, id } of before.callers)
      if (!next.callers.some((each) => each.id === id)) {
        this.#take({ kind: 'left', caller });
        this.#sessions.delete(caller);
      }
    for (const { participant: caller, id, command } of next.callers) {
      if (before.callers.some((each) => each.id === id)) continue;
      const { queue, agents, priority, wrapUpTime, retryTime, maxLength, maxWait } = command;
      const request = {
        queue: `${serviceId} ${queue}`,
        agents,
        urgent: priority === 'alarm',
        wrapUpMs: wrapUpTime * 1_000,
        retryMs: retryTime * 1_000,
        ...(maxLength !== undefined && { mostWaiting: maxLength }),
        ...(maxWait !== undefined && { mostWaitMs: maxWait * 1_000 }),
      };
      this.#sessions.set(caller, session);
      this.#take({ kind: 'entered', caller, request });
    }
  }

  /** Says a caller its place. */
  place(participant: ParticipantId): void {
    const place = placeOf(this.#state, participant);
    if (place !== undefined) this.#tell(participant, { kind: 'queuePlace', participant, ...place });
  }

  /** The queues that were named since the start, in whole seconds. */
  figures(): readonly Omit<MediaQueueEntry, 'siteId' | 'hostId'>[] {
    return figuresOf(this.#state, this.#ports.clock.monoMs()).map((each) => {
      const { queue: whole, longestWaitMs, meanWaitMs, meanServiceMs, agents, ...counts } = each;
      const [mediaserviceId = ''] = whole.split(' ');
      return {
        mediaserviceId,
        queue: whole.slice(mediaserviceId.length + 1),
        ...counts,
        longestWait: secondsOf(longestWaitMs),
        meanWait: secondsOf(meanWaitMs),
        meanService: secondsOf(meanServiceMs),
        agents: agents.map(({ agent, state, sinceMs }) => ({
          ...{ agent, state },
          ...(sinceMs !== undefined && { since: secondsOf(sinceMs) }),
        })),
      };
    });
  }

  #take(input: WithoutTime<QueueInput>): void {
    const step = stepQueue(this.#state, { ...input, atMs: this.#ports.clock.monoMs() } as QueueInput);
    this.#state = step.state;
    for (const effect of step.effects) this.#perform(effect);
    if (step.dueMs === undefined) this.#timers.stop('queues', 'queue');
    else this.#timers.start('queues', 'queue', step.dueMs);
  }

  #perform(effect: QueueEffect): void {
    const { caller: participant } = effect;
    if (effect.kind === 'ring')
      this.#tell(participant, { kind: 'agentFree', participant, agent: effect.agent });
    else if (effect.kind === 'withdraw')
      this.#tell(participant, { kind: 'agentWithdrawn', participant, agent: effect.agent });
    else this.#tell(participant, { kind: 'queueOver', participant, reason: effect.reason });
  }

  #tell(participant: ParticipantId, event: QueueEvent): void {
    const session = this.#sessions.get(participant);
    if (session !== undefined) this.#dependencies.tell(session, event);
  }
}

const secondsOf = (ms: number): number => Math.round(ms / 1_000);

/** For the trace. */
export function queueWords(event: QueueEvent): string | undefined {
  switch (event.kind) {
    case 'agentFree':
      return `queue: the agent ${event.agent} is called for ${event.participant}`;
    case 'agentWithdrawn':
      return `queue: the agent ${event.agent} is called no longer for ${event.participant}`;
    case 'queueOver':
      return `queue: ${event.participant} waits no longer: ${event.reason}`;
    case 'queuePlace':
      return undefined;
  }
}
