import { generateKeyPairSync, hash } from 'node:crypto';
import { signingRequest } from '#appliance/io/edge/certificate/signing-request.ts';
import type { Authority } from '#cloud/io/authority/index.ts';
import { startChild } from '#test/bench/support/child-process.ts';
import { Place } from '#test/bench/support/place.ts';
import { type Appliance, type Application, DOMAIN, startAppliance } from '#test/bench/support/start.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';

export { DOMAIN };

export interface PeerSite {
  readonly appliance: Appliance;
  readonly application: Application;
  /** PEM of the platform's root. */
  readonly ca: string;
  readonly close: () => Promise<void>;
}

export interface PeerSitePlan {
  readonly trunks?: readonly Readonly<Record<string, unknown>>[];
  readonly bridges?: (url: string) => readonly Readonly<Record<string, unknown>>[];
  readonly mediaServices?: (url: string) => readonly Readonly<Record<string, unknown>>[];
  readonly devices: readonly Readonly<Record<string, unknown>>[];
  /** The authority that issues the appliance's certificate and is trusted by it; absent: one of its own. */
  readonly authority?: Authority;
  /** The application takes messages that no bridge takes. */
  readonly messages?: boolean;
  /** SIP listens on `::1` too. */
  readonly alsoIPv6?: boolean;
  readonly answers?: Readonly<Record<string, Readonly<Record<string, unknown>> | 'failed'>>;
}

/** An appliance with a fixed tenant and the application it calls, each a process of its own on 127.0.0.1. */
export async function startPeerSite(plan: PeerSitePlan): Promise<PeerSite> {
  const place = new Place();
  try {
    const authority = plan.authority ?? (await openFolderAuthority(place.folder(), Date.now()));
    const host = await hostCertificate(authority);
    const server = await authority.issueServer(['127.0.0.1', 'localhost'], Date.now());
    const application: Application = await place.keep(
      startChild(new URL('../../bench/process/application.ts', import.meta.url), {
        ...server,
        answers: plan.answers ?? {},
        otherwise: { action: 'drop' },
      }),
    );
    const url = `https://127.0.0.1:${application.ready.port}`;
    const appliance = await place.keep(
      startAppliance({
        folder: place.folder(),
        part: 'whole',
        tls: host,
        bridges: plan.bridges?.(url) ?? [],
        trunks: plan.trunks ?? [],
        ...(plan.mediaServices !== undefined && { mediaServices: plan.mediaServices(url) }),
        devices: plan.devices,
        ...(plan.alsoIPv6 === true && { alsoIPv6: true }),
        notifyUrl: `${url}/platform-alarm`,
        ...(plan.messages === true && { messageUrl: `${url}/messages` }),
        trust: authority.ca,
      }),
    );
    return { appliance, application, ca: authority.ca, close: () => place.close() };
  } catch (cause) {
    await place.close();
    throw cause;
  }
}

/** As an enrolled host has one: it serves the listeners, and is shown to whoever asks for it when we connect. */
async function hostCertificate(
  authority: Authority,
): Promise<{ readonly cert: string; readonly key: string }> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const request = await signingRequest(key, 'appliance', ['127.0.0.1', 'localhost', 'appliance.test']);
  const name = { tenant: DOMAIN, siteId: 'bench', uid: 'appliance' };
  const issued = await authority.issueHost(request, name, Date.now());
  if (!issued.ok) throw new Error(issued.error.reason);
  return { cert: issued.value.certificate, key };
}

/**
 * A device that proves itself by digest, with an MD5 hash alone: SIPp and baresip know MD5 only, and SIPp reads the
 * first challenge only.
 */
export function phone(deviceId: string, password: string): Readonly<Record<string, unknown>> {
  const secret = `${deviceId}:${DOMAIN}:${password}`;
  return { deviceId, authType: 'credentials', digest: { md5: hash('md5', secret) } };
}
