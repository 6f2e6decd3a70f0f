import { hash } from 'node:crypto';
import { type Authority, openAuthority } from '#cloud/io/authority/index.ts';
import { startChild } from '#test/bench/support/child-process.ts';
import { Place } from '#test/bench/support/place.ts';
import { type Appliance, type Application, DOMAIN, startAppliance } from '#test/bench/support/start.ts';

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
  readonly devices: readonly Readonly<Record<string, unknown>>[];
  /** Who issues the appliance's certificate and is trusted by it; absent: one of its own. */
  readonly authority?: Authority;
  readonly answers?: Readonly<Record<string, Readonly<Record<string, unknown>> | 'failed'>>;
}

/** An appliance with a fixed tenant and the application it calls, each a process of its own on 127.0.0.1. */
export async function startPeerSite(plan: PeerSitePlan): Promise<PeerSite> {
  const place = new Place();
  try {
    const authority = plan.authority ?? (await openAuthority(place.folder(), Date.now()));
    const server = await authority.issueServer(['127.0.0.1', 'localhost', 'appliance.test'], Date.now());
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
        tls: server,
        bridges: plan.bridges?.(url) ?? [],
        trunks: plan.trunks ?? [],
        devices: plan.devices,
        notifyUrl: `${url}/platform-alarm`,
        trust: authority.ca,
      }),
    );
    return { appliance, application, ca: authority.ca, close: () => place.close() };
  } catch (cause) {
    await place.close();
    throw cause;
  }
}

/**
 * A device that proves itself by digest, with an MD5 hash alone: SIPp and baresip know MD5 only, and SIPp reads the
 * first challenge only.
 */
export function phone(deviceId: string, password: string): Readonly<Record<string, unknown>> {
  const secret = `${deviceId}:${DOMAIN}:${password}`;
  return { deviceId, authType: 'credentials', digest: { md5: hash('md5', secret) } };
}
