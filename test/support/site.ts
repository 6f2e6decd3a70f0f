import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Arc, type ArcOptions, type ArcRequest, startArc } from '#appliance/simulator/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { DEMO_DOMAIN, DEMO_HOST, provisionDemoTenant } from '#installer/step/demo-tenant.ts';
import { CARILLON, entryWith, SOURCES } from './program/program.ts';
import { freePorts } from './site-port.ts';
import { SiteProcess } from './site-process.ts';

export interface SitePlan {
  /** Folder of the appliance's state, when it is not to lie beside the rest. */
  readonly applianceFolder?: string;
  /** The same of the cloud's state. */
  readonly cloudFolder?: string;
  /** Address on which devices reach the appliance; default 127.0.0.1. Everything else is on 127.0.0.1 always. */
  readonly sipAddress?: string;
  /** SIP and HTTPS on every address of both families; the host is known by 127.0.0.1. */
  readonly everywhere?: true;
  /** Every listener at these addresses of this machine; the host is known by 127.0.0.1, which is one of them. */
  readonly listening?: readonly string[];
  /** Words for Node before the appliance's own, for example `--import FILE`. */
  readonly applianceNode?: readonly string[];
  /** A file that Node loads before the cloud reaches into modules of its sources. */
  readonly cloudFromSources?: boolean;
  /** Further settings of the appliance at its first start. */
  readonly applianceSetting?: Readonly<Record<string, string>>;
  /** Time the application thinks about an alarm, ms. */
  readonly thinkMs?: number;
  /** Its answer to an alarm. `drop` ends the session at once, the default only after the minute in which the device may call. */
  readonly alarmAction?: 'drop';
  /** Another program for some paths of the application. */
  readonly relay?: ArcOptions['relay'];
  /** Objects that are provisioned besides the demo: a configuration that the appliance starts with is not on trial. */
  readonly provision?: (cloud: Pick<Site, 'api' | 'token' | 'domain' | 'callbacks'>) => Promise<void>;
}

/** The parts of one request of the application that are kept, also when there are a million. */
export interface Delivered {
  /** Epoch ms with fraction, from the monotonic clock. */
  readonly atMs: number;
  readonly path: string;
  /** Idempotency-Key. */
  readonly key: string;
  /** The `ref` of a SCAIP alarm, as the appliance read it. */
  readonly reference: unknown;
  readonly sessionId: unknown;
  /** Step and attempt of emergencyProgress. */
  readonly step: unknown;
  readonly attempt: unknown;
  /** Reason of alarmSendFailure. */
  readonly reason: unknown;
  /** A platform alarm: its type, its error, and the device it is about. */
  readonly type: unknown;
  readonly error: unknown;
  readonly deviceId: unknown;
  /** `errorDetails` of a platform alarm. */
  readonly details: unknown;
}

