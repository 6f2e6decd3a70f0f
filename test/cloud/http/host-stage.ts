import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  hostRecordRouter,
  hostRouter,
  listeningRouter,
  listenRouter,
  logTailRouter,
  operationRouter,
  revisionRouter,
  siteRouter,
  topologyRouter,
} from '#cloud/http/index.ts';
import {
  type AskHost,
  createListenings,
  createLogTails,
  createRemoteRequests,
  createSites,
  type Sites,
} from '#cloud/site/index.ts';
import { tenantByDomain, updateHost, updateHostStatus } from '#cloud/store/index.ts';
import { mayClaim } from '#cloud/tenant/index.ts';
import type { RemoteResponse } from '#shared/contract/feed/index.ts';
import { ok, type Result } from '#shared/result.ts';
import { createMachine } from '../io/machine.ts';
import { sitePort } from '../site/stage.ts';
import { vault } from '../store/database.ts';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';

export const HOST = '/site/a.test/north/host/box-1';

export interface HostStage {
  readonly api: TestApi;
  readonly sites: Sites;
  /** A token of the tenant a.test, which has a site `north`. */
  readonly token: string;
  readonly tenant: string;
  /** Requests to hosts, and their answers. */
  readonly asked: unknown[];
  answer: Result<RemoteResponse>;
  /** Work that waits for its time, with the time in ms; the test lets it pass. */
  readonly due: { readonly ms: number; readonly run: () => void }[];
  /** Connections that the control plane ended. */
  readonly hangUps: unknown[];
  /** A machine that came with a claim code, and is where the test wants it. */
  readonly joined: (hostId: string, changes?: object) => Promise<string>;
  readonly serving: (hostId: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function openHostStage(): Promise<HostStage> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-host-'));
  const asked: unknown[] = [];
  const due: HostStage['due'] = [];
  const hangUps: unknown[] = [];
  let sites: Sites | undefined;
  const api: TestApi = await openApi({}, async (store) => {
    sites = createSites({ ...(await sitePort(store, folder, new Set())), mayClaim });
    const askHost: AskHost = async (...question) => {
      asked.push(question);
      return stage.answer;
    };
    const remote = createRemoteRequests({ store, ask: askHost });
    const after = (ms: number, run: () => void) => void due.push({ ms, run });
    let ids = 0;
    const listenings = createListenings({
      ...{ store, vault, ask: askHost, after, nowMs: () => api.clock.now },
      publicUrl: () => 'https://cloud.example',
      randomId: () => `id${++ids}`,
    });
    return [
      operationRouter(sites),
      hostRouter(sites, remote),
      hostRecordRouter(sites, { ofHost: (...whose) => api.tenancy.audit.ofHost(...whose) }),
      logTailRouter(createLogTails({ store, remote, ask: askHost, after }), (env) => hangUps.push(env)),
      listeningRouter(listenings, (env) => hangUps.push(env)),
      listenRouter(listenings),
      topologyRouter(sites),
      siteRouter(sites),
      revisionRouter({ reach: sites.revision, changes: sites.revisionChanges }, after, () => api.clock.now),
    ];
  });
  if (sites === undefined) throw new Error('the application was made without its sites');
  const made = sites;
  const token = await makeTenant(api, 'a.test');
  const tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
  await ask(api, 'POST', '/site/a.test', { body: { siteId: 'north' } });

  async function joined(hostId: string, changes: object = {}): Promise<string> {
    const claim = await ask(api, 'POST', '/site/a.test/north/claim', { body: changes });
    const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
    const claimCode = String(claim.body.claimCode);
    const actor = { name: 'machine', address: '192.0.2.9', requestId: '', at: api.clock.now };
    const came = await made.enrolment.claim({ claimCode, hostId, csr, sealKey, version: '1' }, actor);
    if (!came.ok) throw new Error(came.error.reason);
    return came.value.uid;
  }

  const stage: HostStage = {
    api,
    sites: made,
    token,
    tenant,
    asked,
    due,
    hangUps,
    answer: ok({ v: 1, id: '01jc7z5t3k9q8w6m4n2p0r1s5v', ok: true, data: { up: 5 }, part: 1, last: true }),
    joined,
    serving: async (hostId) => {
      const uid = await joined(hostId);
      await api.database.store.withTx(async (tx) => {
        await updateHost(tx, uid, { lifecycle: 'active', course: null });
        await updateHostStatus(tx, uid, { connectivity: 'online' });
      });
      return uid;
    },
    close: async () => {
      await api.close();
      rmSync(folder, { recursive: true });
    },
  };
  return stage;
}
