import { beforeEach, describe, expect, it } from 'vitest';
import { LegMedia, type LegPolicy, ORDINARY_POLICY } from '#appliance/call/control/leg-media/leg-media.ts';
import type { LegStream, Media } from '#appliance/media/control/index.ts';
import { ok } from '#shared/result.ts';
import { must } from '#test/support/media.ts';

const said: string[] = [];
const streams: (LegStream | null)[] = [];
const work: Promise<unknown>[] = [];
let broken: string | undefined;
/** The later result of a look-up. */
const names = new Map<string, string>();

/** Writes down what it is asked for. */
const media = {
  openLeg: async ({ profile, near }) => {
    said.push(`open ${profile}${near === undefined ? '' : ` near ${near}`}`);
    return ok({ port: 20_000, rtcpPort: 20_001, source: { ssrc: 7, cname: 'c' } });
  },
  updateLeg: async (_leg, stream) => {
    said.push(stream === null ? 'rest' : `update ${stream.remote.host}`);
    streams.push(stream);
    return ok(undefined);
  },
  closeLeg: async () => {
    said.push('close');
    return { ok: false, error: { code: 'Unknown', reason: '' } };
  },
} satisfies Partial<Media> as unknown as Media;

beforeEach(() => {
  said.length = 0;
  streams.length = 0;
  work.length = 0;
  names.clear();
  broken = undefined;
});

async function leg(policy: Partial<LegPolicy> = {}, sipSource = '192.0.2.20'): Promise<LegMedia> {
  const plan = {
    leg: 'a',
    policy: { ...ORDINARY_POLICY, srtp: 'never', ...policy } as const,
    address: '192.0.2.10',
    sipSource,
    secureSignalling: false,
    offersWebRtc: false,
  };
  const parts = {
    media,
    random: (length: number) => new Uint8Array(length).fill(7),
    resolve: async (host: string) => names.get(host),
    run: (promise: Promise<unknown>) => void work.push(promise),
  };
  const made = new LegMedia(plan, parts, (reason) => {
    broken = reason;
  });
  must(await made.open());
  return made;
}

const describe192 = (formats: string, host = '192.0.2.20', direction = 'sendrecv'): Buffer =>
  Buffer.from(
    `v=0\r\no=- 1 1 IN IP4 ${host}\r\ns=-\r\nc=IN IP4 ${host}\r\nt=0 0\r\nm=audio 4000 RTP/AVP ${formats}\r\na=${direction}\r\n`,
  );

const settle = () => Promise.all(work);
const line = (sdp: Uint8Array, start: string): string | undefined =>
  Buffer.from(sdp)
    .toString()
    .split('\r\n')
    .find((each) => each.startsWith(start));

describe('codecLimit', () => {
  it('refuses with 488 what does not offer it, and answers with it alone', async () => {
    const limited = await leg({ codecLimit: 'PCMA' });
    const refused = limited.answerTo(describe192('0 3'));
    expect(!refused.ok && [refused.error.status, refused.error.code]).toEqual([488, 'NoCodec']);
    const taken = must(limited.answerTo(describe192('0 8')));
    expect(line(taken.sdp, 'm=')).toBe('m=audio 20000 RTP/AVP 8');
    expect(line(limited.offer(), 'm=')).toMatch(/RTP\/AVP 8 (13 )?101$/);
  });
});

