import { join } from 'node:path';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import { cloudConfig } from '../config.ts';
import { openAuthority } from '../io/authority/index.ts';
import { openDatabase } from '../io/database/index.ts';
import { openVault } from '../io/key/index.ts';
import {
  createStore,
  hostsInLifecycle,
  type Lifecycle,
  revokedCertificates,
  type Store,
} from '../store/index.ts';

/** Files by which a broker that is not ours lets in whom we let in. */
export interface BrokerFiles {
  readonly files: Readonly<Record<string, string>>;
  /** Certificates that are shut out. */
  readonly revoked: number;
}

const SHUT_OUT: readonly Lifecycle[] = ['quarantined', 'decommissioned', 'rejected'];
const BATCH = 500;

/** The rights of hosts are in `cloud/io/broker/access.ts`; `%u` is the common name of the certificate, hence the uid. */
const accessList = (owner: string): string =>
  [
    '# The control plane owns the tree.',
    `user ${owner}`,
    'topic readwrite carillon/1/#',
    '',
    '# A host speaks in its own branch only.',
    'pattern write carillon/1/+/+/+/%u/up/#',
    'pattern read carillon/1/+/+/+/%u/up/state',
    'pattern read carillon/1/+/+/+/%u/dn/+',
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

/** `folder`: where the broker will find the files. `owner`: user name of the control plane at the broker. */
export async function exportMosquitto(
  sources: Sources,
  folder: string,
  owner: string,
): Promise<Result<BrokerFiles>> {
  const config = cloudConfig(sources);
  if (!config.ok) return config;
  const { data, database, vaultKey, credentials } = config.value;
  try {
    const vault = openVault(join(data, 'key'), { given: vaultKey, credentials });
    const port = openDatabase(database, vault, () => undefined);
    try {
      const authority = await openAuthority(join(data, 'authority'), Date.now());
      const revoked = await revokedIn(createStore(port), Date.now());
      // The broker checks every client against the list, and the list speaks for our authority only.
      const plane = await authority.issueOwner(owner, Date.now());
      return ok({
        revoked: revoked.length,
        files: {
          'carillon.acl': accessList(owner),
          'carillon.conf': configuration(folder),
          'carillon-ca.pem': authority.chain,
          'carillon-owner.pem': plane.cert,
          'carillon-owner.key': plane.key,
          'carillon-revoked.pem': await authority.revocationList(revoked, Date.now()),
        },
      });
    } finally {
      await port.connection.close();
    }
  } catch (cause) {
    return fail('databaseUnusable', cause instanceof Error ? cause.message : String(cause));
  }
}

/** Certificates that have not ended: of hosts that may not come in, and those that a host had before its present one. */
async function revokedIn(store: Store, nowMs: number): Promise<{ serial: string; at: number }[]> {
  const former = await revokedCertificates(store, nowMs);
  const revoked = former.map(({ serial, revokedAt: at }) => ({ serial, at }));
  for (let after = ''; ; ) {
    const rows = await hostsInLifecycle(store, SHUT_OUT, after, BATCH);
    for (const { host } of rows)
      for (const serial of [host.certSerial, host.certNext])
        if (serial !== null && (host.certExpires ?? 0) > nowMs)
          revoked.push({ serial, at: host.lifecycleSince });
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return revoked;
    after = last.host.uid;
  }
}
