import { privacyRouter } from '#cloud/http/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { createPrivacyJobs, privacyRound } from '#cloud/privacy/index.ts';
import { insertHost, tenantByDomain } from '#cloud/store/index.ts';
import type { RemoteResponse } from '#shared/contract/feed/index.ts';
import { fail, ok } from '#shared/result.ts';
import { DEFAULT_RETENTION } from '#shared/setting/index.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { ask, DEVICE, makeTenant, openApi, type TestApi } from '../http/api.ts';

export const PATH = '/provisioning/personaldata/a.test';
export const NUMBER = '+46701234567';

/** A tenant with a device and a host `u1`, whose answers a test gives. */
export interface PrivacyStage {
  readonly api: TestApi;
  readonly token: string;
  readonly tenant: string;
  /** Recordings that were removed. */
  readonly dropped: string[];
  /** Requests to hosts. */
  asked: { op: string; args: Record<string, unknown> }[];
  /** The answer of the host; undefined: it is away. */
  host: ((op: string, args: Record<string, unknown>) => Partial<RemoteResponse>) | undefined;
  /** uids of hosts that are away. */
  readonly away: Set<string>;
  /** Resolves to when a host that has answered may be asked again. */
  readonly round: () => Promise<number | undefined>;
  readonly start: (body: object, as?: string) => ReturnType<typeof ask>;
  readonly erase: () => ReturnType<typeof ask>;
  readonly jobOf: (started: { body: Record<string, unknown> }) => Promise<Record<string, unknown>>;
  readonly later: (ms: number) => void;
}

export async function privacyStage(): Promise<PrivacyStage> {
  const played: Pick<PrivacyStage, 'dropped' | 'asked' | 'host' | 'away'> = {
    dropped: [],
    asked: [],
    host: (op) => ({ data: op === 'privacy.export' ? { rows: [] } : { removed: {}, files: [] } }),
    away: new Set(),
  };
  let round = async (): Promise<number | undefined> => undefined;
  const api = await openApi({}, async (store) => {
    const port = {
      ...{ store, ...digest, begun: () => undefined, breathe: async () => undefined },
      nowMs: () => api.clock.now,
      ask: async (uid: string, { op, args: said }: { op: string; args: Record<string, unknown> }) => {
        const args = { ...said, uid };
        if (played.host === undefined || played.away.has(uid))
          return fail(
            'unreachable',
            'The request did not reach the host: it has no management connection. Check its uplink.',
          );
        played.asked.push({ op, args });
        const answer = { v: 1, id: '', ok: true, data: {}, part: 1, last: true, ...played.host(op, args) };
        return ok(answer as RemoteResponse);
      },
    };
    round = () => privacyRound({ ...port, dropRecording: async (_call, name) => played.dropped.push(name) });
    return [privacyRouter(createPrivacyJobs(port), DEFAULT_RETENTION)];
  });
  const token = await makeTenant(api, 'a.test');
  const tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
  await ask(api, 'PUT', '/provisioning/device/a.test', { token, body: DEVICE });
  await api.database.store.withTx((tx) =>
    insertHost(tx, {
      ...{ ...HOST_ROW, uid: 'u1', tenant, siteId: 'north', hostId: 'gw-1', sh: '00' },
      ...{ lifecycle: 'active', lifecycleSince: 0, createdAt: 0 },
    }),
  );
  const start = (body: object, as = token) => ask(api, 'POST', PATH, { token: as, body });
  return Object.assign(played, {
    ...{ api, token, tenant, start },
    round: () => round(),
    erase: () => start({ kind: 'erasure', deviceId: DEVICE.deviceId }),
    jobOf: async (started: { body: Record<string, unknown> }) => {
      const { id } = started.body.job as { id: string };
      return (await ask(api, 'GET', `${PATH}/${id}`, { token })).body.job as Record<string, unknown>;
    },
    later: (ms: number): void => {
      api.clock.now += ms;
    },
  });
}
