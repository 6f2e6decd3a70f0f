import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptClaimAttempt } from '#appliance/compose/claim.ts';
import { type ApplianceConfig, applianceConfig } from '#appliance/config.ts';
import { claimTyped } from '#appliance/site/index.ts';
import type { Authority } from '#cloud/io/authority/index.ts';
import type { ClaimHostRequest, EnrolledAnswer, SiteKey } from '#shared/contract/site/index.ts';
import { claimFile, claimSigner } from '#test/support/claim-file.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';

const LONG = '0123456789ABCDEFGHJKMNPQRS';
const [ours, stranger] = [claimSigner(), claimSigner()];
let root: string;
let authority: Authority;
let url = '';
let close: () => Promise<void>;
/** Codes that came to the control plane. */
let codes: string[];
/** By which key the control plane signs. */
let signer = ours;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'claim-'));
  authority = await openFolderAuthority(join(root, 'ca'), Date.now());
  codes = [];
  signer = ours;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const claim = JSON.parse(Buffer.concat(parts).toString()) as ClaimHostRequest;
      codes.push(claim.claimCode);
      void answer(claim).then((body) => response.end(JSON.stringify(body)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  close = () => new Promise((resolve) => server.close(() => resolve()));
});
afterEach(async () => {
  await close();
  rmSync(root, { recursive: true, force: true });
});

async function answer({ csr, hostId }: ClaimHostRequest): Promise<EnrolledAnswer> {
  const [uid, tenant] = ['01jc7z5t3k9q8w6m4n2p0r1s5v', '01jc7z5t3k9q8w6m4n2p0r1s5t'];
  const issued = await authority.issueHost(csr, { tenant, siteId: 'north', uid }, Date.now());
  if (!issued.ok) throw new Error(issued.error.reason);
  return {
    success: true,
    state: 'enrolled',
    uid,
    tenant,
    domain: 'care.example',
    siteId: 'north',
    hostId,
    certificate: issued.value.certificate,
    ca: authority.ca,
    edgeUrl: 'https://127.0.0.1:9',
    brokerUrl: 'mqtt://127.0.0.1:1883',
    mqtt: { plainJwt: true },
    verifyKeys: [signer.key],
    siteKey: siteKey(),
    shard: '2a',
  };
}

function siteKey(): SiteKey {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', x, d, kid: 'site' };
}

function configOf(more: Readonly<Record<string, string>>): ApplianceConfig {
  const environment = { CARILLON_DATA: join(root, 'host'), CARILLON_HOST_ID: 'box-1', ...more };
  const config = applianceConfig({ flags: {}, environment, file: {} });
  if (!config.ok) throw new Error(config.error.reason);
  return config.value;
}

const file = () => join(root, 'claim.json');
const attempt = (more: Readonly<Record<string, string>> = {}) => {
  const kept = keptClaimAttempt(configOf({ CARILLON_CLAIM_FILE: file(), ...more }), undefined);
  if (kept === undefined) throw new Error('no claim is kept');
  return kept();
};
const keep = async (words: Partial<Parameters<typeof claimFile>[1]> = {}, by = ours) => {
  const said = await claimFile(by, { cloud: url, claimCode: LONG, ca: authority.ca, ...words });
  writeFileSync(file(), JSON.stringify(said));
  return said;
};

describe('a claim file that is kept until the line is up', () => {
  it('makes this machine a host of the one that signed it', async () => {
    await keep();
    expect(await attempt()).toMatchObject({
      kind: 'enrolled',
      identity: { siteId: 'north', hostId: 'box-1' },
    });
    expect(codes).toEqual([LONG]);
  });

  it.each([
    ['[2001:db8::10]:8443', ['2001:db8::10']],
    ['192.0.2.10:8443,[2001:db8::10]:8443', ['192.0.2.10', '2001:db8::10']],
  ])(
    'asks for a certificate of every address that it listens at (%s), and of the shared one',
    async (web, at) => {
      await keep();
      const outcome = await attempt({
        CARILLON_ADDRESS: '2001:db8::10',
        CARILLON_APPLIANCE_HTTP: web,
        CARILLON_SIP_TLS: '192.0.2.11:5061',
        CARILLON_DC09: '[2001:db8::12]:6060',
        CARILLON_COMMAND_QUEUE: '192.0.2.13:8883,[2001:db8::13]:8883',
        CARILLON_PEER: '',
        CARILLON_VIP: '2001:db8::ff/64',
      });
      if (outcome.kind !== 'enrolled') throw new Error(JSON.stringify(outcome));
      const certificate = new X509Certificate(outcome.identity.certificatePem);
      const named = [...at, '192.0.2.11', '2001:db8::12', '192.0.2.13', '2001:db8::13', '2001:db8::ff'];
      expect(named.filter((address) => certificate.checkIP(address) === undefined)).toEqual([]);
      expect(certificate.checkHost('box-1')).toBe('box-1');
      expect(certificate.checkIP('192.0.2.99')).toBeUndefined();
    },
  );

  it('makes it none of another control plane that took the place of ours', async () => {
    await keep();
    signer = stranger;
    expect(await attempt()).toEqual({ kind: 'refused', reason: expect.stringMatching(/not the one/) });
  });

  it('is not used, and its code goes nowhere, when it was altered on the disk', async () => {
    const said = await keep();
    writeFileSync(file(), JSON.stringify({ ...said, siteId: 'south' }));
    expect(await attempt()).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(/claim\.json: This claim file was altered.*fetch another/),
    });
    writeFileSync(file(), 'half of it');
    expect(await attempt()).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/no claim file/),
    });
    rmSync(file());
    const lost = await attempt();
    expect(lost).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/ENOENT.*carillon enrol/) });
    expect(codes).toEqual([]);
  });

  it('is not used when it is of another site', async () => {
    await keep();
    const outcome = await attempt({ CARILLON_SITE_ID: 'south' });
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/north.*set up for south/),
    });
    expect(codes).toEqual([]);
  });

  it('is asked about even when it has ended: the control plane may know this machine already', async () => {
    await keep({ expiresAt: 1 });
    expect(await attempt()).toMatchObject({ kind: 'enrolled' });
  });

  it('does not stand beside a code', () => {
    const both = { CARILLON_CLAIM_FILE: file(), CARILLON_CLAIM: LONG, CARILLON_CLOUD: url };
    expect(() => configOf(both)).toThrow(/CARILLON_CLAIM and CARILLON_CLAIM_FILE.*leave one out/);
  });
});

describe('a claim code', () => {
  it.each([LONG.toLowerCase(), '4f7k2-m9qxt'])('"%s" that is kept is used as it was meant', async (code) => {
    const kept = keptClaimAttempt(configOf({ CARILLON_CLAIM: code, CARILLON_CLOUD: url }), undefined);
    expect(await kept?.()).toMatchObject({ kind: 'enrolled' });
    expect(codes).toEqual([code.toUpperCase().replace('-', '')]);
  });

  it('is reported in a wrong length where it was written: the configuration, and the page of the machine', () => {
    expect(() => configOf({ CARILLON_CLAIM: '4F7K2-M9QX', CARILLON_CLOUD: url })).toThrow(
      /CARILLON_CLAIM.*9 characters.*10.*26/,
    );
    const config = configOf({});
    expect(claimTyped({ claim: '4F7K2-M9QX', cloud: url }, config.cloud)).toMatch(/9 characters/);
    expect(claimTyped({ claim: LONG, cloud: url }, config.cloud)).toMatchObject({ code: LONG, cloud: url });
    expect(keptClaimAttempt(config, undefined)).toBeUndefined();
  });
});
