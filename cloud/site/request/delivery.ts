import type { Clock } from '#shared/clock.ts';
import type { RemoteOperation } from '#shared/contract/feed/index.ts';
import {
  type DeliveryAnswer,
  ENDPOINT_KINDS,
  type EndpointDelivery,
  type RedeliveryRequest,
  type WaitingCallback,
} from '#shared/contract/site/index.ts';
import { ok, type Result } from '#shared/result.ts';
import {
  type Call,
  type HostRow,
  hostPlaces,
  mutate,
  readItem,
  readNotificationSettings,
  recordAudit,
  type Store,
} from '../../store/index.ts';
import type { AskHost } from './remote-requests.ts';

const PAGE = 100;
/** Chosen: callbacks of one host and state that one request looks at. */
const MOST_PAGES = 10;
const ASK_MS = 10_000;
const REPLAYED_AT_ONCE = 1_000;
const SHOWN = 100;
/** `Chosen:` so long an answer counts for everybody who asks for the tenant: each question goes to all of its hosts, and every open overview asks. */
const KEPT_MS = 5_000;

type Found = Omit<DeliveryAnswer, 'success'>;
type HostName = Pick<HostRow, 'siteId' | 'hostId'>;
type HostPlace = Pick<HostRow, 'uid' | 'siteId' | 'hostId'>;
type Letter = WaitingCallback & { readonly dest: string };

interface HostLetters {
  readonly host: HostPlace;
  readonly letters: readonly Letter[];
  readonly missing: boolean;
  readonly older: boolean;
  readonly cut: boolean;
}

export interface DeliveryPort {
  readonly store: Store;
  readonly ask: AskHost;
  readonly clock: Pick<Clock, 'monoMs'>;
}

export interface Deliveries {
  readonly list: (tenant: string, by: string) => Promise<Found>;
  readonly redeliver: (
    call: Call,
    request: RedeliveryRequest,
  ) => Promise<Result<{ taken: number; missingHosts: HostName[] }>>;
}

/** Callbacks that are not delivered: each host keeps its own, and all of them are asked at once. */
export function createDeliveries({ store, ask, clock }: DeliveryPort): Deliveries {
  /** The newest answer of each tenant; it has no end while hosts are still asked. */
  const kept = new Map<string, { readonly found: Promise<Found>; endsMs: number }>();

  const question = (op: RemoteOperation, args: Record<string, unknown>, by: string) => ({
    op,
    args,
    forMs: ASK_MS,
    by: `user:${by}`,
  });

  /** One state of one host; undefined: it does not answer. */
  async function lettersOf(
    host: HostPlace,
    state: WaitingCallback['state'],
    by: string,
  ): Promise<{ letters: Letter[]; older: boolean; cut: boolean } | undefined> {
    const letters: Letter[] = [];
    let after = 0;
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await ask(host.uid, question('outbox.list', { after, limit: PAGE, state }, by));
      if (!answer.ok || !answer.value.ok) return undefined;
      const { letters: given, after: next } = answer.value.data;
      const found = Array.isArray(given) ? (given as Record<string, unknown>[]) : [];
      // A release that knows no state has listed dead letters again.
      if (state === 'waiting' && found.some((each) => each.state !== 'waiting'))
        return { letters: [], older: true, cut: false };
      for (const each of found) letters.push(letterOf(host, state, each));
      if (typeof next !== 'number') return { letters, older: false, cut: false };
      after = next;
    }
    return { letters, older: false, cut: true };
  }

  async function ofHost(host: HostPlace, by: string): Promise<HostLetters> {
    const dead = await lettersOf(host, 'dead', by);
    const waiting = dead && (await lettersOf(host, 'waiting', by));
    return {
      host,
      letters: [...(dead?.letters ?? []), ...(waiting?.letters ?? [])],
      missing: waiting === undefined,
      older: waiting?.older === true,
      cut: dead?.cut === true || waiting?.cut === true,
    };
  }

  async function asked(tenant: string, by: string): Promise<Found> {
    const all = await Promise.all((await hostPlaces(store, tenant)).map((host) => ofHost(host, by)));
    const byEndpoint = Map.groupBy(
      all.flatMap(({ letters }) => letters),
      ({ dest }) => dest,
    );
    const endpoints: EndpointDelivery[] = [];
    for (const [dest, letters] of byEndpoint) endpoints.push(await endpointOf(store, tenant, dest, letters));
    return {
      endpoints: endpoints.toSorted((a, b) => b.waiting + b.dead - (a.waiting + a.dead)),
      missingHosts: all.filter(({ missing }) => missing).map(({ host }) => nameOf(host)),
      olderHosts: all.filter(({ older }) => older).map(({ host }) => nameOf(host)),
      cut: all.some(({ cut }) => cut),
    };
  }

  return {
    list: async (tenant, by) => {
      const nowMs = clock.monoMs();
      for (const [each, { endsMs }] of kept) if (endsMs <= nowMs) kept.delete(each);
      const before = kept.get(tenant);
      if (before !== undefined) return await before.found;
      const entry = { found: asked(tenant, by), endsMs: Number.POSITIVE_INFINITY };
      kept.set(tenant, entry);
      try {
        return await entry.found;
      } catch (error) {
        if (kept.get(tenant) === entry) kept.delete(tenant);
        throw error;
      } finally {
        entry.endsMs = clock.monoMs() + KEPT_MS;
      }
    },

    redeliver: async (call, { endpoint, ids }) => {
      const noted = await mutate(store, call, async (tx) => {
        const detail = { endpoint, ...(ids && { ids }) };
        await recordAudit(tx, call.actor, {
          ...{ tenant: call.tenant, action: 'redeliver', entity: 'delivery', entityId: endpoint, detail },
        });
        return ok(null);
      });
      if (!noted.ok) return noted;
      let taken = 0;
      const missingHosts: HostName[] = [];
      for (const host of await hostPlaces(store, call.tenant)) {
        const dead = await lettersOf(host, 'dead', call.actor.name);
        if (dead === undefined) missingHosts.push(nameOf(host));
        const wanted = (dead?.letters ?? [])
          .filter(({ id, dest }) => dest === endpoint && (ids === undefined || ids.includes(id)))
          .map(({ id }) => id)
          .slice(0, REPLAYED_AT_ONCE);
        if (wanted.length === 0) continue;
        const answer = await ask(host.uid, question('outbox.replay', { ids: wanted }, call.actor.name));
        if (answer.ok && answer.value.ok) taken += Number(answer.value.data.taken ?? 0);
        else missingHosts.push(nameOf(host));
      }
      // A letter that was sent again is no dead one, although a question that is under way may have read it as one.
      kept.delete(call.tenant);
      return ok({ taken, missingHosts });
    },
  };
}

