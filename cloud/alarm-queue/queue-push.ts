import type { PushRequest, PushSubscriptionShown } from '#shared/contract/alarm-queue/index.ts';
import type { Log } from '#shared/log.ts';
import { counter, type Family } from '#shared/metric/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  deletePushSubscription,
  mutate,
  type PushSubscriptionRow,
  pushSubscriptions,
  pushSubscriptionsOf,
  putPushSubscription,
  recordAudit,
  type Store,
} from '../store/index.ts';

/** One message to one browser. */
export interface Push extends PushRequest {
  /** Encrypted for the browser. */
  readonly text: string;
  /** A message of the same topic that waits at the push service is replaced (RFC 8030 5.4). */
  readonly topic: string;
  /** The push service forgets it after so long, s. */
  readonly ttlS: number;
}

/** Gives the status of the push service. Fails where there was no answer. */
export type PushSender = (push: Push) => Promise<Result<number>>;

export interface QueuePushPort {
  readonly store: Store;
  readonly sha256: (text: string) => string;
  /** Host names of the push services that may be used; `*.` in front stands for any name below. None: web push is off. */
  readonly services: readonly string[];
  /** Key of the installation, for browsers. */
  readonly publicKey: string;
  readonly send: PushSender;
  /** Whether the person may answer alarms of the tenant now. */
  readonly mayAnswer: (tenant: string, personId: string) => Promise<boolean>;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Log;
}

/** Chosen: a browser that was away for longer shows nothing: the alarm has another person by then, or rings again. */
const TTL_S = 300;
const TOPIC = 'alarm-queue';
/** Chosen: one message wakes a person as well as ten. */
const GAP_MS = 5_000;
const MOST_OWN = 10;
const MOST_BROWSERS = 500;
const AT_ONCE = 20;
const EXPIRED: readonly number[] = [404, 410];

/** Nothing of an alarm, a person or a place: the browser shows a sentence of its own. */
const TEXT = JSON.stringify({ kind: 'alarmWaiting' });

type Outcome = 'accepted' | 'gone' | 'failed';

/**
 * Browsers of people that are woken when an alarm waits. A message is a help and no more: it is sent once, and nothing of an alarm
 * depends on it.
 */
