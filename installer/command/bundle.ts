import { createHash, createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Command } from 'commander';
import { createClient } from '#shared/client/index.ts';
import {
  type Bundle,
  bundleSchema,
  manifestSchema,
  PAGE_PLAIN_BYTES,
  parsePage,
  rowHash,
} from '#shared/contract/feed/index.ts';
import { exitCode, Stop } from '../exit-code.ts';
import { say } from '../io/terminal/terminal.ts';
import { findLogin } from './operator/index.ts';

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** `carillon bundle …`: configuration that travels as a file, with the same signed bytes as over the network. */
export function bundleCommands(root: Command): void {
  const bundle =
    root.commands.find((command) => command.name() === 'bundle') ??
    root.command('bundle').summary('configuration of a site as a file');
  bundle
    .command('create')
    .description(
      'Writes the configuration of a site into a file, for a site without network. It holds secrets.',
    )
    .argument('<domain>')
    .argument('<siteId>')
    .argument('<file>')
    .option('--cloud <url>', 'base URL of the cloud (default: CARILLON_CLOUD, or that of the login)')
    .option('--token <token>', 'API token or JWT (default: CARILLON_TOKEN, or that of the login)')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  carillon bundle create care.example north /media/stick/north.bundle')
    .action(create);
  bundle
    .command('verify')
    .description(
      'Checks that a bundle is whole; with the identity of a host also that its platform has signed it.',
    )
    .argument('<file>')
    .option('--identity <file>', 'identity.json of a host: the keys it trusts')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  carillon bundle verify north.bundle --identity /var/lib/carillon/identity.json',
    )
    .action(check);
}

interface CreateFlags {
  readonly cloud?: string;
  readonly token?: string;
  readonly json?: boolean;
}

async function create(domain: string, siteId: string, file: string, flags: CreateFlags): Promise<void> {
  const { json, ...given } = flags;
  const login = findLogin(process.env, given);
  const client = createClient({ baseUrl: login.cloud, token: () => login.token, fetch });
  const answer = await client.call('getSiteByDomainBySiteIdBundle', { domain, siteId });
  if (!answer.ok)
    throw new Stop(
      answer.error.code === 'unreachable' ? exitCode.tryAgain : exitCode.refused,
      answer.error.reason,
    );
  const { bundle } = answer.value;
  try {
    writeFileSync(file, `${JSON.stringify(bundle)}\n`, { mode: 0o600 });
  } catch (cause) {
    throw new Stop(exitCode.disk, `${file} cannot be written: ${(cause as Error).message}`);
  }
  tell(
    json,
    { file, ...counted(bundle as Bundle) },
    `${file}: ${wording(bundle as Bundle)}; keep it like a password`,
  );
}

function check(file: string, flags: { readonly identity?: string; readonly json?: boolean }): void {
  const bundle = read(file);
  const keys = flags.identity === undefined ? undefined : trusted(flags.identity);
  const fault = faultOf(bundle, keys);
  if (fault !== undefined)
    throw new Stop(
      exitCode.damagedFile,
      `The bundle ${file} cannot be used: ${fault}. Create it again and copy it again.`,
    );
  const signed =
    keys === undefined ? 'signatures not checked: no --identity' : 'signed by the platform of the host';
  tell(
    flags.json,
    { file, signed: keys !== undefined, ...counted(bundle) },
    `${file}: ${wording(bundle)}; ${signed}`,
  );
}

function read(file: string): Bundle {
  try {
    const parsed = bundleSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (parsed.success) return parsed.data;
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ENOENT')
      throw new Stop(exitCode.missing, `There is no file ${file}.`);
  }
  throw new Stop(
    exitCode.damagedFile,
    `The file ${file} cannot be read: it is not a bundle, or it was cut short. Copy it again.`,
  );
}

