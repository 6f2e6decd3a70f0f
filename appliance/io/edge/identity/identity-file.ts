import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EnrolledAnswer, enrolledAnswerSchema } from '#shared/contract/site/index.ts';
import { HeldIdentity } from './held-identity.ts';
import { tlsKeyFile } from './host-key.ts';
import { writePrivateFile } from './private-file.ts';

const IDENTITY_FILE = 'identity.json';
const CERTIFICATE_FILE = 'host.crt';
const CA_FILE = 'ca.crt';
const SITE_KEY_FILE = 'site.key';

/** The content of identity.json; keys and certificates are in files of their own. */
const identityFileSchema = enrolledAnswerSchema.omit({
  success: true,
  state: true,
  certificate: true,
  ca: true,
  siteKey: true,
});

/**
 * Keeps the outcome of an enrolment in `folder`. `identity.json` is written last: while it is not there the machine is
 * no host yet, and the next start claims again with the same key.
 */
export function saveIdentity(folder: string, enrolled: EnrolledAnswer): HeldIdentity {
  const { success, state, certificate, ca, siteKey, ...rest } = enrolled;
  saveCertificate(folder, certificate, ca);
  const sitePem = createPrivateKey({ key: { ...siteKey }, format: 'jwk' }).export({
    type: 'pkcs8',
    format: 'pem',
  });
  writePrivateFile(join(folder, SITE_KEY_FILE), sitePem.toString(), 0o400);
  writePrivateFile(join(folder, IDENTITY_FILE), `${JSON.stringify(rest, null, 2)}\n`, 0o600);
  const saved = loadIdentity(folder);
  if (saved === undefined) throw new Error(`${join(folder, IDENTITY_FILE)} was written and is not there`);
  return saved;
}

/** The roots first: a certificate that they do not vouch for is of no use. */
export function saveCertificate(folder: string, certificate: string, ca: string): void {
  writePrivateFile(join(folder, CA_FILE), ca, 0o600);
  writePrivateFile(join(folder, CERTIFICATE_FILE), certificate, 0o600);
}

/**
 * The identity kept in `folder`; undefined before enrolment. Throws when the files are damaged or in part missing. A host
 * that is being wiped has no site key any more.
 */
export function loadIdentity(
  folder: string,
  part: 'whole' | 'without the site key' = 'whole',
): HeldIdentity | undefined {
  const path = join(folder, IDENTITY_FILE);
  if (!existsSync(path)) return undefined;
  const file = identityFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const certificatePem = readFileSync(join(folder, CERTIFICATE_FILE), 'utf8');
  return new HeldIdentity({
    uid: file.uid,
    tenant: file.tenant,
    domain: file.domain,
    siteId: file.siteId,
    hostId: file.hostId,
    shard: file.shard,
    certificatePem,
    keyPem: readFileSync(tlsKeyFile(folder), 'utf8'),
    caPem: readFileSync(join(folder, CA_FILE), 'utf8'),
    edgeUrl: file.edgeUrl,
    brokerUrl: file.brokerUrl,
    brokerUrls: file.brokerUrls,
    plainJwt: file.mqtt.plainJwt,
    verifyKeys: file.verifyKeys,
    siteKeyPem: part === 'whole' ? readFileSync(join(folder, SITE_KEY_FILE), 'utf8') : '',
  });
}
