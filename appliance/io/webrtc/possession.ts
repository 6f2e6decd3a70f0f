import { verify, X509Certificate } from 'node:crypto';
import type { DtlsClient, DtlsServer } from 'werift';

/*
 * Whether the peer holds the key of the certificate it showed.
 *
 * A certificate is public: anybody on the path can show a copy of it. A signature proves the key, and the library reads it
 * without checking it. So this file checks it, before any key of the handshake is used. (Everything else in the handshake is
 * guarded by our Finished, which the peer checks.)
 *
 *   we are client   ServerKeyExchange    signature over both randoms and the server's ECDH key   (RFC 8422, 5.4)
 *   we are server   CertificateVerify    signature over all messages before it                   (RFC 5246, 7.4.8)
 */
const SERVER_KEY_EXCHANGE = 12;
const CERTIFICATE_VERIFY = 15;
const FINISHED = 20;

/** Hash and signature algorithm (RFC 5246, 7.4.1.4.1); RSA by PKCS #1. */
const SHA256_RSA = 0x0401;
const SHA256_ECDSA = 0x0403;

interface Signed {
  readonly algorithm: number;
  readonly signature: Uint8Array;
}

/** Why the proof fails, or undefined when it holds. After `onConnect`. */
export function possessionFault(
  dtls: DtlsClient | DtlsServer,
  role: 'client' | 'server',
): string | undefined {
  const certificate = dtls.remoteCertificate;
  if (certificate === undefined) return 'the peer showed no certificate';
  const proof = role === 'client' ? serverProof(dtls) : clientProof(dtls);
  if (proof === undefined) return 'the peer signed nothing';
  return isSignedBy(certificate, proof.text, proof.signed)
    ? undefined
    : 'the peer does not hold the key of its certificate';
}

interface Proof {
  readonly text: Uint8Array;
  readonly signed: Signed;
}

/** `curve type 1 | curve 2 | length 1, point | algorithm 2 | length 2, signature` */
function serverProof({ cipher, dtls }: DtlsClient | DtlsServer): Proof | undefined {
  const message = dtls.sortedHandshakeCache.find(({ msg_type }) => msg_type === SERVER_KEY_EXCHANGE);
  if (message === undefined) return undefined;
  const body = message.fragment;
  const parametersEnd = 4 + (body[3] ?? 0);
  const signed = readSigned(body.subarray(parametersEnd));
  // The signed point must be the one that the keys were made from.
  const point = cipher.remoteKeyPair.publicKey;
  if (signed === undefined || point === undefined || !body.subarray(4, parametersEnd).equals(point))
    return undefined;
  const text = Buffer.concat([
    cipher.localRandom.serialize(),
    cipher.remoteRandom.serialize(),
    body.subarray(0, parametersEnd),
  ]);
  return { text, signed };
}

function clientProof({ dtls }: DtlsClient | DtlsServer): Proof | undefined {
  const messages = dtls.sortedHandshakeCache.filter(({ msg_type }) => msg_type !== FINISHED);
  const at = messages.findIndex(({ msg_type }) => msg_type === CERTIFICATE_VERIFY);
  const signed = readSigned(messages[at]?.fragment ?? Buffer.alloc(0));
  if (signed === undefined) return undefined;
  return { text: Buffer.concat(messages.slice(0, at).map((message) => message.serialize())), signed };
}

function readSigned(bytes: Buffer): Signed | undefined {
  if (bytes.length < 4 || bytes.length !== 4 + bytes.readUInt16BE(2)) return undefined;
  return { algorithm: bytes.readUInt16BE(0), signature: bytes.subarray(4) };
}

function isSignedBy(certificate: Uint8Array, text: Uint8Array, { algorithm, signature }: Signed): boolean {
  try {
    const { publicKey } = new X509Certificate(certificate);
    const wanted = publicKey.asymmetricKeyType === 'ec' ? SHA256_ECDSA : SHA256_RSA;
    return algorithm === wanted && verify('sha256', text, publicKey, signature);
  } catch {
    return false;
  }
}
