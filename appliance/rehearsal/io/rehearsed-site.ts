import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '#shared/clock.ts';
import { type CallerPorts, createCaller, type RestAuthentication } from '../../delivery/callback/index.ts';
import { bridgeDestination, DeliveryService, platformDestination } from '../../delivery/delivery-service.ts';
import { OutboxPolicy } from '../../delivery/outbox/index.ts';
import { openJournal } from '../../io/sqlite/index.ts';
import { openTimers } from '../../kernel/engine-timers.ts';
import { TenantModel } from '../../replica/index.ts';

/** One host of a rehearsed site: the delivery of the appliance with a journal of its own. */
export interface RehearsedSite {
  readonly deliveryTo: (target: RehearsedTarget) => DeliveryService;
  readonly commit: (
    ...writes: Parameters<Awaited<ReturnType<typeof openJournal>>['commit']>[0]
  ) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The application and its credential as a tenant configures them, and the ports of one step. */
export interface RehearsedTarget {
  readonly domain: string;
  readonly baseUrl: string;
  readonly query: string | undefined;
  readonly credential: RestAuthentication;
  readonly timeoutMs: number;
  readonly post: CallerPorts['post'];
  readonly sign: CallerPorts['sign'];
  /** Difference of the clock that signs, ms. */
  readonly clockOffMs: number;
}

const BRIDGE = 'rehearsal';
export const DESTINATIONS = { alarm: bridgeDestination(BRIDGE), platformAlarm: platformDestination } as const;

/** Chosen: the pauses between attempts pass so much faster than on a site, since a person waits for the result. */
const TIMES_FASTER = 20;
/** The timers of the delivery are looked at this often, ms. */
const STEP_MS = 10;

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');
const wallMs = (): number => Date.now();
const fast: Clock = { wallMs, monoMs: () => performance.now() * TIMES_FASTER };

export async function openRehearsedSite(): Promise<RehearsedSite> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-rehearsal-'));
  const journal = await openJournal({ file: join(folder, 'journal.db') });
  const log = (): void => undefined;
  const timers = openTimers({ clock: fast, log });
  const ticking = setInterval(() => timers.advance(fast.monoMs()), STEP_MS);
  return {
    commit: (...writes) => journal.commit(writes),
    deliveryTo: (target) => {
      const tenant = tenantOf(target);
      return new DeliveryService(
        {
          ...{ clock: fast, traceMs: wallMs, random: randomBytes, log, timers, journal },
          // A write that fails costs a note of an attempt; the rehearsal ends with the answers.
          run: (work) => void work.catch(() => undefined),
          tenant: () => tenant,
          place: {
            siteId: BRIDGE,
            hostId: BRIDGE,
            siteBaseUrl: 'https://192.0.2.10',
            address: '192.0.2.10',
            epoch: 1,
          },
          call: callerOf(target),
          // Reply ids of a rehearsal open nothing: random bytes sign them.
          signReply: () => randomBytes(64),
        },
        new OutboxPolicy({
          now: { wallMs: wallMs(), monoMs: fast.monoMs() },
          runningMs: journal.runningMs,
          random: Math.random,
        }),
      );
    },
    close: async () => {
      clearInterval(ticking);
      await journal.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const callerOf = ({ post, sign, clockOffMs }: RehearsedTarget) =>
  createCaller({
    ...{ post, sign, sha256Hex, random: randomBytes },
    clock: { wallMs: () => wallMs() + clockOffMs, monoMs: () => performance.now() },
  });

/** A tenant with one receiver, as its hosts have it. */
function tenantOf({ domain, baseUrl, query, credential, timeoutMs }: RehearsedTarget): TenantModel {
  const tenant = new TenantModel(domain);
  const restAuthentication = [credential];
  const search = query === undefined ? '' : `?${query}`;
  tenant.apply([
    {
      ...{ op: 'put', entity: 'alarmbridge', id: BRIDGE },
      body: {
        ...{ id: BRIDGE, protocol: 'scaip', name: BRIDGE, destinationMatch: `^${BRIDGE}$`, order: 1_000 },
        ...{ callbackBaseUrl: `${baseUrl}${search}`, callbackTimeout: timeoutMs, restAuthentication },
      },
    },
    {
      ...{ op: 'put', entity: 'notificationsettings', id: domain },
      body: { alarmEventsRestEndpoint: `${baseUrl}/platformAlarm`, restAuthentication, alarmFromEdge: true },
    },
  ] as Parameters<TenantModel['apply']>[0]);
  return tenant;
}
