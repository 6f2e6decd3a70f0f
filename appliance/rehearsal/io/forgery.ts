import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { CallbackClaims, CallerPorts, RestAuthentication } from '../../delivery/callback/index.ts';
import { createSigner } from '../../io/http/index.ts';
import type { SignedForm } from '../situation/index.ts';

type Sign = CallerPorts['sign'];

/** A key that callbacks are signed with, as a restAuthentication entry has it. */
export type SigningKey = Pick<RestAuthentication, 'type' | 'secret'>;

/** The signer of the appliance; it keeps keys parsed. */
const sign = createSigner();

/** The signer of a step: that of the appliance, with another key, with other claims, or by hand where it makes no such token. */
export function signerOf(form: SignedForm | undefined, audience: string): Sign {
  return async (entry, given) => {
    const claims = { ...given, aud: audience };
    switch (form) {
      case 'stranger':
        return await sign({ ...entry, secret: foreignKey(entry.type) }, claims);
      case 'publicKeyAsSecret':
        return await sign({ type: 'HS256', secret: publicKeyOf(entry) }, claims);
      case 'algorithmNone':
        return { ok: true, value: unsigned(claims) };
      case 'otherAudience':
        return await sign(entry, { ...claims, aud: 'https://another-application.example' });
      case 'otherTenant':
        return await sign(entry, { ...claims, iss: 'another-tenant.example' });
      default:
        return await sign(entry, claims);
    }
  };
}

const publicKeyOf = ({ secret = '' }: SigningKey): string =>
  createPublicKey(secret).export({ type: 'spki', format: 'pem' }).toString();

const unsigned = (claims: CallbackClaims): string =>
  `${[{ alg: 'none', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

/** A key of the same kind; a shared secret where there is no pair. */
function foreignKey(type = 'RS256'): string {
  switch (type) {
    case 'ES256':
      return pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
    case 'EdDSA':
      return pem(generateKeyPairSync('ed25519'));
    case 'HS256':
      return randomBytes(32).toString('base64url');
    default:
      return pem(generateKeyPairSync('rsa', { modulusLength: 2048 }));
  }
}

const pem = ({ privateKey }: { readonly privateKey: KeyObject }): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
