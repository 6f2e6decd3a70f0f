import { type Bundle, type FeedScope, type Manifest, SCOPES } from '#shared/contract/feed/index.ts';
import { type HostRow, hostsOf, type Reader } from '../store/index.ts';
import { SERVED } from './config-key.ts';
import type { ManifestAnswer } from './manifest.ts';
import { ownerOf } from './owner.ts';
import { keyStatements } from './platform.ts';

/** The sources of a bundle: the feed's own answers, so that the file holds the same signed bytes as the listener gives. */
export interface BundleDependencies {
  readonly from: Reader;
  readonly twin: (uid: string) => Promise<string | undefined>;
  readonly manifest: (uid: string, scope: FeedScope) => Promise<ManifestAnswer | undefined>;
  readonly page: (uid: string, sha256: string) => Promise<Uint8Array | undefined>;
}

/** The whole configuration of a site as one file. Undefined = no host of it may have any. */
export async function makeBundle(
  dependencies: BundleDependencies,
  tenant: string,
  siteId: string,
): Promise<Bundle | undefined> {
  const hosts = (await hostsOf(dependencies.from, tenant, siteId))
    .map(({ host }) => host)
    .filter(({ lifecycle }) => SERVED.includes(lifecycle));
  if (hosts.length === 0) return undefined;
  const keys = await keyStatements(dependencies.from);
  const bundle: Bundle = { v: 1, kind: 'carillon-bundle', twins: {}, manifests: [], keys, pages: {} };
  const packed = new Set<string>();
  for (const host of hosts) {
    const twin = await dependencies.twin(host.uid);
    if (twin !== undefined) bundle.twins[host.uid] = twin;
    for (const scope of SCOPES) {
      const name = `${scope} ${ownerOf(host, scope)}`;
      if (packed.has(name)) continue;
      packed.add(name);
      await pack(dependencies, bundle, host, scope);
    }
  }
  return bundle;
}

async function pack(
  dependencies: BundleDependencies,
  bundle: Bundle,
  { uid }: HostRow,
  scope: FeedScope,
): Promise<void> {
  const manifest = await dependencies.manifest(uid, scope);
  if (manifest === undefined) return;
  bundle.manifests.push(manifest.jws);
  for (const { sha256 } of pagesOf(manifest.jws)) {
    const bytes = await dependencies.page(uid, sha256);
    // Only just made, and thrown out already: the cache is too small for this tenant.
    if (bytes === undefined) throw new Error(`page ${sha256} of ${scope} is not there any more`);
    bundle.pages[sha256] = Buffer.from(bytes).toString('base64');
  }
}

/** The manifest was signed here a moment ago: it is read without being checked. */
function pagesOf(jws: string): Manifest['pages'] {
  const payload = jws.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Manifest).pages;
}
