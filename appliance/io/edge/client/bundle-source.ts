import { readFileSync } from 'node:fs';
import { type Bundle, bundleSchema, MANIFEST_TYP } from '#shared/contract/feed/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { FeedSource, VerifySigned } from '../../../replica/index.ts';
import type { HostIdentity } from '../../../site/index.ts';
import { openPage } from './page.ts';

/** Reads a bundle; fails with one sentence when the file is none. Nothing in it is believed before its signatures are. */
export function readBundle(file: string): Result<Bundle> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    return fail('unreadable', `${file} cannot be read: ${(cause as Error).message}`);
  }
  try {
    const read = bundleSchema.safeParse(JSON.parse(text));
    return read.success ? ok(read.data) : fail('damaged', `${file} is no bundle, or one of a newer program`);
  } catch {
    return fail('damaged', `${file} is no bundle: it is damaged or was cut short`);
  }
}

/** Configuration from a bundle. A document that is not signed by a pinned key counts as absent. */
export function bundleSource(
  bundle: () => Bundle | undefined,
  { uid, tenant, siteId }: Pick<HostIdentity, 'uid' | 'tenant' | 'siteId'>,
  verify: VerifySigned,
): FeedSource {
  const owners = { platform: '', tenant, site: `${tenant}/${siteId}`, host: uid };
  return {
    twin: async () => {
      const compact = bundle()?.twins[uid];
      return compact === undefined ? fail('unreachable', 'the bundle has no twin of this host') : ok(compact);
    },
    keys: async () => {
      const keys = bundle()?.keys;
      return keys === undefined ? fail('unreachable', 'the bundle has no key statements') : ok(keys);
    },
    manifest: async (scope) => {
      for (const compact of bundle()?.manifests ?? []) {
        const manifest = await verify(compact, MANIFEST_TYP);
        if (!isRecord(manifest) || manifest.scope !== scope || manifest.owner !== owners[scope]) continue;
        return ok(compact);
      }
      return fail('unreachable', `the bundle has no ${scope} of this host`);
    },
    page: async ({ sha256, size }) => {
      const packed = bundle()?.pages[sha256];
      if (packed === undefined) return fail('unreachable', `page ${sha256} is not in the bundle`);
      return await openPage(Buffer.from(packed, 'base64'), { sha256, size });
    },
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
