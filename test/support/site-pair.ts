import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ArcRequest, startArc } from '#appliance/simulator/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { DEMO_DOMAIN, provisionDemoTenant } from '#installer/step/demo-tenant.ts';
import { until } from './site.ts';
import { freePorts } from './site-port.ts';
import { SiteProcess } from './site-process.ts';

export interface PairPlan {
  /** Time the application thinks about an alarm, ms. */
  readonly thinkMs?: number;
}

/** One of two hosts: a process of its own. */
export interface PairHost {
  readonly hostId: string;
  readonly folder: string;
  readonly sipPort: number;
  readonly process: SiteProcess;
}

export interface SitePair {
  readonly domain: string;
  readonly hosts: readonly [PairHost, PairHost];
  /** Path and Idempotency-Key and SCAIP `ref` of everything the application got. */
  readonly received: readonly ArcRequest[];
  readonly logFile: (hostId: string) => string;
  readonly close: () => Promise<void>;
}

const FRONT_DOOR = resolve(import.meta.dirname, '../../installer/carillon.ts');
const HERE = '127.0.0.1';

/** A cloud, a tenant with one site, two hosts in it that know each other, and the application in this process. */
export async function openSitePair(plan: PairPlan = {}): Promise<SitePair> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-pair-'));
  const opened: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const end of opened.splice(0).reverse()) await end();
  };
  try {
    return await openIn(folder, plan, opened, close);
  } catch (cause) {
    await close();
    throw cause;
  }
}

async function openIn(
  folder: string,
  { thinkMs }: PairPlan,
  opened: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<SitePair> {
  const ports = await freePorts(HERE, 18);
  let taken = 0;
  const port = (): number => ports[taken++] ?? 0;
  const authority = await demoAuthority(join(folder, 'demo'));
  const both = {
    CARILLON_TRUST: authority.file,
    CARILLON_ALLOW_PRIVATE: '127.0.0.0/8,::1/128',
    CARILLON_LOG: 'info',
  };
  const [http, arcPort] = [port(), port()];
  const cloudFolder = join(folder, 'cloud');
  mkdirSync(cloudFolder, { mode: 0o700 });
  const cloud = new SiteProcess({
    name: 'the cloud',
    command: [process.execPath, FRONT_DOOR, 'cloud'],
    environment: {
      ...both,
      CARILLON_DATA: cloudFolder,
      CARILLON_HTTP: `${HERE}:${http}`,
      CARILLON_EDGE: `${HERE}:${port()}`,
      CARILLON_MQTT_LISTEN: `${HERE}:${port()}`,
    },
    logFile: join(folder, 'cloud.log'),
  });
  opened.push(() => cloud.stop());
  const signing = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const received: ArcRequest[] = [];
  const application = await startArc({
    host: HERE,
    port: arcPort,
    certificate: await authority.issue([HERE, 'localhost']),
    publicKeyPem: signing.publicKey,
    ...(thinkMs !== undefined && { thinkMs }),
    onRequest: (request) => received.push(request),
  });
  opened.push(application.close);
  await cloud.start();
  const api = `http://${HERE}:${http}`;
  const tenant = await provisionDemoTenant({
    baseUrl: api,
    bootstrapToken: readFileSync(join(cloudFolder, 'bootstrap-token'), 'utf8').trim(),
    arcUrl: `https://${HERE}:${arcPort}`,
    signingKeyPem: signing.privateKey,
    token: undefined,
    telephonePassword: 'for telephones',
    needsClaim: true,
  });
  const logFile = (hostId: string): string => join(folder, `${hostId}.log`);
  const links = { one: port(), two: port() };
  const peers = `one=${HERE}:${links.one},two=${HERE}:${links.two}`;
  const hostOf = (hostId: 'one' | 'two', rtp: string): PairHost => {
    const [sipPort, sips, web] = [port(), port(), port()];
    const data = join(folder, hostId);
    mkdirSync(data, { mode: 0o700 });
    const environment = {
      ...both,
      CARILLON_DATA: data,
      CARILLON_CLOUD: api,
      CARILLON_HOST_ID: hostId,
      CARILLON_ADDRESS: HERE,
      CARILLON_SITE_BASE_URL: `https://${HERE}:${web}`,
      CARILLON_SIP_UDP: `${HERE}:${sipPort}`,
      CARILLON_SIP_TCP: `${HERE}:${sipPort}`,
      CARILLON_SIP_TLS: `${HERE}:${sips}`,
      CARILLON_DC09: '',
      CARILLON_APPLIANCE_HTTP: `${HERE}:${web}`,
      CARILLON_COMMAND_QUEUE: '',
      CARILLON_RTP_PORTS: rtp,
      CARILLON_PEER: `${HERE}:${links[hostId]}`,
      CARILLON_PEERS: peers,
    };
    const command = [process.execPath, FRONT_DOOR, 'appliance'];
    const made = new SiteProcess({ name: hostId, command, environment, logFile: logFile(hostId) });
    opened.push(() => made.stop());
    return { hostId, folder: data, sipPort, process: made };
  };
  const hosts = [hostOf('one', '30000-30199'), hostOf('two', '30200-30399')] as const;
  const claims = await Promise.all(hosts.map(({ hostId }) => claim(api, tenant.token, hostId)));
  for (const [at, host] of hosts.entries()) await host.process.start({ CARILLON_CLAIM: claims[at] ?? '' });
  const linked = (): boolean =>
    hosts.every(({ hostId }) =>
      readFileSync(logFile(hostId), 'utf8').includes('another host of the site is there'),
    );
  if (!(await until(linked, 30_000))) throw new Error('the hosts did not find each other');
  return { domain: DEMO_DOMAIN, hosts: [...hosts], received, logFile, close };
}

/** A claim of the one site of the demo tenant. */
async function claim(api: string, token: string, hostId: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const asked = await fetch(`${api}/site/${DEMO_DOMAIN}`, { headers });
  const { data } = (await asked.json()) as { data: { sites: { siteId: string }[] } };
  const made = await fetch(`${api}/site/${DEMO_DOMAIN}/${data.sites[0]?.siteId}/claim`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ hostId }),
  });
  const { claimCode } = (await made.json()) as { claimCode: string };
  return claimCode;
}
