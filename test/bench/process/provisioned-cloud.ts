import { join } from 'node:path';
import { openDatabase, readMigrations } from '#cloud/io/database/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { openVault } from '#cloud/io/key/index.ts';
import { start as startCloud } from '#cloud/main.ts';
import { createProvisioning } from '#cloud/provisioning/index.ts';
import { createStore, insertTenant, migrate } from '#cloud/store/index.ts';
import { type Served, serveParent } from './serve-parent.ts';

export interface ProvisionedSetting {
  readonly folder: string;
  readonly domain: string;
  /** `device-0` … are there at start. */
  readonly devices: number;
}

export interface ProvisionedReady {
  readonly port: number;
  /** An API token of the tenant. */
  readonly token: string;
}

const OWNER = 'owner-of-the-bench';
const TENANT = '01jbench00000000000000000t';
const BATCH = 500;

/** The whole control plane as `carillon cloud` runs it, with a tenant full of devices. */
async function start(setting: ProvisionedSetting): Promise<Served<ProvisionedReady, never, null>> {
  await fill(setting);
  const cloud = await startCloud({
    flags: {},
    environment: {
      CARILLON_DATA: setting.folder,
      CARILLON_HTTP: '127.0.0.1:0',
      CARILLON_EDGE: '127.0.0.1:0',
      CARILLON_MQTT_LISTEN: '127.0.0.1:0',
      CARILLON_BOOTSTRAP_TOKEN: OWNER,
      CARILLON_RATE_LIMITS: 'off',
      CARILLON_LOG: 'warn',
    },
    file: {},
  });
  if (!cloud.ok) throw new Error(cloud.error.reason);
  const { ready, close } = cloud.value;
  const api = String(ready.api);
  const answer = await fetch(`${api}/provisioning/apitoken/${setting.domain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OWNER}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const { token } = (await answer.json()) as { token: string };
  return { ready: { port: Number(new URL(api).port), token }, answer: () => null, close };
}

async function fill({ folder, domain, devices }: ProvisionedSetting): Promise<void> {
  const vault = openVault(join(folder, 'key'));
  const port = openDatabase(`sqlite:${join(folder, 'cloud.db')}`, vault, () => undefined);
  await migrate(port, readMigrations('sqlite'), Date.now());
  const store = createStore(port);
  await store.withTx((tx) =>
    insertTenant(tx, { id: TENANT, domain, name: null, createdAt: Date.now(), notBefore: 0 }),
  );
  const { device } = createProvisioning({ store, ...digest });
  const actor = { name: 'system', address: '', requestId: 'bench', at: Date.now() };
  const call = { tenant: TENANT, domain, actor };
  for (let from = 0; from < devices; from += BATCH) {
    const count = Math.min(BATCH, devices - from);
    const results = await device.putMany(
      call,
      Array.from({ length: count }, (_, i) => ({
        deviceId: `device-${from + i}`,
        authType: 'deviceid' as const,
        srtp: 'negotiated' as const,
        description: 'a device',
      })),
    );
    if (!results.ok) throw new Error(results.error.reason);
  }
  await port.connection.close();
}

serveParent(start);