/** A tenant with one site in real processes, and its application in this one. */
export interface Site {
  readonly domain: string;
  /** host:port of SIP over UDP and TCP. */
  readonly sip: string;
  /** Port of SIP over TLS, on the same address. */
  readonly sips: number;
  /** `{base_url}` of the cloud, and a token of the tenant. */
  readonly api: string;
  readonly token: string;
  /** `{base_url}` of the appliance, whose certificate is of an authority unknown here. */
  readonly siteBaseUrl: string;
  /** Where the application is, and how callbacks to it are signed: fields of a bridge. */
  readonly callbacks: { readonly callbackBaseUrl: string; readonly restAuthentication: readonly object[] };
  /** URL of the command queue of the appliance. */
  readonly commandQueue: string;
  /** Port of its DC-09 receiver. */
  readonly dc09: number;
  readonly applianceFolder: string;
  readonly cloudFolder: string;
  /** Lines of the two programs on stderr. */
  readonly logFile: { readonly cloud: string; readonly appliance: string };
  /** Everything the application got, in order. */
  readonly received: readonly Delivered[];
  /** Starts it again after `kill` or `stop`, with other settings where some are given; resolves when it answers with the tenant's configuration. */
  readonly startAppliance: (more?: Readonly<Record<string, string>>) => Promise<void>;
  readonly killAppliance: () => Promise<void>;
  /** SIGTERM; killed where it has not ended within `withinMs`. */
  readonly stopAppliance: (withinMs?: number) => Promise<void>;
  readonly stopCloud: (withinMs?: number) => Promise<void>;
  /** SIGSTOP and SIGCONT of each of the two programs. */
  readonly freeze: (which: 'appliance' | 'cloud') => void;
  readonly thaw: (which: 'appliance' | 'cloud') => void;
  /** Process id of each program; undefined: it does not run. */
  readonly processId: (which: 'appliance' | 'cloud') => number | undefined;
  /** The application goes away: its address answers nothing; and comes back. */
  readonly stopApplication: () => Promise<void>;
  readonly startApplication: () => Promise<void>;
  /** With further settings or variables of Node, where some are given. */
  readonly startCloud: (more?: Readonly<Record<string, string>>) => Promise<void>;
  readonly killCloud: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const READY_WITHIN_MS = 90_000;

/**
 * Opens the site: cloud and appliance as processes of their own over `carillon cloud` and `carillon appliance`, the
 * demo tenant by the public API, the demo application here. All ports are free ones, all state is in a new folder
 * that `close` removes.
 */
export async function openSite(plan: SitePlan = {}): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-site-'));
  const opened: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
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
  plan: SitePlan,
  opened: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<Site> {
  const [http = 0, edge = 0, mqtt = 0, arcPort = 0, web = 0, queue = 0, dc09 = 0] = await freePorts(
    '127.0.0.1',
    7,
  );
  const sipAddress = plan.sipAddress ?? '127.0.0.1';
  const [sipPort = 0, sips = 0] = await freePorts(sipAddress, 2);
  const all = plan.listening ?? (plan.everywhere === true ? ['0.0.0.0', '::'] : undefined);
  const on = (address: string, port: number): string =>
    (all ?? [address]).map((at) => `${at.includes(':') ? `[${at}]` : at}:${port}`).join(',');
  const applianceNode = plan.applianceNode ?? [];
  const applianceFolder = plan.applianceFolder ?? join(folder, 'appliance');
  const cloudFolder = plan.cloudFolder ?? join(folder, 'cloud');
  const logFile = { cloud: join(folder, 'cloud.log'), appliance: join(folder, 'appliance.log') };
  for (const each of [applianceFolder, cloudFolder]) mkdirSync(each, { recursive: true, mode: 0o700 });

  const authority = await demoAuthority(join(folder, 'demo'));
  const both = {
    CARILLON_TRUST: authority.file,
    CARILLON_ALLOW_PRIVATE: '127.0.0.0/8,::1/128',
    CARILLON_LOG: 'warn',
  };
  const cloud = new SiteProcess({
    name: 'the cloud',
    command: [process.execPath, plan.cloudFromSources === true ? SOURCES : CARILLON, 'cloud'],
    environment: {
      ...both,
      CARILLON_DATA: cloudFolder,
      CARILLON_HTTP: `127.0.0.1:${http}`,
      CARILLON_EDGE: `127.0.0.1:${edge}`,
      CARILLON_MQTT_LISTEN: `127.0.0.1:${mqtt}`,
    },
    logFile: logFile.cloud,
  });
  const appliance = new SiteProcess({
    name: 'the appliance',
    command: [process.execPath, ...applianceNode, entryWith(applianceNode), 'appliance'],
    environment: {
      ...both,
      CARILLON_DATA: applianceFolder,
      CARILLON_CLOUD: `http://127.0.0.1:${http}`,
      CARILLON_HOST_ID: DEMO_HOST,
      CARILLON_ADDRESS: sipAddress,
      CARILLON_SITE_BASE_URL: `https://127.0.0.1:${web}`,
      CARILLON_SIP_UDP: on(sipAddress, sipPort),
      CARILLON_SIP_TCP: on(sipAddress, sipPort),
      CARILLON_SIP_TLS: on(sipAddress, sips),
      CARILLON_DC09: on('127.0.0.1', dc09),
      CARILLON_APPLIANCE_HTTP: on('127.0.0.1', web),
      CARILLON_COMMAND_QUEUE: on('127.0.0.1', queue),
    },
    logFile: logFile.appliance,
  });
  const programs = { appliance, cloud };
  opened.push(() => cloud.stop());
  opened.push(() => appliance.stop());

  const signing = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const received: Delivered[] = [];
  const certificate = await authority.issue(['127.0.0.1', 'localhost']);
  let application: Arc | undefined;
  const startApplication = async (): Promise<void> => {
    application ??= await startArc({
      host: '127.0.0.1',
      port: arcPort,
      certificate,
      publicKeyPem: signing.publicKey,
      ...(plan.thinkMs !== undefined && { thinkMs: plan.thinkMs }),
      ...(plan.alarmAction !== undefined && { alarmAction: plan.alarmAction }),
      ...(plan.relay && { relay: plan.relay }),
      onRequest: (request) => received.push(delivered(request)),
    });
  };
  const stopApplication = async (): Promise<void> => {
    await application?.close();
    application = undefined;
  };
  await startApplication();
  opened.push(stopApplication);

  const startCloud: Site['startCloud'] = async (more = {}) => void (await cloud.start(more));
  const startAppliance = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
    await appliance.start(more);
    await untilReady(web);
  };
  await startCloud();
  const api = `http://127.0.0.1:${http}`;
  const tenant = await provisionDemoTenant({
    baseUrl: api,
    bootstrapToken: readFileSync(join(cloudFolder, 'bootstrap-token'), 'utf8').trim(),
    arcUrl: `https://127.0.0.1:${arcPort}`,
    signingKeyPem: signing.privateKey,
    token: undefined,
    telephonePassword: 'for telephones',
    needsClaim: true,
  });
  const callbacks = {
    callbackBaseUrl: `https://127.0.0.1:${arcPort}`,
    restAuthentication: [{ sub: 'carillon', scope: 'alarm', type: 'ES256', secret: signing.privateKey }],
  };
  await plan.provision?.({ api, token: tenant.token, domain: DEMO_DOMAIN, callbacks });
  await startAppliance({ ...plan.applianceSetting, CARILLON_CLAIM: tenant.claimCode ?? '' });
  return {
    domain: DEMO_DOMAIN,
    sip: `${sipAddress}:${sipPort}`,
    sips,
    api,
    token: tenant.token,
    siteBaseUrl: `https://127.0.0.1:${web}`,
    callbacks,
    commandQueue: `mqtts://127.0.0.1:${queue}`,
    dc09,
    applianceFolder,
    cloudFolder,
    logFile,
    received,
    startAppliance,
    killAppliance: () => appliance.kill(),
    stopAppliance: (withinMs) => appliance.stop(withinMs),
    stopCloud: (withinMs) => cloud.stop(withinMs),
    freeze: (which) => programs[which].freeze(),
    thaw: (which) => programs[which].thaw(),
    processId: (which) => programs[which].processId,
    startApplication,
    stopApplication,
    startCloud,
    killCloud: () => cloud.kill(),
    close,
  };
}

