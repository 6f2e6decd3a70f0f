import { createHash, createHmac, randomBytes, verify } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSiteKey, openSigner, openVault } from '#cloud/io/key/index.ts';
import { type AlarmPort, createSites, type SitePort, type Sites } from '#cloud/site/index.ts';
import { type Actor, type Call, insertTenant, type Store } from '#cloud/store/index.ts';
import type { ClaimHostRequest, ClaimRequest } from '#shared/contract/site/index.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import { keptKey } from '#test/support/installation/kept-key.ts';
import { createMachine } from '../io/machine.ts';
import { openTestDatabase } from '../store/database.ts';

export const NOW = 1_770_000_000_000;
export const TENANT = { id: '01jtenant0000000000000000t', domain: 'care.example' };

export const actorAt = (at: number, address = '192.0.2.1'): Actor => ({
  name: 'person:test',
  address,
  requestId: 'r',
  at,
});

export const callAt = (at: number): Call => ({
  tenant: TENANT.id,
  domain: TENANT.domain,
  actor: actorAt(at),
});

export interface SiteStage {
  readonly store: Store;
  readonly port: SitePort;
  readonly sites: Sites;
  readonly changed: string[];
  readonly unknown: string[];
  /** Errors that stand, `<hostId> <error>`. */
  readonly standing: Set<string>;
  /** A site `north`, and a claim code for it. */
  readonly claimCode: (changes?: Partial<ClaimRequest>, at?: number) => Promise<string>;
  readonly machine: (claimCode: string, hostId?: string) => Promise<ClaimHostRequest & { key: string }>;
  readonly close: () => Promise<void>;
}

/** The sites on an empty database with a tenant, a real authority and real keys. */
export async function openSiteStage(): Promise<SiteStage> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-site-'));
  const { store, close } = await openTestDatabase('sqlite');
  const changed: string[] = [];
  const unknown: string[] = [];
  const standing = new Set<string>();
  const port: SitePort = {
    ...(await sitePort(store, folder, standing)),
    onHostChanged: (uid) => changed.push(uid),
    onUnknownHost: (address) => unknown.push(address),
  };
  const sites = createSites(port);
  await store.withTx((tx) => insertTenant(tx, { ...TENANT, name: null, createdAt: NOW, notBefore: 0 }));
  await sites.site.create(callAt(NOW), { siteId: 'north', profile: 'standard', reachable: false });
  return {
    store,
    port,
    sites,
    changed,
    unknown,
    standing,
    claimCode: async (changes = {}, at = NOW) => {
      const made = await sites.claim.create(callAt(at), 'north', {
        expiresIn: 3600,
        uses: 1,
        autoCommission: true,
        ...changes,
      });
      if (!made.ok) throw new Error(made.error.reason);
      return made.value.claimCode;
    },
    machine: async (claimCode, hostId = 'box-1') => {
      const { csr, key, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
      return { claimCode, hostId, csr, sealKey, version: '0.1.0', key };
    },
    close: async () => {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Sites on this store, with a real authority and real keys in the folder. */
export async function sitePort(store: Store, folder: string, standing: Set<string>): Promise<SitePort> {
  const vault = openVault(join(folder, 'key'));
  const signer = openSigner(keptKey());
  return {
    store,
    alarms: alarmsIn(standing),
    random: (length) => randomBytes(length),
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    mac: (text) => createHmac('sha256', 'secret').update(text).digest('base64url'),
    isSignedBy: (key, text, signature) =>
      verify(
        'sha256',
        Buffer.from(text),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      ),
    vault,
    createSiteKey,
    authority: await openFolderAuthority(join(folder, 'authority'), NOW),
    verifyKeys: signer.verifyKeys,
    sign: signer.sign,
    reach: () => ({
      publicUrl: 'http://127.0.0.1:8080',
      edgeUrl: 'https://127.0.0.1:8444',
      brokerUrl: 'mqtt://127.0.0.1:1883',
      plainJwt: true,
    }),
    onHostChanged: () => undefined,
    onUnknownHost: () => undefined,
    // The caller is no member of a tenant here.
    mayClaim: async () => true,
  };
}

/** A list that holds only the alarms that stand. */
const alarmsIn = (standing: Set<string>): AlarmPort => ({
  raise: async (_, { hostId }, { error }) => void standing.add(`${hostId} ${error}`),
  clear: async (_, { hostId }, error) => void standing.delete(`${hostId} ${error}`),
  clearAll: async (_, { hostId }) => {
    for (const each of standing) if (each.startsWith(`${hostId} `)) standing.delete(each);
  },
});
