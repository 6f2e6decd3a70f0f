import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SoundAdapters } from '#appliance/call/sound/index.ts';
import {
  type MessageTap,
  SipNetwork,
  type TransportEvent,
  type TransportLimits,
} from '#appliance/io/sip-transport/index.ts';
import {
  answerAuthorize,
  deviceTokenReader,
  SecureListeners,
  siteSigner,
  temporarySiteKey,
  verifyPassword,
} from '#appliance/io/site-listener/index.ts';
import { DeadlineTimer } from '#appliance/io/system/index.ts';
import type { Media } from '#appliance/media/control/index.ts';
import type { WebRtc } from '#appliance/media/webrtc/index.ts';
import type { HostIdentity } from '#appliance/site/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { createAuthorize } from '#shared/authorize/index.ts';
import { testAppliance } from './appliance.ts';
import { freePorts } from './site-port.ts';

const HOST = '127.0.0.1';

/** A whole appliance on loopback sockets and real time; only the application behind it is a fake. */
export async function realAppliance(
  limits: Partial<TransportLimits> = {},
  audio?: { readonly media: Media; readonly webrtc: WebRtc; readonly sound?: SoundAdapters },
  tap?: MessageTap,
) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-real-'));
  const authority = await demoAuthority(folder);
  const { cert, key } = await authority.issue([HOST, 'localhost']);
  const ca = readFileSync(authority.file, 'utf8');
  const [https = 0, sips = 0, wss = 0] = await freePorts(HOST, 3);
  const clock = { wallMs: () => Date.now(), monoMs: () => performance.now() };
  const signer = siteSigner(temporarySiteKey());
  const deadlines = new DeadlineTimer(clock.monoMs, (cause) => {
    throw cause;
  });
  const events: TransportEvent[] = [];
  const appliance = await testAppliance({
    real: {
      clock,
      wakeBy: (dueMs) => deadlines.wakeBy(dueMs),
      send: (flow, bytes) => network.send(flow, bytes),
      connect: (hop, withinMs) => network.connect(hop, withinMs),
      contactAt: (flow) => `${HOST}:${network.portTowards(flow)}`,
      ...(audio && { audio: { ...audio, address: HOST } }),
    },
    verifyToken: deviceTokenReader(() => [], signer),
    ...(audio?.sound && { sound: audio.sound }),
  });
  const { runtime, tenant } = appliance;
  const network: SipNetwork = new SipNetwork(
    {
      message: (flow, bytes) => runtime.message(flow, bytes),
      closed: (flow) => runtime.flowFailed(flow),
      failed: (flow) => runtime.flowFailed(flow),
      inUse: (flow) => runtime.flowInUse(flow),
    },
    { monoMs: clock.monoMs, limits, report: (event) => events.push(event), ...(tap && { tap }) },
  );
  const authorize = createAuthorize({
    issuer: `https://${HOST}:${https}`,
    findDevice: async (domain, deviceId) => (domain === tenant.domain ? tenant.byId(deviceId) : undefined),
    verifyPassword,
    sign: async (typ, claims) => signer.sign(typ, claims),
  });
  const secureListeners = new SecureListeners(
    {
      http: [{ host: HOST, port: https }],
      sipTls: [{ host: HOST, port: sips }],
      sipWss: [{ host: HOST, port: wss }],
      tlsFiles: undefined,
      trustPem: undefined,
    },
    network,
    (request, source) => answerAuthorize({ request, source }, authorize, clock.wallMs()),
  );
  await network.open([{ host: HOST, port: 0 }], [{ host: HOST, port: 0 }]);
  const shows = (certificatePem: string, keyPem: string): Promise<void> =>
    secureListeners.open({ certificatePem, keyPem, caPem: ca } as HostIdentity);
  await shows(cert, key);
  deadlines.start(() => {
    runtime.advance();
    return runtime.nextDueMs();
  });
  return {
    ...appliance,
    network,
    authority,
    /** PEM of it. */
    ca,
    events,
    /** Another certificate of the same authority, as a host is given one before the last ends. */
    async renew(): Promise<void> {
      const next = await authority.issue([HOST, 'localhost']);
      await shows(next.cert, next.key);
    },
    signer,
    https,
    webSocket: `wss://${HOST}:${https}/sip`,
    /** The listener of its own. */
    ownWebSocket: `wss://${HOST}:${wss}/ws`,
    port: (transport: 'UDP' | 'TCP' | 'TLS') =>
      network.bound.find((bound) => bound.transport === transport)?.port ?? 0,
    /** Platform alarms so far, as they were logged. */
    alarms: () =>
      appliance.logged.flatMap((line) =>
        line.includes('platform_alarm.issued')
          ? [JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>]
          : [],
      ),
    async close() {
      deadlines.stop();
      await network.close();
      await secureListeners.close();
      await appliance.close();
      rmSync(folder, { recursive: true });
    },
  };
}
