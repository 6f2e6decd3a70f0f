import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArcRequest, startArc } from '#appliance/simulator/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { DEMO_DOMAIN, provisionDemoTenant } from '#installer/step/demo-tenant.ts';
import { CARILLON, entryWith } from './program/program.ts';
import { until } from './site.ts';
import { freePorts } from './site-port.ts';
import { SiteProcess } from './site-process.ts';

export interface PairPlan {
  /** Time the application thinks about an alarm, ms. */
  readonly thinkMs?: number;
  /** Its answer to an alarm. `drop` ends the session at once, the default only after the minute in which the device may call. */
  readonly alarmAction?: 'drop';
  /** The link between hosts listens on IPv6 alone, and each also knows an address of the other where no host is. */
  readonly linkOnSix?: boolean;
  /** Words for Node before the appliance's own, for example `--import FILE`. */
  readonly applianceNode?: readonly string[];
  /** Hosts in networks of their own, on ports of their own, made when the ports on loopback are known. */
  readonly lan?: (folder: string, reached: readonly number[]) => Promise<PairLan>;
}

/** Where hosts live that do not share this machine's loopback; cloud and application stay there and are still reached. */
export interface PairLan {
  readonly hosts: Readonly<
    Record<'one' | 'two', { readonly address: string; readonly enter: readonly string[] }>
  >;
  readonly close: () => Promise<void>;
}

/** Set for hosts in networks of their own. */
export const LAN_PORTS = { sip: 5060, sips: 5061, web: 8443, peer: 8446 } as const;

/** One of two hosts: a process of its own. */
export interface PairHost {
  readonly hostId: string;
  readonly folder: string;
  readonly sipPort: number;
  /** Address of its HTTPS listener. */
  readonly webPort: number;
  readonly process: SiteProcess;
}

export interface SitePair {
  readonly domain: string;
  /** `{base_url}` of the cloud, and a token of the tenant. */
  readonly api: string;
  readonly token: string;
  readonly cloud: SiteProcess;
  readonly hosts: readonly [PairHost, PairHost];
  /** Path and Idempotency-Key and SCAIP `ref` of everything the application got. */
  readonly received: readonly ArcRequest[];
  readonly logFile: (hostId: string) => string;
  readonly close: () => Promise<void>;
}

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
  { thinkMs, alarmAction, applianceNode = [], lan: openLan, linkOnSix = false }: PairPlan,
  opened: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<SitePair> {
  const ports = await freePorts(HERE, 18);
  let taken = 0;
  const port = (): number => ports[taken++] ?? 0;
  const [http, arcPort, edge, mqtt] = [port(), port(), port(), port()];
  const lan = await openLan?.(folder, [http, arcPort, edge, mqtt]);
  if (lan !== undefined) opened.push(lan.close);
  const authority = await demoAuthority(join(folder, 'demo'));
  const both = {
    CARILLON_TRUST: authority.file,
    CARILLON_ALLOW_PRIVATE: '127.0.0.0/8,::1/128',
    CARILLON_LOG: 'info',
  };
  const cloudFolder = join(folder, 'cloud');
  mkdirSync(cloudFolder, { mode: 0o700 });
  const cloud = new SiteProcess({
    name: 'the cloud',
    command: [process.execPath, CARILLON, 'cloud'],
    environment: {
      ...both,
      CARILLON_DATA: cloudFolder,
      CARILLON_HTTP: `${HERE}:${http}`,
      CARILLON_EDGE: `${HERE}:${edge}`,
      CARILLON_MQTT_LISTEN: `${HERE}:${mqtt}`,
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
    ...(alarmAction !== undefined && { alarmAction }),
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
  const linkOf = (hostId: 'one' | 'two'): string =>
    lan === undefined ? `${HERE}:${port()}` : `${lan.hosts[hostId].address}:${LAN_PORTS.peer}`;
  const known = { one: linkOf('one'), two: linkOf('two') };
  const onSix = (link: string): string => link.replace(HERE, '[::1]');
  const links = linkOnSix ? { one: onSix(known.one), two: onSix(known.two) } : known;
  const named = (['one', 'two'] as const).flatMap((hostId) =>
    [...new Set([known[hostId], links[hostId]])].map((at) => `${hostId}=${at}`),
  );
  const peers = named.join(',');
  const hostOf = (hostId: 'one' | 'two', rtp: string): PairHost => {
    const there = lan?.hosts[hostId];
    const address = there?.address ?? HERE;
    // The floating address comes and goes: whoever lives in a network of its own listens on all of it.
    const listenAddress = there === undefined ? HERE : '0.0.0.0';
    const {
      sip: sipPort,
      sips,
      web,
    } = there === undefined ? { sip: port(), sips: port(), web: port() } : LAN_PORTS;
    const data = join(folder, hostId);
    mkdirSync(data, { mode: 0o700 });
    const environment = {
      ...both,
      CARILLON_DATA: data,
      CARILLON_CLOUD: api,
      CARILLON_HOST_ID: hostId,
      CARILLON_ADDRESS: address,
      CARILLON_SITE_BASE_URL: `https://${address}:${web}`,
      CARILLON_SIP_UDP: `${listenAddress}:${sipPort}`,
      CARILLON_SIP_TCP: `${listenAddress}:${sipPort}`,
      CARILLON_SIP_TLS: `${listenAddress}:${sips}`,
      CARILLON_DC09: '',
      CARILLON_APPLIANCE_HTTP: `${listenAddress}:${web}`,
      CARILLON_COMMAND_QUEUE: '',
      CARILLON_RTP_PORTS: rtp,
      CARILLON_PEER: links[hostId],
      CARILLON_PEERS: peers,
    };
    const command = [
      ...(there?.enter ?? []),
      process.execPath,
      ...applianceNode,
      entryWith(applianceNode),
      'appliance',
    ];
    const made = new SiteProcess({ name: hostId, command, environment, logFile: logFile(hostId) });
    opened.push(() => made.stop());
    return { hostId, folder: data, sipPort, webPort: web, process: made };
  };
  const hosts = [hostOf('one', '30000-30199'), hostOf('two', '30200-30399')] as const;
  const claims = await Promise.all(hosts.map(({ hostId }) => claim(api, tenant.token, hostId)));
  for (const [at, host] of hosts.entries()) await host.process.start({ CARILLON_CLAIM: claims[at] ?? '' });
  const linked = (): boolean =>
    hosts.every(({ hostId }) => readFileSync(logFile(hostId), 'utf8').includes('"event":"peer.appeared"'));
  if (!(await until(linked, 90_000))) throw new Error('the hosts did not find each other');
  const { token } = tenant;
  return { domain: DEMO_DOMAIN, api, token, cloud, hosts: [...hosts], received, logFile, close };
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