function delivered({ path, idempotencyKey, body }: ArcRequest): Delivered {
  const source = body.sourceAlarmEvent as { readonly fields?: { readonly ref?: unknown } } | undefined;
  return {
    atMs: performance.timeOrigin + performance.now(),
    path,
    key: idempotencyKey,
    reference: source?.fields?.ref,
    sessionId: body.sessionId,
    step: body.step,
    attempt: body.attempt,
    reason: body.reason,
    type: body.type,
    error: body.error,
    deviceId: body.deviceId,
    details: body.errorDetails,
  };
}

/** The appliance says itself when it can serve (`/readyz`); its certificate is of an authority unknown here. */
async function untilReady(port: number): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  let last = 'no answer';
  while (performance.now() < deadline) {
    const answer = await readyz(port);
    if (answer.status === 200) return;
    last = `${answer.status} ${answer.body}`;
    await pause(20);
  }
  throw new Error(`the appliance was not ready within ${READY_WITHIN_MS / 1000} s: ${last}`);
}

function readyz(port: number): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false, agent: false };
    const request = get(options, (response) => {
      let body = '';
      response.on('data', (bytes: Buffer) => {
        body += bytes.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('error', (cause) => resolve({ status: 0, body: cause.message }));
  });
}

/** For polling a condition and for pacing a load, never for hoping that something is done by then. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until `condition` holds; false when it does not within `withinMs`. */
export async function until(condition: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await pause(50);
  }
  return true;
}
