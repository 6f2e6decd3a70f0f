import { createHash, createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Command } from 'commander';
import {
  EVIDENCE_MANIFEST,
  EVIDENCE_SIGNATURE,
  EVIDENCE_TYP,
  type EvidenceManifest,
  evidenceManifestSchema,
  PLATFORM_KEY_PATH,
} from '#shared/contract/session-record/index.ts';
import { type TarFile, unpackTar } from '#shared/tar.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import type { Terminal } from './terminal.ts';

const FETCH_MS = 15_000;
const UNPACKED_LIMIT_BYTES = 256 * 1_048_576;

/** `carillon evidence verify`: the proof of a file that `carillon evidence` wrote, without a network. */
export function evidenceVerifyCommand(evidence: Command, { say }: Terminal): void {
  evidence
    .command('verify')
    .description('Checks that the platform signed an evidence file, and that nothing in it was changed.')
    .argument('<file>')
    .option('--key <file>', 'public key of the platform: PEM, JWK, JWK set, or identity.json of a host')
    .option(
      '--cloud <url>',
      `base URL of the platform, which gives its keys to everybody (${PLATFORM_KEY_PATH})`,
    )
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  carillon evidence verify alarm.tar.gz --key platform.pem\n' +
        '  carillon evidence verify alarm.tar.gz --cloud https://alarms.example\n' +
        'Ends 0 when the file is whole, 65 when it is not.',
    )
    // The command above has an option of the same name.
    .action((file: string, flags: Flags, command: Command) =>
      verify(say, file, { ...flags, ...command.optsWithGlobals<Flags>() }),
    );
}

interface Flags {
  readonly key?: string;
  readonly cloud?: string;
  readonly json?: boolean;
}

async function verify(say: Terminal['say'], file: string, { key, cloud, json }: Flags): Promise<void> {
  const { keys, retired } = await keysFrom(key, cloud);
  const judged = judgeEvidence(bytesOf(file), keys);
  if (typeof judged === 'string')
    throw new Stop(
      exitCode.damagedFile,
      `The evidence ${file} proves nothing: ${judged}. Fetch it again from the platform.`,
    );
  const { owner, recordId, traceId, madeAt, expiresAt, key: signed, files, missing } = judged;
  const retiredAt = retired.get(signed.fingerprint);
  const facts = {
    owner,
    recordId,
    traceId,
    madeAt,
    expiresAt,
    fingerprint: signed.fingerprint,
    missing,
    retiredAt,
  };
  say(
    json === true
      ? JSON.stringify({ success: true, file, ...facts })
      : `${file}: whole, ${files.length} files, signed by key ${signed.fingerprint} on ${new Date(madeAt).toISOString()}; ` +
          `owner ${owner}, to be deleted on ${new Date(expiresAt).toISOString()}` +
          missing.map((each) => `; missing: ${each}`).join('') +
          (retiredAt === undefined
            ? ''
            : `; the key is in use no more since ${new Date(retiredAt).toISOString()}`),
  );
}

/** The manifest of an archive that is whole and signed by one of the keys; a sentence for what is wrong otherwise. */
export function judgeEvidence(packed: Uint8Array, keys: readonly KeyObject[]): EvidenceManifest | string {
  const files = unpacked(packed);
  if (files === undefined) return 'it is no archive, or it was cut short';
  const byName = new Map(files.map((each) => [each.name, each.bytes]));
  if (byName.size !== files.length) return 'a file stands in it twice';
  const signed = byName.get(EVIDENCE_MANIFEST);
  const signature = byName.get(EVIDENCE_SIGNATURE);
  if (signed === undefined || signature === undefined) return 'it has no signed manifest';
  const key = keys.find((each) => isSigned(signed, Buffer.from(signature).toString('latin1').trim(), each));
  if (key === undefined) return 'its manifest is not signed by this key';
  const manifest = evidenceManifestSchema.safeParse(JSON.parse(Buffer.from(signed).toString('utf8')));
  if (!manifest.success) return 'its manifest is of another version';
  const listed = new Set([EVIDENCE_MANIFEST, EVIDENCE_SIGNATURE]);
  for (const { name, sha256 } of manifest.data.files) {
    listed.add(name);
    const bytes = byName.get(name);
    if (bytes === undefined) return `the file ${name} is missing`;
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) return `the file ${name} was changed`;
  }
  const extra = files.find(({ name }) => !listed.has(name));
  if (extra !== undefined) return `the file ${extra.name} stands in no manifest`;
  return thumbprint(key) === manifest.data.key.fingerprint
    ? manifest.data
    : 'its manifest names another key than the one that signed';
}