const nameOf = ({ siteId, hostId }: HostName): HostName => ({ siteId, hostId });

const letterOf = (
  host: HostName,
  state: WaitingCallback['state'],
  { id, dest, type, createdAt, attempts, lastError }: Readonly<Record<string, unknown>>,
): Letter => ({
  ...nameOf(host),
  state,
  id: String(id),
  dest: String(dest),
  type: String(type),
  createdAt: Number(createdAt ?? 0),
  attempts: Number(attempts ?? 0),
  lastError: typeof lastError === 'string' ? lastError : null,
});

const ITEMS = {
  bridge: 'alarmBridge',
  message: 'alarmBridge',
  mediaservice: 'mediaService',
  callrecording: 'recordingService',
  cloudsipua: 'cloudSipUa',
} as const;

async function endpointOf(
  store: Store,
  tenant: string,
  dest: string,
  letters: readonly Letter[],
): Promise<EndpointDelivery> {
  const [word = '', id] = dest.split(' ');
  const kind = ENDPOINT_KINDS.find((each) => each === word) ?? 'bridge';
  const waiting = letters.filter(({ state }) => state === 'waiting');
  const times = new Map<string, number>();
  for (const { lastError } of letters)
    if (lastError !== null) times.set(lastError, (times.get(lastError) ?? 0) + 1);
  const oldestFirst = letters.toSorted((a, b) => a.createdAt - b.createdAt);
  const oldestAt = waiting.toSorted((a, b) => a.createdAt - b.createdAt)[0]?.createdAt;
  return {
    endpoint: dest,
    kind,
    ...(id !== undefined && { id }),
    ...(await addressOf(store, tenant, kind, id)),
    waiting: waiting.length,
    dead: letters.length - waiting.length,
    ...(oldestAt !== undefined && { oldestAt }),
    errors: [...times]
      .map(([reason, count]) => ({ reason, times: count }))
      .toSorted((a, b) => b.times - a.times),
    callbacks: oldestFirst.slice(0, SHOWN).map(({ dest: _, ...shown }) => shown),
  };
}

/** Name and address as configured now. */
async function addressOf(
  store: Store,
  tenant: string,
  kind: EndpointDelivery['kind'],
  id: string | undefined,
): Promise<Pick<EndpointDelivery, 'name' | 'url'>> {
  if (kind === 'platform' || id === undefined) {
    const body = (await readNotificationSettings(store, tenant))?.body as
      | Readonly<Record<string, unknown>>
      | undefined;
    const url = kind === 'platform' ? body?.alarmEventsRestEndpoint : body?.messageCallbackBaseUrl;
    return {
      name: kind === 'platform' ? 'Platform alarms' : 'Messages',
      ...(typeof url === 'string' && { url }),
    };
  }
  const row = await readItem(store, ITEMS[kind], { tenant, set: 'working' }, id);
  const { name, callbackBaseUrl: url } = (row?.body ?? {}) as Readonly<Record<string, unknown>>;
  return { ...(typeof name === 'string' && { name }), ...(typeof url === 'string' && { url }) };
}
