import { generateKeyPairSync } from 'node:crypto';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { DEMO_DOMAIN, DEMO_HOST, provisionDemoTenant } from '#installer/step/demo-tenant.ts';
import { freePorts } from '#test/support/site-port.ts';
import { SiteProcess } from '#test/support/site-process.ts';
import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { percentile } from './support/figure.ts';
import { inPlace, type Place } from './support/place.ts';

const DEVICES = 10_000;
const OWNER = 'owner-of-the-bench';
const ENTRY = resolve(import.meta.dirname, '../../installer/carillon.ts');
/** How often the copy on the host is looked at: what is measured is at most this much too long. */
const LOOK_MS = 5;
const GIVEN_UP_MS = 30_000;

/** Row 17: from the request that changes a device to its commit on a connected host, 10,000 devices in the tenant. */
export const configurationApplied: Bench = { row: 17, name: 'configuration-applied', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const changes = quick ? 20 : 300;
  return await inPlace(async (place) => {
    const { api, token, replica } = await startSite(place);
    const ask = async (method: string, path: string, body?: string, type = 'application/json') => {
      const answer = await fetch(`${api}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined ? {} : { body }),
      });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    };
    await fill(ask);
    const db = new Database(replica, { readonly: true, fileMustExist: true });
    const standing = db.prepare<[], { rev: number }>("SELECT rev FROM standing WHERE scope = 'tenant'");
    const rows = db.prepare<[], { n: number }>("SELECT count(*) n FROM replica WHERE entity = 'device'");
    const rev = () => standing.get()?.rev ?? 0;
    await until(() => (rows.get()?.n ?? 0) >= DEVICES, 60_000);
    await settled(rev);
    say(`${rows.get()?.n} devices on the host`);

    const took: number[] = [];
    for (let i = 0; i < changes; i++) {
      const before = rev();
      const sentMs = performance.now();
      await ask(
        'PUT',
        `/provisioning/device/${DEMO_DOMAIN}`,
        JSON.stringify({
          deviceId: `d-${(i * 7_919) % DEVICES}`,
          authType: 'deviceid',
          srtp: 'never',
          description: `change ${i}`,
        }),
      );
      await until(() => rev() > before, GIVEN_UP_MS);
      took.push(performance.now() - sentMs);
      // The next one begins at no fixed distance from the last: neither gathering nor spreading is met always alike.
      await sleep(37 * (i % 13));
    }
    db.close();
    const p99 = percentile(took, 0.99);
    return {
      figures: [
        {
          row: 17,
          what: 'configuration change → applied on a connected host, 10,000 devices, p99',
          unit: 'ms',
          ours: p99,
          judged: p99,
          gate: 2_000,
          ambition: 500,
          wanted: 'most',
        },
      ],
      notes: [
        `${changes} changes of one device each, one after the other; median ${percentile(took, 0.5).toFixed(0)} ms, longest ${Math.max(...took).toFixed(0)} ms`,
        `carillon cloud and carillon appliance as processes, embedded broker; applied = committed on the host, seen within ${LOOK_MS} ms`,
        'a host of a small fleet waits a random 0 to 500 ms before it fetches: half of the median is that',
      ],
    };
  });
}

async function startSite(place: Place) {
  const [http = 0, edge = 0, mqtt = 0, web = 0, sip = 0, sips = 0, queue = 0, dc09 = 0] = await freePorts(
    '127.0.0.1',
    8,
  );
  const [cloudFolder, applianceFolder] = [place.folder(), place.folder()];
  const api = `http://127.0.0.1:${http}`;
  const both = { CARILLON_ALLOW_PRIVATE: '127.0.0.0/8', CARILLON_LOG: 'warn' };
  const cloud = new SiteProcess({
    name: 'the cloud',
    command: [process.execPath, ENTRY, 'cloud'],
    environment: {
      ...both,
      CARILLON_DATA: cloudFolder,
      CARILLON_HTTP: `127.0.0.1:${http}`,
      CARILLON_EDGE: `127.0.0.1:${edge}`,
      CARILLON_MQTT_LISTEN: `127.0.0.1:${mqtt}`,
      CARILLON_BOOTSTRAP_TOKEN: OWNER,
      CARILLON_RATE_LIMITS: 'off',
    },
    logFile: join(cloudFolder, 'cloud.log'),
  });
  await place.keep(cloud.start().then(() => cloud));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tenant = await provisionDemoTenant({
    baseUrl: api,
    bootstrapToken: OWNER,
    // No party is called in this bench.
    arcUrl: `https://127.0.0.1:${web}`,
    signingKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    token: undefined,
    telephonePassword: 'for telephones',
    needsClaim: true,
  });
  const appliance = new SiteProcess({
    name: 'the appliance',
    command: [process.execPath, ENTRY, 'appliance'],
    environment: {
      ...both,
      CARILLON_DATA: applianceFolder,
      CARILLON_CLOUD: api,
      CARILLON_CLAIM: tenant.claimCode ?? '',
      CARILLON_HOST_ID: DEMO_HOST,
      CARILLON_ADDRESS: '127.0.0.1',
      CARILLON_SIP_UDP: `127.0.0.1:${sip}`,
      CARILLON_SIP_TCP: `127.0.0.1:${sip}`,
      CARILLON_SIP_TLS: `127.0.0.1:${sips}`,
      CARILLON_APPLIANCE_HTTP: `127.0.0.1:${web}`,
      CARILLON_COMMAND_QUEUE: `127.0.0.1:${queue}`,
      CARILLON_DC09: `127.0.0.1:${dc09}`,
    },
    logFile: join(applianceFolder, 'appliance.log'),
  });
  await place.keep(appliance.start().then(() => appliance));
  return { api, token: tenant.token, replica: join(applianceFolder, 'config.db') };
}

type Ask = (method: string, path: string, body?: string, type?: string) => Promise<Record<string, unknown>>;

/** Ten thousand devices by one CSV. */
async function fill(ask: Ask): Promise<void> {
  const path = `/provisioning/device/${DEMO_DOMAIN}/bulk/bench`;
  const lines = Array.from({ length: DEVICES }, (_, i) => `d-${i},deviceid,never`);
  await ask('PUT', path, ['deviceId,authType,srtp', ...lines, ''].join('\n'), 'text/csv');
  for (;;) {
    const { status } = (await ask('GET', path)) as {
      status: { status: string; failed: number; reason?: string };
    };
    if (status.status === 'COMPLETED' && status.failed === 0) return;
    if (status.status !== 'STARTED')
      throw new Error(`the load ended as ${status.status}: ${status.failed} rows failed`);
    await sleep(100);
  }
}

async function until(holds: () => boolean, withinMs: number): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > endMs) throw new Error(`not applied within ${withinMs} ms`);
    await sleep(LOOK_MS);
  }
}

/** Until nothing has come for a second. */
async function settled(rev: () => number): Promise<void> {
  for (let last = -1; last !== rev(); await sleep(1_000)) last = rev();
}