/** The fault of a bundle, in words; undefined when it is whole. */
function faultOf(bundle: Bundle, keys: ReadonlyMap<string, KeyObject> | undefined): string | undefined {
  for (const [name, compact] of [
    ...Object.entries(bundle.twins).map(([uid, jws]) => [`the twin of ${uid}`, jws] as const),
    ...bundle.manifests.map((jws, n) => [`manifest ${n + 1}`, jws] as const),
  ])
    if (keys !== undefined && !isSigned(compact, keys))
      return `${name} is not signed by a key that the host trusts`;
  const wanted = new Set<string>();
  for (const compact of bundle.manifests) {
    const manifest = manifestSchema.safeParse(payloadOf(compact));
    if (!manifest.success) return 'a manifest is of another version';
    for (const page of manifest.data.pages) {
      wanted.add(page.sha256);
      const fault = pageFault(bundle.pages[page.sha256], page);
      if (fault !== undefined) return `page ${page.sha256.slice(0, 12)} of ${manifest.data.scope} ${fault}`;
    }
  }
  const extra = Object.keys(bundle.pages).find((name) => !wanted.has(name));
  return extra === undefined ? undefined : `page ${extra.slice(0, 12)} belongs to no manifest`;
}

function pageFault(
  packed: string | undefined,
  page: { readonly sha256: string; readonly size: number },
): string | undefined {
  if (packed === undefined) return 'is missing';
  const bytes = Buffer.from(packed, 'base64');
  if (bytes.length !== page.size || sha256(bytes) !== page.sha256) return 'is damaged';
  const plain = unpacked(bytes);
  if (plain === undefined) return `cannot be unpacked within ${PAGE_PLAIN_BYTES / 1_048_576} MiB`;
  const operations = parsePage(plain);
  if (operations === undefined) return 'is not understood';
  const wrong = operations.find((each) => each.op === 'put' && rowHash(each.body, sha256) !== each.rowHash);
  return wrong === undefined ? undefined : `has a row that is not what it says: ${wrong.entity} ${wrong.id}`;
}

function unpacked(bytes: Uint8Array): string | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: PAGE_PLAIN_BYTES }).toString('utf8');
  } catch {
    return undefined;
  }
}

const part = (compact: string, at: 0 | 1): unknown =>
  JSON.parse(Buffer.from(compact.split('.')[at] ?? '', 'base64url').toString('utf8'));

const payloadOf = (compact: string): unknown => {
  try {
    return part(compact, 1);
  } catch {
    return undefined;
  }
};

/** RFC 7515 5.2 with EdDSA (RFC 8037): the key is found by `kid` among the trusted ones, never taken from the header. */
function isSigned(compact: string, keys: ReadonlyMap<string, KeyObject>): boolean {
  try {
    const { kid, alg } = part(compact, 0) as { kid?: string; alg?: string };
    const key = keys.get(kid ?? '');
    const [head, payload, signature = ''] = compact.split('.');
    if (key === undefined || alg !== 'EdDSA') return false;
    return verifySignature(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

function trusted(file: string): ReadonlyMap<string, KeyObject> {
  try {
    const { verifyKeys } = JSON.parse(readFileSync(file, 'utf8')) as { verifyKeys: Record<string, string>[] };
    return new Map(verifyKeys.map((key) => [key.kid ?? '', createPublicKey({ key, format: 'jwk' })]));
  } catch {
    throw new Stop(exitCode.damagedFile, `${file} is not the identity of a host.`);
  }
}

const counted = ({ twins, manifests, pages }: Bundle) => ({
  hosts: Object.keys(twins).length,
  manifests: manifests.length,
  pages: Object.keys(pages).length,
});

function wording(bundle: Bundle): string {
  const { hosts, manifests, pages } = counted(bundle);
  return `${hosts} hosts, ${manifests} manifests, ${pages} pages`;
}

function tell(json: boolean | undefined, facts: object, line: string): void {
  say(json === true ? JSON.stringify({ success: true, ...facts }) : line);
}
