import { createPrivateKey, createPublicKey, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * PKCS#10 request (PEM) by the key of this machine. `names` (DNS names and addresses) are asked for as subject
 * alternative names, since the certificate also serves the listeners of the appliance.
 */
export async function signingRequest(
  keyPem: string,
  commonName: string,
  names: readonly string[],
): Promise<string> {
  const x509 = await import('./x509.ts');
  const privateKey = createPrivateKey(keyPem);
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const { subtle } = webcrypto;
  const request = await x509.Pkcs10CertificateRequestGenerator.create(
    {
      name: `CN=${commonName}`,
      keys: {
        privateKey: await subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']),
        publicKey: await subtle.importKey('spki', spki, ALGORITHM, true, ['verify']),
      },
      signingAlgorithm: ALGORITHM,
      extensions:
        names.length === 0
          ? []
          : [
              new x509.SubjectAlternativeNameExtension(
                names.map((value) => ({
                  type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const),
                  value,
                })),
              ),
            ],
    },
    webcrypto as never,
  );
  return `${request.toString('pem')}\n`;
}
