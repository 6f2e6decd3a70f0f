import { join } from 'node:path';
import { CHECK_PLACE, cpStateTopic, type HostPlace, topicOf } from '#shared/contract/feed/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import { cloudConfig } from '../config.ts';
import { hostsInLifecycle, type Lifecycle, revokedCertificates, type Store } from '../store/index.ts';
import { withAuthority } from './installation.ts';

/** Files by which a broker that is not ours lets in whom we let in. */
export interface BrokerFiles {
  readonly files: Readonly<Record<string, string>>;
  /** Certificates that are shut out. */
  readonly revoked: number;
}

const SHUT_OUT: readonly Lifecycle[] = ['quarantined', 'decommissioned', 'rejected'];
/** One that is enrolled while the list is written is `claimed` for a moment. */
const LET_IN: readonly Lifecycle[] = [
  'claimed',
  'commissioning',
  'active',
  'draining',
  'drained',
  'decommissioning',
];
const BATCH = 500;

/** The tree is the control plane's. */
const ownerLines = (owner: string): string[] => [
  '# The control plane owns the tree.',
  `user ${owner}`,
  'topic readwrite carillon/1/#',
  '',
];

/**
 * The rights of hosts are in `cloud/io/broker/access.ts`; `%u` is the common name of the certificate, hence the uid. Patterns of
 * Mosquitto know the user name and the client id of a connection and nothing else of its certificate, and both are the uid: they
 * cannot say the tenant and site of a host. The control plane drops what a host says at another place.
 */
const patternLines = (place: string): string[] => [
  `pattern write carillon/1/+/${place}/%u/up/#`,
  `pattern read carillon/1/+/${place}/%u/up/state`,
  `pattern read carillon/1/+/${place}/%u/dn/+`,
];

const accessList = (owner: string): string =>
  [
    ...ownerLines(owner),
    '# A host speaks in its own branch only.',
    ...patternLines('+/+'),
    'pattern read carillon/1/+/cp/state',
    '',
  ].join('\n');

/** The same with the place of each host in full: the broker refuses what a host says under another tenant or site, too. */
const listOfEach = (owner: string, hosts: readonly HostPlace[]): string =>
  [
    ...ownerLines(owner),
    '# Each host speaks at its own place only. Export the list again after each enrolment, replacement and decommissioning, then',
    '# send the broker SIGHUP: a host that is not in the list hears and says nothing.',
    ...hosts.flatMap((host) => [
      `user ${host.uid}`,
      `topic write ${topicOf(host, 'up/state').replace('state', '#')}`,
      `topic read ${topicOf(host, 'up/state')}`,
      `topic read ${topicOf(host, 'dn/req').replace('req', '+')}`,
      `topic read ${cpStateTopic(host.sh)}`,
      '',
    ]),
    '# The made-up host of carillon broker check.',
    ...patternLines(`${CHECK_PLACE.tenant}/${CHECK_PLACE.siteId}`),
    'pattern read carillon/1/+/cp/state',
    '',
  ].join('\n');

const configuration = (folder: string): string =>
  [
    '# Include it in mosquitto.conf; give certfile and keyfile of your own. Export the list again every few days and after',
    '# each decommissioning, then send the broker SIGHUP. CARILLON_MQTT_CERT and CARILLON_MQTT_KEY of the control plane are',
    '# carillon-owner.pem and carillon-owner.key; they are good for 90 days.',
    'listener 8883',
    `cafile ${join(folder, 'carillon-ca.pem')}`,
    `crlfile ${join(folder, 'carillon-revoked.pem')}`,
    'require_certificate true',
    'use_identity_as_username true',
    'tls_version tlsv1.2',
    'allow_anonymous false',
    `acl_file ${join(folder, 'carillon.acl')}`,
    'max_qos 1',
    'max_packet_size 73728',
    'max_keepalive 60',
    '',
  ].join('\n');

/**
 * `folder`: where the broker will find the files. `owner`: user name of the control plane at the broker. `eachHost`: the access
 * list names each host with its place.
 */
export async function exportMosquitto(
  sources: Sources,
  folder: string,
  owner: string,
  eachHost = false,
): Promise<Result<BrokerFiles>> {
  const config = cloudConfig(sources);
  if (!config.ok) return config;
  try {
    return await withAuthority(config.value, async (authority, store) => {
      const revoked = await revokedIn(store, Date.now());
      // The broker checks every client against the list, and the list speaks for our authority only.
      const plane = await authority.issueOwner(owner, Date.now());
      return ok({
        revoked: revoked.length,
        files: {
          'carillon.acl': eachHost ? listOfEach(owner, await placesIn(store)) : accessList(owner),
          'carillon.conf': configuration(folder),
          'carillon-ca.pem': authority.chain,
          'carillon-owner.pem': plane.cert,
          'carillon-owner.key': plane.key,
          'carillon-revoked.pem': await authority.revocationList(revoked, Date.now()),
        },
      });
    });
  } catch (cause) {
    return fail('databaseUnusable', cause instanceof Error ? cause.message : String(cause));
  }
}

async function placesIn(store: Store): Promise<HostPlace[]> {
  const places: HostPlace[] = [];
  for await (const { uid, sh, tenant, siteId } of hostsIn(store, LET_IN))
    places.push({ uid, sh, tenant, siteId });
  return places;
}

async function* hostsIn(store: Store, lifecycles: readonly Lifecycle[]) {
  for (let after = ''; ; ) {
    const rows = await hostsInLifecycle(store, lifecycles, after, BATCH);
    for (const { host } of rows) yield host;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.host.uid;
  }
}

/** Certificates that have not ended: of hosts that may not come in, and those that a host had before its present one. */
async function revokedIn(store: Store, nowMs: number): Promise<{ serial: string; at: number }[]> {
  const former = await revokedCertificates(store, nowMs);
  const revoked = former.map(({ serial, revokedAt: at }) => ({ serial, at }));
  for await (const host of hostsIn(store, SHUT_OUT))
    for (const serial of [host.certSerial, host.certNext])
      if (serial !== null && (host.certExpires ?? 0) > nowMs)
        revoked.push({ serial, at: host.lifecycleSince });
  return revoked;
}
