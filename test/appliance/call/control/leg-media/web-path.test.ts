import { describe, expect, it } from 'vitest';
import { legOf, WebPath } from '#appliance/call/control/leg-media/web-path.ts';
import type { WebRtc, WebRtcFault, WebRtcTransport } from '#appliance/media/webrtc/index.ts';
import { MOST_CANDIDATES, type SecureTransport } from '#appliance/sip/sdp/index.ts';
import { Listeners } from '#shared/listeners.ts';
import { fail, ok, type Result } from '#shared/result.ts';

const HASH = new Uint8Array(32);
const FINGERPRINT = `sha-256 ${Array(32).fill('00').join(':')}`;
const candidate = (port: number): string => `1 1 udp 2122260223 192.0.2.1 ${port} typ host`;

/** The transport of a peer in an ICE session of this name. */
const peer = (ufrag: string, more: Partial<SecureTransport> = {}): SecureTransport => ({
  ...{ ufrag, pwd: 'a secret of their own', iceLite: false, setup: 'actpass' },
  fingerprints: [FINGERPRINT],
  candidates: [candidate(4_000)],
  ...more,
});
const fragment = (ufrag: string, ...candidates: readonly string[]) => ({
  ...{ ufrag, pwd: 'a secret of their own', candidates, ended: false },
});

interface Setting {
  readonly family?: 4 | 6;
  /** Our addresses, as the host has them. */
  readonly hosts?: readonly string[];
  readonly opens?: boolean;
  readonly accepts?: boolean;
  /** Answers of `open` come when the test says so. */
  readonly waits?: boolean;
}

/** A path whose connections write down what they are asked; it is open at port 20000. */
function room({
  family = 4,
  hosts = ['192.0.2.10'],
  opens = true,
  accepts = true,
  waits = false,
}: Setting = {}) {
  const done: string[] = [];
  const openings: Parameters<WebRtc['open']>[0][] = [];
  const accepted: WebRtcTransport[] = [];
  let arrive: () => void = () => undefined;
  const arrived = waits ? new Promise<void>((resolve) => (arrive = resolve)) : undefined;
  const fault = (code: WebRtcFault['code'], reason: string): Result<never, WebRtcFault> => ({
    ok: false,
    error: { code, reason },
  });
  const webrtc: WebRtc = {
    async open(opening) {
      openings.push(opening);
      done.push(`open ${opening.id}`);
      await arrived;
      if (!opens) return fault('Failed', 'no port is free');
      const candidates = hosts.map((host) => ({
        foundation: '1',
        priority: 1,
        host,
        port: 30_000,
        kind: 'host' as const,
      }));
      const local: WebRtcTransport = {
        ...{ ufrag: opening.id, pwd: 'ours', iceLite: false, setup: 'actpass', candidates },
        fingerprints: [{ algorithm: 'sha-256', hash: HASH }],
      };
      return ok({ local, bridge: { host: '127.0.0.1', port: 31_000 } });
    },
    async accept(id, remote) {
      accepted.push(remote);
      done.push(`accept ${id} with ${remote.ufrag}`);
      return accepts ? ok(undefined) : fault('Refused', 'no pair');
    },
    async addCandidate(id, { port }) {
      done.push(`add ${port} to ${id}`);
      return ok(undefined);
    },
    async close(id) {
      done.push(`close ${id}`);
      return ok({ sent: 0, received: 0, rejected: 0, dropped: 0 });
    },
    events: new Listeners(),
  };
  const path = new WebPath({ leg: 'call/a', webrtc, family, run: () => undefined });
  path.at({ port: 20_000, rtcpPort: 20_001, source: { ssrc: 7, cname: 'us' } });
  return { path, done, openings, accepted, take: () => done.splice(0), arrive: () => arrive() };
}

/** A leg that is connected with the browser that has offered `theirs`. */
async function connected(setting: Setting = {}) {
  const at = room(setting);
  await at.path.prepare(peer('theirs'));
  at.path.use(peer('theirs'));
  await at.path.begin();
  at.take();
  return at;
}

/** A leg whose offer is out. */
async function offering(setting: Setting = {}) {
  const at = room(setting);
  await at.path.prepare();
  at.take();
  return at;
}

const ANSWER = peer('theirs', { setup: 'active' });

