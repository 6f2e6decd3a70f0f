import type { NotificationSettings } from '#shared/contract/provisioning/index.ts';
import type {
  CallbackCopy,
  ListenedAnswer,
  Listening,
  ListeningRequest,
} from '#shared/contract/site/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  deleteListening,
  deleteOldListenings,
  endReading,
  hostsOf,
  insertListening,
  type ListeningRow,
  listeningsOf,
  mutate,
  notedListening,
  readListening,
  readNotificationSettings,
  recordAudit,
  type Store,
  startReading,
} from '../../store/index.ts';
import { type HostPlace, pollHost } from './copy-poll.ts';
import { createListeningAsks, type ListeningAskPort } from './listening-ask.ts';
import { type FollowedListening, ListeningReader, READ_MS } from './listening-reader.ts';
import type { AskHost } from './remote-requests.ts';

export interface ListeningPort extends ListeningAskPort {
  readonly ask: AskHost;
  readonly publicUrl: () => string;
}

type Refused = Failure<'conflict' | 'notFound' | 'tooManyRequests'>;

const MOST = 5;

/**
 * Developers who listen. A copy is asked of the hosts only while its stream is read.
 *
 * Chosen: a listening is a row, so that it is open at every replica and outlives each of them; its copies are in the memory of the
 * replica at which its stream is read, and in no row.
 */
