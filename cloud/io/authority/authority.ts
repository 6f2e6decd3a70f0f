import 'reflect-metadata';
import { createHash, createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import { fingerprintText } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  createKeyPair,
  type Issuer,
  issueAuthority,
  issueLeaf,
  pemOf,
  privateKeyFrom,
  privateKeyPem,
} from './certificate.ts';
import { issueRevocationList, type Revoked } from './revocation-list.ts';
import { readSigningRequest } from './signing-request.ts';

/** Whose certificate a host's is. */
export interface HostName {
  readonly tenant: string;
  readonly siteId: string;
  readonly uid: string;
}

/** A certificate just issued to a host. */
export interface HostCertificate {
  /** PEM: leaf, then intermediate. */
  readonly certificate: string;
  /** Serial number of the leaf, lower-case hex. */
  readonly serial: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A key of ours with its certificate, for a TLS listener. */
export interface ServerIdentity {
  /** PEM: leaf, then intermediate: the leaf alone is refused by clients that know the root only. */
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** Certificates and keys of the authority, all PEM. The root's key signs another intermediate, and is needed for nothing else. */
export interface AuthorityChain {
  readonly root: string;
  readonly rootKey?: string;
  readonly intermediate: string;
  readonly intermediateKey: string;
}

export interface Authority {
  /** PEM of the root. */
  readonly ca: string;
  /** PEM: intermediate, then root, for whoever checks a list of revoked certificates. */
  readonly chain: string;
  /** Revocation list of the intermediate, PEM; good for a week. */
  readonly revocationList: (revoked: readonly Revoked[], nowMs: number) => Promise<string>;
  /** SPKI PEM of a request's key, so that a host is known again; fails with `invalid`. */
  readonly requestKey: (csr: string) => Promise<Result<string>>;
  /** The fingerprint of a public key in PEM, for people. */
  readonly fingerprint: (publicKeyPem: string) => string;
  /** Fails with `invalid` when the request is no good. */
  readonly issueHost: (csr: string, host: HostName, nowMs: number) => Promise<Result<HostCertificate>>;
  /** `names`: DNS names and addresses under which the listener is reached. */
  readonly issueServer: (names: readonly string[], nowMs: number) => Promise<ServerIdentity>;
  /** For the control plane itself at a broker that is not ours, which knows it by this name. */
  readonly issueOwner: (name: string, nowMs: number) => Promise<Omit<ServerIdentity, 'ca'>>;
  /**
   * Checks that we issued the certificate, whether or not it has expired meanwhile; fails with `forbidden`.
   * Gives its uid, serial number and key.
   */
  readonly readHost: (pem: string) => Promise<Result<{ uid: string; serial: string; publicKey: string }>>;
}

const ROOT_DAYS = 7300;
const INTERMEDIATE_DAYS = 3650;
const LEAF_DAYS = 90;

/** URI of our own listeners; a host's is `urn:carillon:{tenant}:{siteId}:{uid}`. */
const CLOUD_URI = 'urn:carillon:cloud';

/** The authority of a chain that is kept; the root's key is not needed. */
export async function openAuthority(chain: AuthorityChain): Promise<Authority> {
  const root = new x509.X509Certificate(chain.root);
  const intermediate: Issuer = {
    certificate: new x509.X509Certificate(chain.intermediate),
    key: await privateKeyFrom(chain.intermediateKey),
  };
  const ca = pemOf(root);
  return {
    ca,
    chain: pemOf(intermediate.certificate, root),
    revocationList: (revoked, atMs) => issueRevocationList(intermediate, revoked, atMs),
    requestKey: async (csr) => {
      const request = await readSigningRequest(csr);
      return request.ok ? ok(request.value.publicKeyPem) : request;
    },
    fingerprint: (publicKeyPem) => {
      const der = createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' });
      return fingerprintText(createHash('sha256').update(der).digest('hex'));
    },
    issueHost: async (csr, host, atMs) => {
      const request = await readSigningRequest(csr);
      if (!request.ok) return request;
      const subject = {
        commonName: host.uid,
        uri: `urn:carillon:${host.tenant}:${host.siteId}:${host.uid}`,
        names: request.value.names,
        clientAuth: true,
      };
      const leaf = await issueLeaf(subject, request.value.publicKey, intermediate, LEAF_DAYS, atMs);
      return ok({
        certificate: pemOf(leaf, intermediate.certificate),
        serial: leaf.serialNumber.toLowerCase(),
        expiresAt: leaf.notAfter.getTime(),
      });
    },
    issueOwner: async (name, atMs) => {
      const pair = await createKeyPair();
      const subject = { commonName: name, uri: CLOUD_URI, names: [], clientAuth: true };
      const leaf = await issueLeaf(subject, pair.publicKey, intermediate, LEAF_DAYS, atMs);
      return { cert: pemOf(leaf, intermediate.certificate), key: await privateKeyPem(pair.privateKey) };
    },
    issueServer: async (names, atMs) => {
      const pair = await createKeyPair();
      const subject = {
        commonName: names[0] ?? 'carillon',
        uri: CLOUD_URI,
        names: names.map((value) => ({
          type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const),
          value,
        })),
        clientAuth: false,
      };
      const leaf = await issueLeaf(subject, pair.publicKey, intermediate, LEAF_DAYS, atMs);
      return { cert: pemOf(leaf, intermediate.certificate), key: await privateKeyPem(pair.privateKey), ca };
    },
    readHost: async (pem) => {
      try {
        const leaf = new x509.X509Certificate(pem);
        const ours = await leaf.verify({ publicKey: intermediate.certificate, signatureOnly: true });
        const uid = leaf.subjectName.getField('CN')[0];
        if (!ours || uid === undefined) return fail('forbidden', 'The certificate was not issued here.');
        const publicKey = leaf.publicKey.toString('pem');
        return ok({ uid, serial: leaf.serialNumber.toLowerCase(), publicKey });
      } catch {
        return fail('forbidden', 'The certificate cannot be read.');
      }
    },
  };
}

/** A new root with its intermediate. */
export async function createAuthorityChain(nowMs: number): Promise<Required<AuthorityChain>> {
  const rootPair = await createKeyPair();
  const root = await issueAuthority('Carillon Root', rootPair, undefined, ROOT_DAYS, nowMs);
  const pair = await createKeyPair();
  const issuer = { certificate: root, key: rootPair.privateKey };
  const intermediate = await issueAuthority('Carillon Intermediate', pair, issuer, INTERMEDIATE_DAYS, nowMs);
  return {
    root: pemOf(root),
    rootKey: await privateKeyPem(rootPair.privateKey),
    intermediate: pemOf(intermediate),
    intermediateKey: await privateKeyPem(pair.privateKey),
  };
}