describe('a connection for an offer of a peer', () => {
  it('is wanted once, and opened towards the media leg', async () => {
    const { path, openings } = room();
    expect(path.wants(peer('theirs'))).toBe(true);
    expect(await path.prepare(peer('theirs'))).toEqual(ok(undefined));
    expect(openings).toMatchObject([
      {
        id: 'call/a/1',
        leg: { host: '127.0.0.1', port: 20_000 },
        ownCertificate: false,
        remote: { ufrag: 'theirs' },
      },
    ]);
    expect([path.wants(peer('theirs')), path.wants(peer('others'))]).toEqual([false, true]);
  });

  it('reaches the media leg of the other family by that family', async () => {
    const { path, openings } = room({ family: 6 });
    await path.prepare(peer('theirs'));
    expect(openings[0]?.leg).toEqual({ host: '::1', port: 20_000 });
  });

  it('answers with the role that is left, our address and our source', async () => {
    const { path } = room();
    await path.prepare(peer('theirs'));
    expect(path.answering(peer('theirs'))).toMatchObject({
      address: { family: 4, host: '192.0.2.10' },
      port: 30_000,
      transport: { ufrag: 'call/a/1', setup: 'active', source: '7 cname:us', fingerprints: [FINGERPRINT] },
    });
    expect(path.answering(peer('others'))).toBeUndefined();
  });

  it('leaves the handshake to a peer that begins it', async () => {
    const { path } = room();
    const theirs = peer('theirs', { setup: 'active' });
    await path.prepare(theirs);
    expect(path.answering(theirs)?.transport.setup).toBe('passive');
  });

  it.each([
    [['2001:db8::1', '192.0.2.10'], 4, { family: 4, host: '192.0.2.10' }, 30_000],
    [['192.0.2.10', '2001:db8::1'], 6, { family: 6, host: '2001:db8::1' }, 30_000],
    [['2001:db8::1'], 4, { family: 6, host: '2001:db8::1' }, 30_000],
    [[], 4, { family: 4, host: '0.0.0.0' }, 9],
  ] as const)('with our addresses %j names in family %i: %j', async (hosts, family, address, port) => {
    const { path } = room({ hosts, family });
    await path.prepare(peer('theirs'));
    expect(path.answering(peer('theirs'))).toMatchObject({ address, port });
  });

  it('that names no certificate is refused with the reason, and never opened', async () => {
    const { path, done } = room();
    const bare = peer('bare', { fingerprints: [] });
    expect(await path.prepare(bare)).toEqual(ok(undefined));
    expect([path.reasonAgainst(bare), path.wants(bare), done]).toEqual([
      'the description names no certificate (a=fingerprint)',
      false,
      [],
    ]);
    expect(path.reasonAgainst(peer('theirs'))).toBeUndefined();
    await path.prepare(peer('theirs'));
    expect(path.reasonAgainst(bare)).toBeUndefined();
  });

  it('that cannot be opened is a fault', async () => {
    const { path } = room({ opens: false });
    expect(await path.prepare(peer('theirs'))).toEqual(fail('Failed', 'no port is free'));
    expect(path.offering()).toBeUndefined();
  });

  it('replaces one that was prepared and not used', async () => {
    const { path, take } = room();
    await path.prepare(peer('theirs'));
    await path.prepare(peer('others'));
    expect(take()).toEqual(['open call/a/1', 'open call/a/2', 'close call/a/1']);
  });

  it('that opens after the leg was closed is closed', async () => {
    const { path, arrive, take } = room({ waits: true });
    const preparing = path.prepare(peer('theirs'));
    path.close();
    arrive();
    await preparing;
    expect(take()).toEqual(['open call/a/1', 'close call/a/1']);
    expect(path.offering()).toBeUndefined();
  });
});

describe('an offer of ours', () => {
  it('leaves both roles open, before and after', async () => {
    const { path } = await offering();
    expect(path.offering()?.transport.setup).toBe('actpass');
    path.use(ANSWER);
    expect(path.offering()?.transport).toMatchObject({ ufrag: 'call/a/1', setup: 'actpass' });
    // RFC 8842 5: a later answer repeats the role of the handshake.
    expect(path.answering(ANSWER)?.transport.setup).toBe('passive');
    expect(path.answering(peer('theirs', { setup: 'actpass' }))?.transport.setup).toBe('passive');
  });

  it('is there only where a connection is', () => {
    expect(room().path.offering()).toBeUndefined();
  });

  it('begins with the answer, once', async () => {
    const { path, take, accepted } = await offering();
    expect(path.use(ANSWER)).toBeUndefined();
    expect(await path.begin()).toEqual(ok({ host: '127.0.0.1', port: 31_000 }));
    expect(await path.begin()).toEqual(ok({ host: '127.0.0.1', port: 31_000 }));
    expect(take()).toEqual(['accept call/a/1 with theirs']);
    expect(accepted[0]?.candidates.map(({ port }) => port)).toEqual([4_000]);
    expect([path.uses('call/a/1'), path.uses('call/a/2')]).toEqual([true, false]);
  });

  it.each<[string, Setting, Partial<SecureTransport>, string]>([
    ['the connection refuses it', { accepts: false }, {}, 'no pair'],
    [
      'it names no certificate',
      {},
      { fingerprints: [] },
      'the description names no certificate (a=fingerprint)',
    ],
  ])('fails to begin where %s', async (_title, setting, more, reason) => {
    const { path } = await offering(setting);
    path.use({ ...ANSWER, ...more });
    expect(await path.begin()).toMatchObject({ ok: false, error: { reason } });
  });

  it('begins nothing without an answer, or without a connection', async () => {
    const { path } = await offering();
    const nothing = fail('Failed', 'there is no WebRTC connection');
    expect(await path.begin()).toEqual(nothing);
    path.use(undefined);
    expect(await path.begin()).toEqual(nothing);
  });

  it('that is answered without WebRTC is closed', async () => {
    const { path, take } = await offering();
    expect(path.use(undefined)).toBeUndefined();
    expect(take()).toEqual(['close call/a/1']);
    expect(path.offering()).toBeUndefined();
  });

  it('is answered by another connection than it offered', async () => {
    const { path, take } = await connected();
    expect(path.use(peer('strange'))).toBe('the answer belongs to another connection than was offered');
    expect(take()).toEqual(['close call/a/1']);
  });
});

