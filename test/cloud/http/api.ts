import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  type Api,
  type AppPort,
  alarmCallRouter,
  bulkRouter,
  createApp,
  type FastPath,
  logRouter,
  promptFileRouter,
  recordingCommandRouter,
  signedPromptRouter,
  usageRouter,
} from '#cloud/http/index.ts';
import { readDocsAsset } from '#cloud/io/api-page/index.ts';
import { openBlobStore, openObjectStore, urlSignature } from '#cloud/io/blob/index.ts';
import { signingFault } from '#cloud/io/callback/index.ts';
import { readCsv } from '#cloud/io/csv/index.ts';
import { storageFault } from '#cloud/io/database/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { createTokenPort } from '#cloud/io/token/index.ts';
import { createLogQueries, createUsageQueries } from '#cloud/monitoring/index.ts';
import {
  createProvisioning,
  type DeviceBulk,
  deviceBulk,
  type PromptFiles,
  promptFiles,
} from '#cloud/provisioning/index.ts';
import type { RecordingRelay } from '#cloud/site/index.ts';
import type { Store } from '#cloud/store/index.ts';
import { createTenancy, mayReadPrompts, type Tenancy } from '#cloud/tenant/index.ts';
import { fail } from '#shared/result.ts';
import { hashQuickly } from '#test/support/installation/quick-password.ts';
import type { TestDatabase } from '../store/database.ts';
import { openTestDatabase, suiteDialect } from '../store/database.ts';
import { platformSign } from '../tenant/signer.ts';

export const OWNER_TOKEN = 'platform-owner-token';
const PUBLIC_URL = 'https://cloud.carillon.test';
const START = Date.UTC(2030, 0, 1);

/** The whole application on an empty database, with a clock the test sets. */
export interface TestApi {
  readonly app: Api;
  readonly fastPath: FastPath;
  readonly tenancy: Tenancy;
  readonly bulk: DeviceBulk;
  readonly prompts: PromptFiles;
  /** Recordings at sites; a test puts its own in their place. */
  readonly sites: { -readonly [K in 'find' | 'open']: RecordingRelay[K] };
  /** Bytes of prompt files and objects stand here. */
  readonly folder: string;
  readonly database: TestDatabase;
  readonly clock: { now: number };
  /** Exceptions the application reported; a test that expects none asserts it. */
  readonly defects: unknown[];
  readonly close: () => Promise<void>;
}

type Routers = NonNullable<AppPort['routers']>;

/** `further`: routers of cores that the test makes itself, on the same store. */
export async function openApi(
  port: Partial<AppPort> = {},
  further: (store: Store) => Promise<Routers> = async () => [],
): Promise<TestApi> {
  const database = await openTestDatabase(suiteDialect());
  const clock = { now: START };
  const defects: unknown[] = [];
  const core = { store: database.store, ...digest };
  const tenancy = createTenancy({
    ...core,
    hashPassword: hashQuickly,
    token: createTokenPort(),
    sign: platformSign,
    publicUrl: PUBLIC_URL,
    bootstrapTokenHash: digest.sha256(OWNER_TOKEN),
  });
  const provisioning = createProvisioning({ ...core, signingFault });
  const bulk = deviceBulk(
    {
      replica: 'r1',
      store: database.store,
      nowMs: () => clock.now,
      readCsv,
      breathe: () => setImmediate(),
      onDefect: (error) => defects.push(error),
    },
    provisioning.device.putMany,
  );
  const folder = mkdtempSync(join(tmpdir(), 'carillon-api-'));
  const sites: TestApi['sites'] = {
    find: async () => undefined,
    open: async () => fail('hostUnreachable', 'there is no host here'),
  };
  const prompts = promptFiles({
    store: database.store,
    sites: { find: (...asked) => sites.find(...asked), open: (...asked) => sites.open(...asked) },
    blobs: openBlobStore(join(folder, 'blob')),
    objects: openObjectStore(join(folder, 'object'), join(folder, 'key')),
    ...urlSignature('a key of the test'),
    publicUrl: PUBLIC_URL,
    mayRead: mayReadPrompts,
  });
  const { app, fastPath } = createApp({
    tenancy,
    provisioning,
    routers: [
      bulkRouter(bulk),
      signedPromptRouter(prompts, tenancy.tenant.find, () => clock.now),
      promptFileRouter(prompts, () => clock.now),
      logRouter(createLogQueries(database.store)),
      usageRouter(createUsageQueries(database.store)),
      alarmCallRouter(async () => fail('ownerUnreachable', 'there is no host here')),
      recordingCommandRouter(async () => fail('ownerUnreachable', 'there is no host here')),
      ...(await further(database.store)),
    ],
    publicUrl: PUBLIC_URL,
    version: '0.0.0',
    nowMs: () => clock.now,
    random: digest.random,
    sha256: digest.sha256,
    rehearse: database.store.rehearse,
    docsAsset: readDocsAsset,
    rateLimits: false,
    listenerOnLoopback: true,
    storageFault,
    onDefect: (error) => defects.push(error),
    ...port,
  });
  const close = async () => {
    await bulk.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { app, fastPath, tenancy, bulk, prompts, sites, folder, database, clock, defects, close };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface Ask {
  readonly token?: string | null;
  readonly body?: unknown;
  /** Body as it is, instead of JSON. */
  readonly raw?: string;
  readonly headers?: Record<string, string>;
  /** Remote address of the connection; absent: none. */
  readonly address?: string;
}

/** One request; JSON in, JSON out. Without `token` the platform owner asks, with null an anonymous caller. */
export async function ask(api: TestApi, method: string, path: string, asked: Ask = {}): Promise<Answer> {
  const { token = OWNER_TOKEN, body, raw, headers = {}, address } = asked;
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const init = {
    method,
    headers: {
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  };
  const env = address === undefined ? undefined : { incoming: { socket: { remoteAddress: address } } };
  const response = await api.app.request(path, init, env);
  const text = await response.text();
  const json = response.headers.get('Content-Type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: json ? (JSON.parse(text) as Record<string, unknown>) : { text },
  };
}

/** A tenant, and a token for it. */
export async function makeTenant(api: TestApi, domain: string, scope?: string): Promise<string> {
  await ask(api, 'POST', '/platform/tenant', { body: { domain } });
  const made = await ask(api, 'POST', `/provisioning/apitoken/${domain}`, {
    body: scope === undefined ? {} : { scope },
  });
  return String(made.body.token);
}

export const BRIDGE = {
  protocol: 'scaip',
  name: 'SCAIP alarms',
  destinationMatch: '^scaip$',
  callbackBaseUrl: 'https://arc.example/callback',
  restAuthentication: [{ sub: 'carillon', secret: 'do-not-show', type: 'HS256' }],
} as const;

export const DEVICE = { deviceId: 'scaip-0001', authType: 'deviceid', srtp: 'negotiated' } as const;