export function createListenings(port: ListeningPort) {
  const { store, nowMs } = port;
  const asks = createListeningAsks(port);
  /** Readers that have left here, until their rows say so. */
  const left = new Set<string>();

  const find = async (tenant: string, listenId: string): Promise<ListeningRow | undefined> => {
    const row = await readListening(store, listenId);
    return row?.tenant === tenant && row.expiresAt > nowMs() ? row : undefined;
  };
  const unknown = (listenId: string) =>
    fail(
      'notFound',
      `The listening ${listenId} is not open: it has ended, or it is of another tenant. Open one.`,
    );
  const shownOf = ({
    id,
    body,
    openedAt,
    expiresAt,
    reader,
    readUntil,
    copies,
  }: ListeningRow): Listening => ({
    ...(body as Pick<Listening, 'by' | 'answers' | 'callbackBaseUrl' | 'filter'>),
    ...{ listenId: id, openedAt, expiresAt, copies },
    follows: reader !== null && readUntil > nowMs() && !left.has(reader),
  });

  async function start(call: Call, request: ListeningRequest): Promise<Result<Listening, Refused>> {
    if (!(await isOn(store, call.tenant)))
      return fail(
        'conflict',
        'The tenant lets no copies of callbacks leave. Set callbackCopies of its notification settings to true.',
      );
    const id = port.randomId();
    const { hours, filter, answers } = request;
    const openedAt = nowMs();
    const { tenant, actor } = call;
    const row: ListeningRow = {
      ...{ id, tenant, openedAt, expiresAt: openedAt + Math.round(hours * 3_600_000) },
      ...{ reader: null, readUntil: 0, copies: 0 },
      body: {
        ...{ answers, by: actor.name, callbackBaseUrl: `${port.publicUrl()}/listen/${id}` },
        ...(filter !== undefined && { filter }),
      },
    };
    const opened = await mutate<ListeningRow>(store, call, async (tx) => {
      await deleteOldListenings(tx, openedAt);
      if ((await listeningsOf(tx, tenant, openedAt)).length >= MOST)
        return fail(
          'tooManyRequests',
          `The tenant has ${MOST} listenings, the most that it can. Close one of them.`,
        );
      await insertListening(tx, row);
      const detail = { hours, answers, ...(filter && { filter }) };
      await recordAudit(tx, actor, entry(tenant, 'listening.opened', id, detail));
      return ok(row);
    });
    return opened.ok ? ok(shownOf(opened.value)) : (opened as Result<never, Refused>);
  }

  async function stop(call: Call, listenId: string): Promise<Result<null, Refused>> {
    const row = await find(call.tenant, listenId);
    if (row === undefined) return unknown(listenId);
    await mutate(store, call, async (tx) => {
      await deleteListening(tx, listenId);
      const { copies } = row;
      await recordAudit(tx, call.actor, entry(call.tenant, 'listening.closed', listenId, { copies }));
      return ok(null);
    });
    return ok(null);
  }

  /** The events of a listening, while they are read; an older reader of the same one ends, at whichever replica it is. */
  async function follow(tenant: string, listenId: string): Promise<Result<FollowedListening, Refused>> {
    const row = await find(tenant, listenId);
    if (row === undefined) return unknown(listenId);
    const name = port.randomId();
    const { by, filter } = shownOf(row);
    const reading = new ListeningReader(
      {
        ...port,
        waiting: () => asks.waiting(listenId),
        hosts: async () => ((await isOn(store, tenant)) ? await hostsOf(store, tenant) : []),
      },
      { id: listenId, name, by, filter },
    );
    const stopHearing = store.onNotice((notices) => {
      for (const notice of notices) if (notedListening(notice) === listenId) reading.stir();
    });
    await store.withTx((tx) => startReading(tx, listenId, name, nowMs() + READ_MS));
    const close = (): void => {
      stopHearing();
      left.add(name);
      store
        .withTx((tx) => endReading(tx, listenId, name, reading.takeCopies()))
        .finally(() => left.delete(name))
        // The row says for some seconds more that it is read.
        .catch(() => undefined);
    };
    return ok({ next: () => reading.next(), close });
  }

  /** Copies that the hosts still have of a trace. */
  async function copiesOf(
    call: Call,
    listenId: string,
    traceId: string,
  ): Promise<Result<readonly (CallbackCopy & { readonly hostId: string })[], Refused>> {
    const row = await find(call.tenant, listenId);
    if (row === undefined) return unknown(listenId);
    await mutate(store, call, async (tx) => {
      await recordAudit(tx, call.actor, entry(call.tenant, 'listening.replayed', listenId, { traceId }));
      return ok(null);
    });
    const found = await Promise.all(
      (await hostsOf(store, call.tenant)).map(async ({ host: { uid, hostId } }) => {
        const place: HostPlace = { uid, hostId, by: `user:${shownOf(row).by}`, filter: undefined, traceId };
        const events = await pollHost(port, place, { after: undefined, againAt: 0, trouble: undefined });
        return events.flatMap((each) => (each.event === 'copy' ? [each.data] : []));
      }),
    );
    return ok(found.flat().toSorted((a, b) => a.at - b.at || a.seq - b.seq));
  }

  async function answered(
    tenant: string,
    listenId: string,
    answer: ListenedAnswer,
  ): Promise<Result<null, Refused>> {
    if ((await find(tenant, listenId)) === undefined) return unknown(listenId);
    return (await asks.answer(listenId, answer))
      ? ok(null)
      : fail('notFound', `The request ${answer.requestId} does not wait any more. Answer sooner.`);
  }

  const list = async (tenant: string): Promise<readonly Listening[]> =>
    (await listeningsOf(store, tenant, nowMs())).map(shownOf);
  return { start, stop, list, follow, copiesOf, asked: asks.ask, answered };
}

export type Listenings = ReturnType<typeof createListenings>;

/** Whether the tenant lets copies leave its sites; each host looks for itself, too. */
async function isOn(store: Store, tenant: string): Promise<boolean> {
  const settings = await readNotificationSettings(store, tenant);
  return (
    (settings?.body as Pick<NotificationSettings, 'callbackCopies'> | undefined)?.callbackCopies === true
  );
}

const entry = (
  tenant: string,
  action: string,
  entityId: string,
  detail: Readonly<Record<string, unknown>>,
) => ({ tenant, action, entity: 'listening', entityId, detail });