describe('forks of an offer of ours', () => {
  it('wait for the one that was connected first, until one has won', async () => {
    const { path, take, accepted } = await offering();
    expect(path.waits(ANSWER)).toBe(false);
    path.use(ANSWER, false);
    await path.begin();
    expect([path.waits(ANSWER), path.waits(peer('second')), path.waits(undefined)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(path.trickled(fragment('second', candidate(5_000)))).toBe(true);
    expect(take()).toEqual(['accept call/a/1 with theirs']);
    // The same connection turns to the fork that has won, with the addresses that it has sent meanwhile.
    expect(path.use(peer('second'))).toBeUndefined();
    await path.begin();
    expect(take()).toEqual(['accept call/a/1 with second']);
    expect(accepted[1]?.candidates.map(({ port }) => port)).toEqual([4_000, 5_000]);
    expect(path.answering(peer('second'))?.transport.setup).toBe('active');
  });

  it('are forgotten once one has won', async () => {
    const { path } = await offering();
    path.use(ANSWER, false);
    path.waits(peer('second'));
    path.use(ANSWER);
    expect(path.trickled(fragment('second', candidate(5_000)))).toBe(false);
    expect(path.use(peer('second'))).toBe('the answer belongs to another connection than was offered');
  });

  it('are kept for sixteen at most', async () => {
    const { path } = await offering();
    path.use(ANSWER, false);
    for (let fork = 1; fork <= 17; fork++) path.waits(peer(`fork${fork}`));
    const known = (fork: number) => path.trickled(fragment(`fork${fork}`, candidate(5_000)));
    expect([known(1), known(16), known(17)]).toEqual([true, true, false]);
  });
});

describe('addresses that a peer finds later', () => {
  it('are tried at once where its connection has begun, each once', async () => {
    const { path, take } = await connected();
    expect(path.trickled(fragment('theirs', candidate(5_000), candidate(5_001)))).toBe(true);
    expect(path.trickled(fragment('theirs', candidate(5_000), 'of no use'))).toBe(true);
    expect(take()).toEqual(['add 5000 to call/a/1', 'add 5001 to call/a/1']);
  });

  it('wait where it has not', async () => {
    const { path, take, accepted } = room();
    await path.prepare(peer('theirs'));
    expect(path.trickled(fragment('theirs', candidate(5_000)))).toBe(true);
    path.use(peer('theirs'));
    await path.begin();
    expect(take()).toEqual(['open call/a/1', 'accept call/a/1 with theirs']);
    expect(accepted[0]?.candidates.map(({ port }) => port)).toEqual([4_000, 5_000]);
  });

  it('are bounded', async () => {
    const { path, take } = await connected();
    const many = Array.from({ length: MOST_CANDIDATES + 1 }, (_, at) => candidate(5_000 + at));
    path.trickled(fragment('theirs', ...many));
    expect(take()).toHaveLength(MOST_CANDIDATES);
  });

  it('are refused when their session is not here', async () => {
    const { path, take } = await connected();
    expect(path.trickled(fragment('before', candidate(5_000)))).toBe(false);
    expect(path.trickled({ ...fragment('theirs', candidate(5_000)), pwd: 'another secret' })).toBe(false);
    expect(take()).toEqual([]);
  });
});

describe('an offer of the peer with another session', () => {
  it('restarts ICE: the connection of before goes on until the new one is in use', async () => {
    const { path, openings, take } = await connected();
    const next = peer('next');
    expect(path.wants(next)).toBe(true);
    await path.prepare(next);
    expect([path.uses('call/a/1'), openings.at(-1)?.ownCertificate]).toEqual([true, true]);
    expect(take()).toEqual(['open call/a/2']);
    path.use(next);
    expect([path.uses('call/a/2'), take()]).toEqual([true, ['close call/a/1']]);
    await path.begin();
    expect(take()).toEqual(['accept call/a/2 with next']);
  });

  it('and the same session is another one where its certificate is', async () => {
    const { path } = await connected();
    const strange = `sha-256 ${Array(32).fill('11').join(':')}`;
    expect([path.wants(peer('theirs')), path.wants(peer('theirs', { fingerprints: [strange] }))]).toEqual([
      false,
      true,
    ]);
  });
});

describe('the end of a leg', () => {
  it('closes the connection in use and the one prepared', async () => {
    const { path, take } = await connected();
    await path.prepare(peer('next'));
    take();
    path.close();
    expect(take()).toEqual(['close call/a/1', 'close call/a/2']);
    path.close();
    expect([take(), path.uses('call/a/1')]).toEqual([[], false]);
  });

  it('is found by the name of its connection', () => {
    expect(legOf('call/a/12')).toBe('call/a');
  });
});
