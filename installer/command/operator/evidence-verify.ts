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
} from '#shared/contract/session-record/index.ts';
import { type TarFile, unpackTar } from '#shared/tar.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import type { Terminal } from './terminal.ts';

const UNPACKED_LIMIT_BYTES = 256 * 1_048_576;

/** `carillon evidence verify`: the proof of a file that `carillon evidence` wrote, without a network. */
export function evidenceVerifyCommand(evidence: Command, { say }: Terminal): void {
  evidence
    .command('verify')
    .description('Checks that the platform signed an evidence file, and that nothing in it was changed.')
    .argument('<file>')
    .requiredOption('--key <file>', 'public key of the platform: PEM, JWK, or identity.json of a host')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  carillon evidence verify alarm.tar.gz --key platform.pem\n' +
        'Ends 0 when the file is whole, 65 when it is not.',
    )
    // The command above has an option of the same name.
    .action((file: string, flags: { key: string; json?: boolean }, command: Command) =>
      verify(say, file, { ...flags, ...command.optsWithGlobals<{ json?: boolean }>() }),
    );
}

function verify(
  say: Terminal['say'],
  file: string,
  { key, json }: { readonly key: string; readonly json?: boolean },
): void {
  const keys = keysIn(key);
  const judged = judgeEvidence(bytesOf(file), keys);
  if (typeof judged === 'string')
    throw new Stop(
      exitCode.damagedFile,
      `The evidence ${file} proves nothing: ${judged}. Fetch it again from the platform.`,
    );
  const { owner, recordId, traceId, madeAt, expiresAt, key: signed, files, missing } = judged;
  const facts = { owner, recordId, traceId, madeAt, expiresAt, fingerprint: signed.fingerprint, missing };
  say(
    json === true
      ? JSON.stringify({ success: true, file, ...facts })
      : `${file}: whole, ${files.length} files, signed by key ${signed.fingerprint} on ${new Date(madeAt).toISOString()}; ` +
          `owner ${owner}, to be deleted on ${new Date(expiresAt).toISOString()}` +
          missing.map((each) => `; missing: ${each}`).join(''),
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

/** The Ed25519 keys of a PEM file, a JWK, a JWK set, or the identity of a host. */
function keysIn(file: string): KeyObject[] {
  const text = Buffer.from(bytesOf(file)).toString('utf8');
  try {
    if (!text.trimStart().startsWith('{')) return [ed25519(createPublicKey(text))];
    const given = JSON.parse(text) as { keys?: Jwk[]; verifyKeys?: Jwk[] } & Jwk;
    return (given.keys ?? given.verifyKeys ?? [given]).map(({ crv, kty, x }) =>
      ed25519(createPublicKey({ key: { crv, kty, x }, format: 'jwk' } as never)),
    );
  } catch {
    throw new Stop(
      exitCode.wrongUse,
      `The key ${file} cannot be used: it is no public Ed25519 key. Give PEM, JWK, or the identity.json of a host.`,
    );
  }
}

interface Jwk {
  readonly crv?: string;
  readonly kty?: string;
  readonly x?: string;
}

function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('no Ed25519 key');
  return key;
}
