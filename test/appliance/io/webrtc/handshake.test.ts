import { describe, expect, it } from 'vitest';
import { type DtlsCertificate, makeCertificate } from '#appliance/io/webrtc/certificate.ts';
import { Handshake, type SrtpMasters } from '#appliance/io/webrtc/handshake.ts';

interface Side {
  readonly certificate: DtlsCertificate;
  /** Certificates it takes. */
  readonly expected: DtlsCertificate;
}

/** Both ends of one handshake, joined in memory. */
async function shakeHands(client: Side, server: Side): Promise<PromiseSettledResult<SrtpMasters>[]> {
  const ends: { client?: Handshake; server?: Handshake } = {};
  const over = (to: 'client' | 'server') => ({
    send: async (datagram: Buffer) => {
      const copy = Buffer.from(datagram);
      setImmediate(() => ends[to]?.take(copy));
    },
  });
  ends.client = new Handshake(over('server'), {
    role: 'client',
    certificate: client.certificate,
    remoteFingerprints: [client.expected.fingerprint],
  });
  ends.server = new Handshake(over('client'), {
    role: 'server',
    certificate: server.certificate,
    remoteFingerprints: [server.expected.fingerprint],
  });
  return Promise.allSettled([ends.client.keys(), ends.server.keys()]);
}

const reasonOf = (result: PromiseSettledResult<SrtpMasters> | undefined): string =>
  result?.status === 'rejected' ? String(result.reason) : 'keys';

describe('a handshake', () => {
  it('gives both the same keys, each in its own direction', async () => {
    const [a, b] = await Promise.all([makeCertificate(), makeCertificate()]);
    const [client, server] = await shakeHands(
      { certificate: a, expected: b },
      { certificate: b, expected: a },
    );
    if (client?.status !== 'fulfilled' || server?.status !== 'fulfilled') {
      throw new Error(`${reasonOf(client)}; ${reasonOf(server)}`);
    }
    expect(client.value.local).toHaveLength(30);
    expect(client.value.local).toEqual(server.value.remote);
    expect(client.value.remote).toEqual(server.value.local);
    expect(client.value.local).not.toEqual(client.value.remote);
  });

  it('gives no keys to a peer with another certificate', async () => {
    const [a, b, other] = await Promise.all([makeCertificate(), makeCertificate(), makeCertificate()]);
    const [client, server] = await shakeHands(
      { certificate: a, expected: other },
      { certificate: b, expected: other },
    );
    expect(reasonOf(client)).toContain('not the one its description names');
    expect(reasonOf(server)).toContain('not the one its description names');
  });

  /** A listener on the path can show a copy of a certificate. */
  it.each(['client', 'server'] as const)(
    'gives no keys to a %s that shows a copy of the right certificate, without its key',
    async (thief) => {
      const [honest, victim, stranger] = await Promise.all([
        makeCertificate(),
        makeCertificate(),
        makeCertificate(),
      ]);
      const stolen = { ...victim, key: stranger.key };
      const sides = {
        client: {
          certificate: thief === 'client' ? stolen : honest,
          expected: thief === 'client' ? honest : victim,
        },
        server: {
          certificate: thief === 'server' ? stolen : honest,
          expected: thief === 'server' ? honest : victim,
        },
      };
      const [client, server] = await shakeHands(sides.client, sides.server);
      expect(reasonOf(thief === 'client' ? server : client)).toContain('does not hold the key');
    },
  );
});
