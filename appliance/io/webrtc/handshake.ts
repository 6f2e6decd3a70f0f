import { type Connection, DtlsClient, DtlsServer } from 'werift';
import { type Fingerprint, isCertificateOf } from '../../media/webrtc/index.ts';
import { type DtlsCertificate, digest } from './certificate.ts';
import { possessionFault } from './possession.ts';

/** AES_CM_128_HMAC_SHA1_80 (RFC 5764, 4.1.2): what every WebRTC endpoint has. */
const SRTP_AES128_CM_SHA1_80 = 0x0001 as const;
/** AES-128 and the salt of SRTP. */
const KEY_BYTES = 16;
const SALT_BYTES = 14;

/** Where its datagrams go. */
type DatagramPath = Pick<Connection, 'send'>;

/** Master key and salt, 30 bytes each. Never to be logged. */
export interface SrtpMasters {
  readonly local: Uint8Array;
  readonly remote: Uint8Array;
}

export interface HandshakeSetting {
  readonly role: 'client' | 'server';
  readonly certificate: DtlsCertificate;
  readonly remoteFingerprints: readonly Fingerprint[];
}

/** A DTLS handshake over an ICE connection; the datagrams that belong to it are given in by `take`. */
export class Handshake {
  readonly #setting: HandshakeSetting;
  readonly #dtls: DtlsClient | DtlsServer;
  readonly #transport: ReturnType<typeof transportOver>;

  constructor(ice: DatagramPath, setting: HandshakeSetting) {
    this.#setting = setting;
    this.#transport = transportOver(ice);
    const { cert, key, signatureHash } = setting.certificate;
    const options = {
      transport: this.#transport,
      cert,
      key,
      signatureHash,
      srtpProfiles: [SRTP_AES128_CM_SHA1_80],
      extendedMasterSecret: true,
    };
    this.#dtls =
      setting.role === 'client'
        ? new DtlsClient(options)
        : new DtlsServer({ ...options, certificateRequest: true });
  }

  take(datagram: Buffer): void {
    this.#transport.onData(datagram, ['', 0]);
  }

  /**
   * Resolves with the keys when the peer is who its description says: the hash of its certificate is known, it holds the
   * certificate's key, and SRTP was agreed. Rejects otherwise; then no key has left this place.
   */
  async keys(): Promise<SrtpMasters> {
    await new Promise<void>((resolve, reject) => {
      this.#dtls.onConnect.once(() => resolve());
      this.#dtls.onError.once(reject);
      this.#dtls.onClose.once(() => reject(new Error('the peer broke off the handshake')));
      if (this.#dtls instanceof DtlsClient) this.#dtls.connect().catch(reject);
    });
    const { role, remoteFingerprints } = this.#setting;
    const certificate = this.#dtls.remoteCertificate ?? new Uint8Array();
    if (!remoteFingerprints.some((each) => isCertificateOf(each, certificate, digest))) {
      throw new Error('the certificate of the peer is not the one its description names');
    }
    const fault = possessionFault(this.#dtls, role);
    if (fault !== undefined) throw new Error(fault);
    if (this.#dtls.srtp.srtpProfile !== SRTP_AES128_CM_SHA1_80) throw new Error('the peer agreed to no SRTP');
    const { localKey, localSalt, remoteKey, remoteSalt } = this.#dtls.extractSessionKeys(
      KEY_BYTES,
      SALT_BYTES,
    );
    return { local: Buffer.concat([localKey, localSalt]), remote: Buffer.concat([remoteKey, remoteSalt]) };
  }

  /** The peer has closed the association. */
  onClose(closed: () => void): void {
    this.#dtls.onClose.once(closed);
  }
}

/** An object that the handshake takes for a socket. */
function transportOver(ice: DatagramPath) {
  return {
    type: 'ice',
    address: { address: '', family: '', port: 0 },
    closed: false,
    onData: (_datagram: Buffer, _from: readonly [string, number]): void => undefined,
    send: (datagram: Buffer): Promise<void> => ice.send(datagram),
    close: async (): Promise<void> => undefined,
  };
}
