import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleCommands } from '#installer/command/bundle.ts';
import { exitCode, Stop } from '#installer/exit-code.ts';
import { type Bundle, manifestSchema } from '#shared/contract/feed/index.ts';
import { createMachine } from '../../cloud/io/machine.ts';
import { openWholeCloud, type WholeCloud } from '../../cloud/whole-cloud.ts';

let cloud: WholeCloud;
let folder: string;
let file: string;
let identity: string;
/** The sentence of the last command that failed. */
let refusal = '';

async function ask(method: string, path: string, body: object = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(`${cloud.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${cloud.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
}

/** Exit code of the command. */
async function carillon(...words: string[]): Promise<number> {
  const root = new Command('carillon').exitOverride();
  bundleCommands(root);
  try {
    await root.parseAsync(['bundle', ...words, '--json'], { from: 'user' });
    return exitCode.done;
  } catch (cause) {
    if (cause instanceof Stop) {
      refusal = cause.message;
      return cause.code;
    }
    throw cause;
  }
}

beforeAll(async () => {
  cloud = await openWholeCloud();
  folder = mkdtempSync(join(tmpdir(), 'carillon-bundle-'));
  file = join(folder, 'north.bundle');
  identity = join(folder, 'identity.json');
  await ask('POST', '/platform/tenant', { domain: 'care.test' });
  await ask('POST', '/site/care.test', { siteId: 'north' });
  const { claimCode } = await ask('POST', '/site/care.test/north/claim');
  const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
  const host = await ask('POST', '/edge/v1/claim', { claimCode, hostId: 'gw-1', csr, sealKey, version: '1' });
  writeFileSync(identity, JSON.stringify(host));
});
afterAll(async () => {
  await cloud.close();
  rmSync(folder, { recursive: true });
});

const create = (site: string) =>
  carillon('create', 'care.test', site, file, '--cloud', cloud.api, '--token', cloud.owner);

describe('a bundle', () => {
  it('holds what the hosts of a site are given, signed', async () => {
    expect(await create('nowhere')).toBe(exitCode.refused);
    expect(await create('north')).toBe(exitCode.done);
    const bundle = JSON.parse(readFileSync(file, 'utf8')) as Bundle;
    expect(Object.keys(bundle.twins)).toHaveLength(1);
    expect(bundle.manifests).toHaveLength(4);
    expect(await carillon('verify', file)).toBe(exitCode.done);
    expect(await carillon('verify', file, '--identity', identity)).toBe(exitCode.done);
  });
  it.each([
    ['a page that was changed', (bundle: Bundle) => void Object.assign(bundle.pages, firstPage(bundle))],
    ['a page that is missing', (bundle: Bundle) => void Reflect.deleteProperty(bundle.pages, name(bundle))],
    ['an unknown page', (bundle: Bundle) => void Object.assign(bundle.pages, { ['0'.repeat(64)]: 'AA==' })],
  ])('with %s is refused', async (_, spoil) => {
    const bundle = JSON.parse(readFileSync(file, 'utf8')) as Bundle;
    spoil(bundle);
    const spoilt = join(folder, 'spoilt');
    writeFileSync(spoilt, JSON.stringify(bundle));
    expect(await carillon('verify', spoilt)).toBe(exitCode.damagedFile);
  });
  it.each([
    ['of 65 MiB in 64 KiB', gzipSync(Buffer.alloc(65 * 1_048_576))],
    ['that is no gzip', Buffer.from('no gzip')],
  ])('with a page %s is refused before it fills the memory', async (_, page) => {
    const bundle = JSON.parse(readFileSync(file, 'utf8')) as Bundle;
    const sha256 = createHash('sha256').update(page).digest('hex');
    bundle.pages[sha256] = page.toString('base64');
    const [head, payload = '', signature] = bundle.manifests[0]?.split('.') ?? [];
    const manifest = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { pages: object[] };
    manifest.pages.push({
      ...manifest.pages[0],
      n: manifest.pages.length,
      sha256,
      size: page.length,
      rows: 0,
    });
    const forged = Buffer.from(JSON.stringify(manifest)).toString('base64url');
    bundle.manifests[0] = `${head}.${forged}.${signature}`;
    const spoilt = join(folder, 'bomb');
    writeFileSync(spoilt, JSON.stringify(bundle));
    expect(manifestSchema.safeParse(manifest).success).toBe(true);
    expect(await carillon('verify', spoilt)).toBe(exitCode.damagedFile);
    expect(refusal).toContain('cannot be unpacked within 64 MiB');
  });
  it('is whole for another platform, and not signed by ours', async () => {
    const bundle = JSON.parse(readFileSync(file, 'utf8')) as Bundle;
    const [uid = '', twin = ''] = Object.entries(bundle.twins)[0] ?? [];
    bundle.twins[uid] = `${twin.slice(0, -6)}AAAAAA`;
    const forged = join(folder, 'forged');
    writeFileSync(forged, JSON.stringify(bundle));
    expect(await carillon('verify', forged)).toBe(exitCode.done);
    expect(await carillon('verify', forged, '--identity', identity)).toBe(exitCode.damagedFile);
  });
  it('that is none says so', async () => {
    expect(await carillon('verify', join(folder, 'nothing'))).toBe(exitCode.missing);
    expect(await carillon('verify', identity)).toBe(exitCode.damagedFile);
  });
});

const name = (bundle: Bundle): string => Object.keys(bundle.pages)[0] ?? '';

function firstPage(bundle: Bundle): Record<string, string> {
  const bytes = Buffer.from(bundle.pages[name(bundle)] ?? '', 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return { [name(bundle)]: bytes.toString('base64') };
}
