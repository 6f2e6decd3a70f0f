import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { demoEnvironment, trustedPem } from '#installer/step/demo-setting.ts';

const OWN = {
  CARILLON_DATA: '/data/cloud',
  CARILLON_HTTP: '127.0.0.1:8080',
  CARILLON_TRUST: '/data/trust.pem',
};

it('settings of the person stand beside those of the demo', () => {
  const given = {
    CARILLON_RATE_LIMITS: 'off',
    CARILLON_DATABASE: 'postgres://db/x',
    HOME: '/home/kim',
    EMPTY: undefined,
  };
  expect(demoEnvironment(given, OWN)).toEqual({
    environment: {
      CARILLON_RATE_LIMITS: 'off',
      CARILLON_DATABASE: 'postgres://db/x',
      HOME: '/home/kim',
      ...OWN,
    },
    setAside: [],
  });
});

it('addresses stay those of the demo, and the person learns which one was set aside', () => {
  const given = { CARILLON_HTTP: '0.0.0.0:80', CARILLON_DATA: '/data', CARILLON_TRUST: '/mine.pem' };
  const { environment, setAside } = demoEnvironment(given, OWN);
  expect(environment).toEqual(OWN);
  expect(setAside).toEqual(['CARILLON_HTTP']);
  expect(demoEnvironment({ CARILLON_HTTP: OWN.CARILLON_HTTP }, OWN).setAside).toEqual([]);
});

it('trusts the authority of the demo and every certificate that the person names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-setting-'));
  const [own, theirs] = await Promise.all([
    demoAuthority(join(folder, 'a')),
    demoAuthority(join(folder, 'b')),
  ]);
  const [ours, mine] = [own, theirs].map(({ file }) => readFileSync(file, 'utf8').trim());
  const pem = trustedPem(`${ours}`, `${mine}\n\n`);
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  expect(certificates.map((each) => new X509Certificate(each).fingerprint256)).toEqual(
    [ours, mine].map((each) => new X509Certificate(`${each}`).fingerprint256),
  );
  rmSync(folder, { recursive: true });
});