describe('latching', () => {
  const CRYPTO = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30, 7).toString('base64')}`;
  const latched = async (policy: Partial<LegPolicy>, host: string, more = ''): Promise<unknown> => {
    const made = await leg(policy, '198.51.100.1');
    must(made.answerTo(Buffer.concat([describe192('8', host), Buffer.from(more)]))).commit();
    await settle();
    return [streams[0]?.latching, ...(streams[0]?.latchHosts ?? [])];
  };

  it.each([
    ['192.0.2.20', {}, [false, '192.0.2.20', '198.51.100.1']],
    ['198.51.100.1', {}, [false, '198.51.100.1', '198.51.100.1']],
    // A private address lets in whoever signals, and no third one.
    ['10.0.0.5', {}, [false, '10.0.0.5', '198.51.100.1']],
    ['10.0.0.5', { useVPNConnection: true }, [false]],
    ['192.0.2.20', { forceRtpRelay: true }, [true, '192.0.2.20', '198.51.100.1']],
    ['192.0.2.20', { forceRtpRelay: true, useVPNConnection: true }, [false]],
  ] as const)('described %s with %o: %j', async (host, policy, latching) => {
    expect(await latched(policy, host)).toEqual(latching);
  });

  it.each([
    [{}, true],
    [{ useVPNConnection: true }, false],
  ])('with SRTP and %o is free: %s', async (policy, isFree) => {
    expect(await latched({ srtp: 'negotiated', ...policy }, '192.0.2.20', `${CRYPTO}\r\n`)).toEqual(
      isFree ? [true, '192.0.2.20', '198.51.100.1'] : [false],
    );
  });
});

describe('settled media', () => {
  it('reaches the engine in its order, also when a name must be looked up first', async () => {
    names.set('phone.example', '192.0.2.77');
    const made = await leg();
    must(made.answerTo(describe192('8', 'phone.example'))).commit();
    must(made.answerTo(describe192('8', '192.0.2.20'))).commit();
    await settle();
    expect(said).toEqual(['open ordinary', 'update 192.0.2.77', 'update 192.0.2.20']);
  });

  it('breaks the leg when a name leads nowhere', async () => {
    const made = await leg();
    must(made.answerTo(describe192('8', 'nowhere.example'))).commit();
    await settle();
    expect(broken).toContain('nowhere.example');
  });

  it('no longer reaches a leg that is closed, and closes once', async () => {
    const made = await leg();
    must(made.answerTo(describe192('8'))).commit();
    made.close();
    made.close();
    await settle();
    expect(said).toEqual(['open ordinary', 'close']);
  });

  it('is served for each answer of a fork before another one, and only the last one stays', async () => {
    const made = await leg();
    made.offer();
    must(made.take(describe192('8', '192.0.2.21'), 'one'));
    expect(made.stream).toBeUndefined();
    must(made.take(describe192('8', '192.0.2.22')));
    expect(made.stream?.remote.host).toBe('192.0.2.22');
    // Behind it an answer means nothing.
    must(made.take(describe192('8', '192.0.2.23')));
    await settle();
    expect(said).toEqual(['open ordinary', 'update 192.0.2.21', 'update 192.0.2.22']);
  });

  it('is reported as the peer wants it, and offered again only when our direction has changed', async () => {
    const made = await leg();
    expect(made.wanted(describe192('8', '192.0.2.20', 'sendonly'))).toBe('recvonly');
    expect(made.wanted(Buffer.from('nonsense'))).toBeUndefined();
    expect(made.want('sendrecv')).toBe(false);
    expect(made.want('sendonly')).toBe(true);
    expect(made.want('sendonly')).toBe(false);
    expect(line(made.offer(), 'a=send')).toBe('a=sendonly');
  });
});

describe('a description of another user agent', () => {
  it('goes out under our name with a version that only grows', async () => {
    const made = await leg();
    const before = line(made.offer(), 'o=');
    const passed = made.asOurs(describe192('18', '192.0.2.99'));
    expect(line(passed, 'm=')).toBe('m=audio 4000 RTP/AVP 18');
    const versions = [passed, made.asOurs(describe192('18')), made.offer()].map((sdp) =>
      line(sdp, 'o=')?.split(' '),
    );
    expect(versions.map((words) => words?.[1])).toEqual(Array(3).fill(before?.split(' ')[1]));
    const numbers = versions.map((words) => Number(words?.[2]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(3);
  });
});
