import { join } from 'node:path';
import { openDatabase, readMigrations } from '#cloud/io/database/index.ts';
import { openVault } from '#cloud/io/key/index.ts';
import { start as startCloud } from '#cloud/main.ts';
import { createStore, insertTenant, migrate, putDevices } from '#cloud/store/index.ts';
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
const BATCH = 5_000;

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
  // Rows alone: what a load costs with its changes and its log is another benchmark's.
  for (let from = 0; from < devices; from += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, devices - from) }, (_, i) => `device-${from + i}`);
    const rows = ids.map((deviceId) => ({
      tenant: TENANT,
      id: deviceId,
      body: { deviceId, authType: 'deviceid', srtp: 'negotiated', description: 'a device' },
      updatedAt: 1,
    }));
    await store.withTx((tx) => putDevices(tx, rows));
  }
  await port.connection.close();
}

serveParent(start);
