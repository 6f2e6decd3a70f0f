import type { NotificationSettings } from '#shared/contract/provisioning/index.ts';
import type {
  CallbackCopy,
  Listened,
  ListenedAnswer,
  Listening,
  ListeningRequest,
} from '#shared/contract/site/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  hostsOf,
  mutate,
  readNotificationSettings,
  recordAudit,
  type Store,
} from '../../store/index.ts';
import { type HostPlace, type PolledHost, pollHost } from './copy-poll.ts';
import type { AskHost } from './remote-requests.ts';

export interface ListeningPort {
  readonly store: Store;
  readonly ask: AskHost;
  readonly publicUrl: () => string;
  readonly nowMs: () => number;
  readonly randomId: () => string;
  /** Runs it once after so many milliseconds. */
  readonly after: (ms: number, run: () => void) => void;
}

/** A request of a receiver that a listening answers. */
export interface AskedCallback {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A stream of events that is read. `over` ends it. */
export interface FollowedListening {
  readonly next: () => Promise<Listened | { readonly event: 'beat' | 'over' }>;
  readonly close: () => void;
}

type Refused = Failure<'conflict' | 'notFound' | 'tooManyRequests'>;

/** Chosen: hosts are asked twice a second while a stream is read, so that a copy is seen at once. */
const STEP_MS = 500;
/** A stream without events gives a sign of life. */
const BEATS_AFTER = 20;
const MOST = 5;
const MOST_QUEUED = 200;
const MOST_ASKED = 20;
/** Chosen: the longest callbackTimeout that a receiver may have; the host decides when it is too late. */
const ASKED_MS = 60_000;

interface Open {
  readonly tenant: string;
  readonly shown: Listening;
  readonly queue: Listened[];
  readonly hosts: Map<string, PolledHost>;
  /** Answers that a receiver waits for. */
  readonly asked: Map<string, (answer: ListenedAnswer | undefined) => void>;
  copies: number;
  seq: number;
  silent: number;
  polling: Promise<void> | undefined;
  /** The reader of now; an older one ends. */
  reader: object | undefined;
  wake: () => void;
}

/**
 * Developers who listen. A copy is asked of the hosts only while its stream is read.
 *
 * Chosen: all of it is in the memory of one process of the control plane, since nothing of a copy may be stored. A restart ends every
 * listening. Behind a load balancer, the requests of one listening must reach the process that opened it: balance `/listening/` and
 * `/listen/` by the client, or run one process for them.
 */
export function createListenings(port: ListeningPort) {
  const open = new Map<string, Open>();

  const find = (tenant: string, listenId: string): Open | undefined => {
    const found = open.get(listenId);
    if (found === undefined || found.tenant !== tenant) return undefined;
    if (found.shown.expiresAt > port.nowMs()) return found;
    end(found);
    return undefined;
  };
  const end = (one: Open): void => {
    open.delete(one.shown.listenId);
    for (const answer of one.asked.values()) answer(undefined);
    one.reader = undefined;
    one.wake();
  };
  const ofTenant = (tenant: string): Open[] =>
    [...open.values()].filter((one) => find(tenant, one.shown.listenId) !== undefined);
  const unknown = (listenId: string) =>
    fail(
      'notFound',
      `The listening ${listenId} is not open here: it has ended, another process of the control plane has it, or it is of another tenant. Open one.`,
    );
  const shownOf = (one: Open): Listening => ({
    ...one.shown,
    copies: one.copies,
    follows: one.reader !== undefined,
  });

  async function start(call: Call, wish: ListeningRequest): Promise<Result<Listening, Refused>> {
    if (!(await isOn(port.store, call.tenant)))
      return fail(
        'conflict',
        'The tenant lets no copies of callbacks leave. Set callbackCopies of its notification settings to true.',
      );
    if (ofTenant(call.tenant).length >= MOST)
      return fail(
        'tooManyRequests',
        `The tenant has ${MOST} listenings, the most that it can. Close one of them.`,
      );
    const listenId = port.randomId();
    const { hours, filter, answers } = wish;
    const openedAt = port.nowMs();
    const shown: Listening = {
      ...{ listenId, openedAt, answers, by: call.actor.name, copies: 0, follows: false },
      expiresAt: openedAt + Math.round(hours * 3_600_000),
      callbackBaseUrl: `${port.publicUrl()}/listen/${listenId}`,
      ...(filter !== undefined && { filter }),
    };
    await audit(port.store, call, 'listening.opened', listenId, {
      hours,
      answers,
      ...(filter && { filter }),
    });
    open.set(listenId, {
      ...{ tenant: call.tenant, shown, queue: [], hosts: new Map(), asked: new Map() },
      ...{ copies: 0, seq: 0, silent: 0, polling: undefined, reader: undefined, wake: () => undefined },
    });
    return ok(shown);
  }

  async function stop(call: Call, listenId: string): Promise<Result<null, Refused>> {
    const one = find(call.tenant, listenId);
    if (one === undefined) return unknown(listenId);
    end(one);
    await audit(port.store, call, 'listening.closed', listenId, { copies: one.copies });
    return ok(null);
  }

  function push(one: Open, event: Omit<Listened, 'id'>): void {
    one.seq += 1;
    one.silent = 0;
    if (event.event === 'copy') one.copies += 1;
    one.queue.push({ ...event, id: String(one.seq) } as Listened);
    // A reader that is too slow loses the oldest copies, never an ask that a receiver waits for.
    if (one.queue.length > MOST_QUEUED)
      one.queue.splice(
        Math.max(
          0,
          one.queue.findIndex((each) => each.event !== 'ask'),
        ),
        1,
      );
    one.wake();
  }

  async function poll(one: Open): Promise<void> {
    const { tenant, shown } = one;
    const hosts = (await isOn(port.store, tenant)) ? await hostsOf(port.store, tenant) : [];
    await Promise.all(
      hosts.map(async ({ host: { uid, hostId } }) => {
        const known = one.hosts.get(uid) ?? { after: undefined, againAt: 0, trouble: undefined };
        one.hosts.set(uid, known);
        const place: HostPlace = { uid, hostId, by: `user:${shown.by}`, filter: shown.filter };
        for (const event of await pollHost(port, place, known)) push(one, event);
      }),
    );
    one.silent += 1;
    await new Promise<void>((resolve) => port.after(STEP_MS, resolve));
  }

  /** The events of a listening, while they are read; an older reader of the same one ends. */
  function follow(tenant: string, listenId: string): Result<FollowedListening, Refused> {
    const one = find(tenant, listenId);
    if (one === undefined) return unknown(listenId);
    const reader = {};
    one.reader = reader;
    one.wake();
    const close = (): void => {
      if (one.reader === reader) one.reader = undefined;
    };
    const next: FollowedListening['next'] = async () => {
      for (;;) {
        if (one.reader !== reader || find(tenant, listenId) === undefined) return { event: 'over' };
        const waiting = one.queue.shift();
        if (waiting !== undefined) return waiting;
        if (one.silent >= BEATS_AFTER) {
          one.silent = 0;
          return { event: 'beat' };
        }
        one.polling ??= poll(one).finally(() => {
          one.polling = undefined;
        });
        const woken = new Promise<void>((resolve) => {
          one.wake = resolve;
        });
        await Promise.race([one.polling, woken]);
      }
    };
    return ok({ next, close });
  }

  /** Copies that the hosts still have of a trace. */
  async function copiesOf(
    call: Call,
    listenId: string,
    traceId: string,
  ): Promise<Result<readonly (CallbackCopy & { readonly hostId: string })[], Refused>> {
    const one = find(call.tenant, listenId);
    if (one === undefined) return unknown(listenId);
    await audit(port.store, call, 'listening.replayed', listenId, { traceId });
    const found = await Promise.all(
      (await hostsOf(port.store, call.tenant)).map(async ({ host: { uid, hostId } }) => {
        const place: HostPlace = { uid, hostId, by: `user:${one.shown.by}`, filter: undefined, traceId };
        const events = await pollHost(port, place, { after: undefined, againAt: 0, trouble: undefined });
        return events.flatMap((each) => (each.event === 'copy' ? [each.data] : []));
      }),
    );
    const copies = found.flat().toSorted((a, b) => a.at - b.at || a.seq - b.seq);
    one.copies += copies.length;
    return ok(copies);
  }

  /** A callback of a receiver that names this listening; undefined: it has no answer. */
  async function asked(
    listenId: string,
    request: AskedCallback,
  ): Promise<Result<ListenedAnswer, Failure<'notListening' | 'silent'>>> {
    const one = open.get(listenId);
    const isOpen = one !== undefined && find(one.tenant, listenId) !== undefined;
    if (!isOpen || !one.shown.answers || one.reader === undefined || one.asked.size >= MOST_ASKED)
      return fail(
        'notListening',
        'The callback has no answer: its listener is away. Start carillon listen --answer.',
      );
    const requestId = port.randomId();
    const answer = await new Promise<ListenedAnswer | undefined>((resolve) => {
      one.asked.set(requestId, resolve);
      port.after(ASKED_MS, () => resolve(undefined));
      push(one, { event: 'ask', data: { requestId, ...request } });
    });
    one.asked.delete(requestId);
    return answer === undefined
      ? fail('silent', 'The callback has no answer: its listener did not answer in time. Answer sooner.')
      : ok(answer);
  }

  function answered(tenant: string, listenId: string, answer: ListenedAnswer): Result<null, Refused> {
    const one = find(tenant, listenId);
    if (one === undefined) return unknown(listenId);
    const waits = one.asked.get(answer.requestId);
    if (waits === undefined)
      return fail('notFound', `The request ${answer.requestId} does not wait any more. Answer sooner.`);
    waits(answer);
    return ok(null);
  }

  const list = (tenant: string): readonly Listening[] => ofTenant(tenant).map(shownOf);
  return { start, stop, list, follow, copiesOf, asked, answered };
}

export type Listenings = ReturnType<typeof createListenings>;

/** Whether the tenant lets copies leave its sites; each host looks for itself, too. */
async function isOn(store: Store, tenant: string): Promise<boolean> {
  const settings = await readNotificationSettings(store, tenant);
  return (
    (settings?.body as Pick<NotificationSettings, 'callbackCopies'> | undefined)?.callbackCopies === true
  );
}

async function audit(
  store: Store,
  call: Call,
  action: string,
  entityId: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await mutate(store, call, async (tx) => {
    await recordAudit(tx, call.actor, { tenant: call.tenant, action, entity: 'listening', entityId, detail });
    return ok(null);
  });
}