export class QueuePush {
  readonly #port: QueuePushPort;
  /** Tenants whose browsers are being woken; true: once more afterwards. */
  readonly #rounds = new Map<string, boolean>();
  #isClosed = false;
  readonly #sent = counter(
    'carillon_web_push_total',
    'Messages to browsers about waiting alarms, by outcome',
    ['outcome'],
  );

  constructor(port: QueuePushPort) {
    this.#port = port;
  }

  get families(): readonly Family[] {
    return [this.#sent];
  }

  /** Key for which browsers subscribe; undefined: web push is off. */
  get publicKey(): string | undefined {
    return this.#isOn ? this.#port.publicKey : undefined;
  }

  get #isOn(): boolean {
    return this.#port.services.length > 0;
  }

  async list(tenant: string, personId: string): Promise<PushSubscriptionShown[]> {
    const rows = await pushSubscriptionsOf(this.#port.store, tenant, personId);
    return rows.map(({ id, service, createdAt }) => ({ id, service, createdAt }));
  }

  /** A browser that another person used before is this person's from now on. */
  async subscribe(call: Call, personId: string, { endpoint, keys }: PushRequest): Promise<Result<null>> {
    const { store, sha256, services, mayAnswer } = this.#port;
    if (!this.#isOn)
      return fail(
        'pushOff',
        'The browser is not added: this installation sends no messages to browsers. The operator names push services in CARILLON_PUSH_SERVICES.',
      );
    const service = pushServiceOf(services, endpoint);
    if (service === undefined)
      return fail(
        'pushServiceRefused',
        'The browser is not added: its push service is not among those that the operator allows. Ask the operator to add the host name of the endpoint to CARILLON_PUSH_SERVICES.',
        '/endpoint',
      );
    if (!(await mayAnswer(call.tenant, personId)))
      return fail(
        'forbidden',
        'The browser is not added: you have no role in this tenant by which you answer alarms. Let an owner give you one.',
      );
    const id = sha256(endpoint);
    return await mutate(store, call, async (tx) => {
      const own = await pushSubscriptionsOf(tx, call.tenant, personId);
      const others = await pushSubscriptions(tx, call.tenant, MOST_BROWSERS);
      if (own.filter((row) => row.id !== id).length >= MOST_OWN || others.length >= MOST_BROWSERS)
        return fail(
          'conflict',
          `The browser is not added: you have ${MOST_OWN} browsers, or the tenant ${MOST_BROWSERS}, the most that there can be. Remove one that you do not use.`,
        );
      const { at: createdAt } = call.actor;
      const body = { secret: { endpoint, keys } };
      await putPushSubscription(tx, { tenant: call.tenant, id, person: personId, service, body, createdAt });
      const entry = { tenant: call.tenant, action: 'create', entity: 'pushbrowser', entityId: id } as const;
      await recordAudit(tx, call.actor, { ...entry, detail: { service } });
      return ok(null);
    });
  }

  remove(call: Call, personId: string, id: string): Promise<Result<null>> {
    return mutate(this.#port.store, call, async (tx) => {
      if (!(await deletePushSubscription(tx, call.tenant, id, personId)))
        return fail('notFound', 'You have no such browser. List your browsers for their ids.');
      const entry = { tenant: call.tenant, action: 'delete', entity: 'pushbrowser', entityId: id } as const;
      await recordAudit(tx, call.actor, entry);
      return ok(null);
    });
  }

  /** An alarm of the tenant begins to wait. Returns at once. */
  ring(tenant: string): void {
    if (!this.#isOn || this.#isClosed) return;
    const isRunning = this.#rounds.has(tenant);
    this.#rounds.set(tenant, isRunning);
    if (!isRunning) void this.#run(tenant);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #run(tenant: string): Promise<void> {
    const { log, pause } = this.#port;
    do {
      this.#rounds.set(tenant, false);
      try {
        await this.#wake(tenant);
      } catch (cause) {
        log('warn', 'web_push.read_failed', 'Could not read which browsers to wake', {
          cause: String(cause),
        });
      }
      await pause(GAP_MS);
    } while (this.#rounds.get(tenant) === true && !this.#isClosed);
    this.#rounds.delete(tenant);
  }

  /** One message to each browser of people who may answer. */
  async #wake(tenant: string): Promise<void> {
    const { store, mayAnswer, log } = this.#port;
    const rows = await pushSubscriptions(store, tenant, MOST_BROWSERS);
    const people = new Map<string, boolean>();
    for (const { person } of rows)
      if (!people.has(person)) people.set(person, await mayAnswer(tenant, person));
    const due = rows.filter(({ person }) => people.get(person) === true).values();
    const failed: string[] = [];
    const send = async (): Promise<void> => {
      for (const row of due) {
        const { outcome, reason } = await this.#send(row);
        this.#sent.add([outcome]);
        if (outcome === 'failed') failed.push(`${row.service}: ${reason}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    if (failed.length > 0)
      log('warn', 'web_push.failed', 'Could not wake browsers for a waiting alarm', {
        browsers: failed.length,
        reason: failed[0],
      });
  }

  async #send({ tenant, id, body }: PushSubscriptionRow): Promise<{ outcome: Outcome; reason: string }> {
    const { store, services, send } = this.#port;
    const { endpoint, keys } = body.secret;
    if (pushServiceOf(services, endpoint) === undefined)
      return { outcome: 'failed', reason: 'is no longer among the allowed push services' };
    const answer = await send({ endpoint, keys, text: TEXT, topic: TOPIC, ttlS: TTL_S });
    if (!answer.ok) return { outcome: 'failed', reason: answer.error.reason };
    const { value: status } = answer;
    if (!EXPIRED.includes(status))
      return status >= 200 && status < 300
        ? { outcome: 'accepted', reason: '' }
        : { outcome: 'failed', reason: `answered ${status}` };
    if (!this.#isClosed) await store.withTx((tx) => deletePushSubscription(tx, tenant, id));
    return { outcome: 'gone', reason: '' };
  }
}

/** Host name of the push service of an endpoint; undefined: it is none of the allowed ones. */
function pushServiceOf(services: readonly string[], endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const { protocol, username, password, hostname } = new URL(endpoint);
  if (protocol !== 'https:' || username !== '' || password !== '') return undefined;
  const isAllowed = services.some((each) =>
    each.startsWith('*.') ? hostname.endsWith(each.slice(1)) : hostname === each,
  );
  return isAllowed ? hostname : undefined;
}