function unpacked(packed: Uint8Array): TarFile[] | undefined {
  try {
    return unpackTar(gunzipSync(packed, { maxOutputLength: UNPACKED_LIMIT_BYTES }));
  } catch {
    return undefined;
  }
}

/** RFC 7515 5.2 with a detached payload (appendix F) and EdDSA (RFC 8037); the key is never taken from the header. */
function isSigned(payload: Uint8Array, detached: string, key: KeyObject): boolean {
  const [head = '', between, signature = ''] = detached.split('.');
  try {
    const { alg, typ } = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>;
    if (between !== '' || alg !== 'EdDSA' || typ !== EVIDENCE_TYP) return false;
    const input = `${head}.${Buffer.from(payload).toString('base64url')}`;
    return verifySignature(null, Buffer.from(input), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

/** JWK thumbprint (RFC 7638). */
function thumbprint(key: KeyObject): string {
  const { crv, kty, x } = key.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    throw new Stop(exitCode.missing, `The file ${file} cannot be read. Check its name.`);
  }
}

interface GivenKeys {
  readonly keys: readonly KeyObject[];
  /** By fingerprint: when the platform ceased to sign with a key, epoch ms. */
  readonly retired: ReadonlyMap<string, number>;
}

/** The keys of the file, or else those that the platform gives to everybody. */
async function keysFrom(file: string | undefined, cloud: string | undefined): Promise<GivenKeys> {
  if (file !== undefined) return keysIn(Buffer.from(bytesOf(file)).toString('utf8'), `The key ${file}`);
  if (cloud === undefined)
    throw new Stop(exitCode.wrongUse, 'The evidence is not checked: give --key <file> or --cloud <url>.');
  const url = `${cloud.replace(/\/+$/, '')}${PLATFORM_KEY_PATH}`;
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) });
    if (answer.ok) return keysIn(await answer.text(), `The answer of ${url}`);
    throw new Error(`HTTP ${answer.status}`);
  } catch (cause) {
    if (cause instanceof Stop) throw cause;
    throw new Stop(
      exitCode.missing,
      `The keys of the platform cannot be fetched from ${url}: ${causeOf(cause)}. Check the address, or give --key <file>.`,
    );
  }
}

const causeOf = (cause: unknown): string => {
  const deeper = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return deeper instanceof Error ? deeper.message : String(deeper);
};

/** The Ed25519 keys of a PEM file, a JWK, a JWK set, or the identity of a host. */
function keysIn(text: string, name: string): GivenKeys {
  const retired = new Map<string, number>();
  try {
    if (!text.trimStart().startsWith('{')) return { keys: [ed25519(createPublicKey(text))], retired };
    const given = JSON.parse(text) as { keys?: Jwk[]; verifyKeys?: Jwk[] } & Jwk;
    const keys = (given.keys ?? given.verifyKeys ?? [given]).map(({ crv, kty, x, retiredAt }) => {
      const key = ed25519(createPublicKey({ key: { crv, kty, x }, format: 'jwk' } as never));
      if (retiredAt !== undefined) retired.set(thumbprint(key), retiredAt);
      return key;
    });
    return { keys, retired };
  } catch {
    throw new Stop(
      exitCode.wrongUse,
      `${name} cannot be used: it is no public Ed25519 key. Give PEM, JWK, or the identity.json of a host.`,
    );
  }
}

interface Jwk {
  readonly crv?: string;
  readonly kty?: string;
  readonly x?: string;
  readonly retiredAt?: number;
}

function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('no Ed25519 key');
  return key;
}
