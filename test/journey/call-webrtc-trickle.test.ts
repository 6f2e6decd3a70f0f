import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipMessage, SipResponse } from '#appliance/sip/message/index.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { browserSdp, connections } from '#test/support/browser.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';

/** Trickle ICE by INFO (RFC 8838, RFC 8840): addresses that a WebRTC peer finds when its description is out. */
let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let ice: ReturnType<typeof connections>;
let tablet: Telephone;
let bo: Telephone;

beforeEach(async () => {
  ice = connections();
  appliance = await testAppliance({ webrtc: ice.webrtc });
  net = telephones(appliance);
  tablet = await net.device('tablet', '192.0.2.20');
  bo = await net.device('bo', '192.0.2.21');
});

afterEach(async () => {
  await net.after(40_000, 4_000);
  expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
  expect(appliance.logged).toEqual([]);
  await appliance.close();
});

const PWD = 'p'.repeat(24);
const FRAGMENT = 'application/trickle-ice-sdpfrag';
const candidate = (port: number): string =>
  `a=candidate:${port} 1 udp 2113937151 192.0.2.20 ${port} typ host`;

const fragment = (lines: readonly string[], ufrag = 'first', pwd = PWD): string =>
  [`a=ice-ufrag:${ufrag}`, `a=ice-pwd:${pwd}`, 'm=audio 9 RTP/AVP 0', 'a=mid:0', ...lines, ''].join('\r\n');

interface Report {
  readonly body: string;
  readonly type?: string;
  readonly infoPackage?: string | null;
}

/** An INFO of `from`, and what it is answered. */
async function tell(from: Telephone, talk: Talk, reported: Report): Promise<SipResponse> {
  const { body, type = FRAGMENT, infoPackage = 'trickle-ice' } = reported;
  from.inDialog(talk, 'INFO', {
    headers: [
      ...(infoPackage === null ? [] : [['Info-Package', infoPackage] as const]),
      ['Content-Type', type],
      ['Content-Disposition', 'Info-Package'],
    ],
    body,
  });
  const { cseq } = talk;
  await net.pump();
  const at = from.inbox.findIndex((each) => each.kind === 'response' && each.cseq.seq === cseq);
  const [answer] = from.inbox.splice(at, 1);
  if (answer?.kind !== 'response') throw new Error('the INFO has no answer');
  return answer;
}

const statusOf = async (from: Telephone, talk: Talk, reported: Report): Promise<number> =>
  (await tell(from, talk, reported)).status;

/** A browser that calls a telephone that rings. */
async function ringing(
  sdp = browserSdp(tablet),
): Promise<{ talk: Talk; rang: SipMessage; answer: () => Promise<SipMessage> }> {
  const talk = await tablet.invite('bo', net.pump, { sdp });
  const invite = bo.request('INVITE');
  bo.respond(invite, 180);
  await net.pump();
  const rang = tablet.response(180);
  talk.theirTag = rang.to.tag ?? '';
  const answer = async (): Promise<SipMessage> => {
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    const ok = tablet.response(200);
    tablet.acknowledge(talk, ok);
    await net.pump();
    bo.request('ACK');
    return ok;
  };
  return { talk, rang, answer };
}

async function end(talk: Talk): Promise<void> {
  tablet.inDialog(talk, 'BYE');
  await net.pump();
  bo.respond(bo.request('BYE'), 200);
  await net.pump();
}

describe('a browser that calls', () => {
  it('learns that later addresses are taken, and that all of ours stand in our answer', async () => {
    const { talk, rang, answer } = await ringing();
    const ok = await answer();
    for (const response of [rang, ok]) {
      expect(response.list('Supported')).toContain('trickle-ice');
      expect(response.list('Recv-Info')).toEqual(['trickle-ice']);
    }
    const lines = ok.body.toString().split('\r\n');
    expect(lines).toContain('a=ice-options:trickle');
    expect(lines.indexOf('a=end-of-candidates')).toBeGreaterThan(
      lines.findLastIndex((line) => line.startsWith('a=candidate')),
    );
    await end(talk);
  });

  it('sends addresses while it rings: they are there when its connection begins', async () => {
    const { talk, answer } = await ringing();
    expect(await statusOf(tablet, talk, { body: fragment([candidate(5_001)]) })).toBe(200);
    // Each INFO tells all of them again (RFC 8840 4.4).
    const all = [candidate(5_001), candidate(5_002), 'a=end-of-candidates'];
    expect(await statusOf(tablet, talk, { body: fragment(all) })).toBe(200);
    expect(ice.asked).toEqual(['open 1/1 for first']);
    await answer();
    expect(ice.asked.slice(1)).toEqual(['accept 1/1 from first at 192.0.2.20:5001 at 192.0.2.20:5002']);
    await end(talk);
  });

  it('sends them when it is answered: each is tried once; unusable ones are passed over', async () => {
    const { talk, answer } = await ringing();
    await answer();
    const hidden = 'a=candidate:9 1 udp 1 1f4712db-ea17.local 5009 typ host';
    const tcp = 'a=candidate:8 1 tcp 1 192.0.2.20 9 typ host tcptype active';
    await tell(tablet, talk, { body: fragment([candidate(5_001), hidden, tcp]) });
    await tell(tablet, talk, { body: fragment([candidate(5_001), candidate(5_002), 'a=end-of-candidates']) });
    expect(ice.asked.slice(2)).toEqual(['candidate 1/1 192.0.2.20:5001', 'candidate 1/1 192.0.2.20:5002']);
    await end(talk);
  });

  it('may offer without any address at all', async () => {
    const bare = browserSdp(tablet)
      .replace(/a=candidate.*\r\n/, 'a=ice-options:trickle\r\n')
      .replace(/m=audio \d+/, 'm=audio 9')
      .replace('c=IN IP4 192.0.2.20', 'c=IN IP4 0.0.0.0');
    const { talk, answer } = await ringing(bare);
    const ok = await answer();
    expect(ok.body.toString()).toContain('a=sendrecv');
    await tell(tablet, talk, { body: fragment([candidate(5_001)]) });
    expect(ice.asked).toEqual([
      'open 1/1 for first',
      'accept 1/1 from first',
      'candidate 1/1 192.0.2.20:5001',
    ]);
    await end(talk);
  });

  it('sends nothing about a session of before, or one it cannot know, though it is answered', async () => {
    const { talk, answer } = await ringing();
    await answer();
    tablet.inDialog(talk, 'INVITE', { sdp: browserSdp(tablet, { ufrag: 'second', version: 2 }) });
    const { cseq } = talk;
    await net.pump();
    expect(tablet.response(200).list('Recv-Info')).toEqual(['trickle-ice']);
    tablet.inDialog(talk, 'ACK', { cseq });
    await net.pump();
    const before = ice.asked.length;
    expect(await statusOf(tablet, talk, { body: fragment([candidate(5_001)], 'first') })).toBe(200);
    expect(
      await statusOf(tablet, talk, { body: fragment([candidate(5_002)], 'second', 'q'.repeat(24)) }),
    ).toBe(200);
    expect(ice.asked.slice(before)).toEqual([]);
    await tell(tablet, talk, { body: fragment([candidate(5_003)], 'second') });
    expect(ice.asked.slice(before)).toEqual(['candidate 1/2 192.0.2.20:5003']);
    await end(talk);
  });

  it('does not make us try addresses without end', async () => {
    const { talk, answer } = await ringing();
    await answer();
    for (const first of [5_000, 5_050, 5_100]) {
      const many = Array.from({ length: 50 }, (_, i) => candidate(first + i));
      expect(await statusOf(tablet, talk, { body: fragment(many) })).toBe(200);
    }
    expect(ice.asked.filter((each) => each.startsWith('candidate'))).toHaveLength(64);
    await end(talk);
  });

  it('learns what is wrong with an INFO', async () => {
    const { talk, answer } = await ringing();
    await answer();
    const body = fragment([candidate(5_001)]);
    const unknown = await tell(tablet, talk, { body, infoPackage: 'weather' });
    expect([unknown.status, unknown.header('Recv-Info')]).toEqual([469, 'trickle-ice']);
    expect(await statusOf(tablet, talk, { body, infoPackage: null })).toBe(200);
    const mistyped = await tell(tablet, talk, { body, type: 'text/plain' });
    expect([mistyped.status, mistyped.header('Accept')]).toEqual([415, FRAGMENT]);
    const nameless = await tell(tablet, talk, { body: 'm=audio 9 RTP/AVP 0\r\na=mid:0\r\n' });
    expect([nameless.status, nameless.header('Warning')]).toEqual([
      400,
      '399 carillon "a=ice-ufrag is missing"',
    ]);
    expect(await statusOf(tablet, talk, { body: body + 'x'.repeat(17_000) })).toBe(413);
    expect(ice.asked.filter((each) => each.startsWith('candidate'))).toHaveLength(1);
    // Digits come by INFO as ever.
    expect(
      await statusOf(tablet, talk, {
        body: 'Signal=5\r\n',
        type: 'application/dtmf-relay',
        infoPackage: null,
      }),
    ).toBe(200);
    await end(talk);
  });
});

describe('an ordinary telephone', () => {
  it('is promised nothing, and its candidates are of no package that is taken', async () => {
    const talk = await tablet.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    expect(invite.header('Recv-Info')).toBeUndefined();
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    const ok = tablet.response(200);
    expect(ok.list('Supported')).not.toContain('trickle-ice');
    tablet.acknowledge(talk, ok);
    await net.pump();
    bo.request('ACK');
    const answer = await tell(tablet, talk, { body: fragment([candidate(5_001)]) });
    expect([answer.status, answer.header('Recv-Info')]).toEqual([469, '']);
    await end(talk);
  });
});

describe('a browser that is called', () => {
  it('learns it in our INVITE, also sends addresses before it answers, and gets nothing of it where it speaks plainly', async () => {
    const pad = await net.device('pad', '192.0.2.22', {}, false);
    Object.assign(pad.flow, { transport: 'WSS', reliable: true });
    await pad.register(net.pump);
    const talk = await bo.invite('pad', net.pump);
    const invite = pad.request('INVITE');
    expect(invite.list('Supported')).toContain('trickle-ice');
    expect(invite.list('Recv-Info')).toEqual(['trickle-ice']);
    pad.respond(invite, 183, { tag: 'pad-tag', sdp: browserSdp(pad, { setup: 'active' }) });
    await net.pump();
    const back = pad.answeredTalk(invite, 'pad-tag');
    expect(await statusOf(pad, back, { body: fragment([candidate(5_001), 'a=end-of-candidates']) })).toBe(
      200,
    );
    pad.respond(invite, 488, { tag: 'pad-tag' });
    await net.pump();
    pad.request('ACK');
    expect(ice.asked).toEqual([
      'open 2/1',
      'accept 2/1 from first',
      'candidate 2/1 192.0.2.20:5001',
      'close 2/1',
    ]);
    const plain = pad.request('INVITE');
    expect(plain.header('Recv-Info')).toBeUndefined();
    pad.respond(plain, 200, { sdp: pad.describe() });
    await net.pump();
    bo.acknowledge(talk, bo.response(200));
    await net.pump();
    pad.request('ACK');
    bo.inDialog(talk, 'BYE');
    await net.pump();
    pad.respond(pad.request('BYE'), 200);
    await net.pump();
  });

  it.each([
    ['answers as it rang', true],
    ['answers without a description of its own', false],
  ])(
    'behind a proxy that forks: who wins late and %s is tried where it said while another was audible',
    async (_, again) => {
      const pad = await net.device('pad', '192.0.2.22', {}, false);
      Object.assign(pad.flow, { transport: 'WSS', reliable: true });
      await pad.register(net.pump);
      const talk = await bo.invite('pad', net.pump);
      const invite = pad.request('INVITE');
      const says = (ufrag: string): string =>
        browserSdp(pad, { ufrag, setup: 'active' }).replace(/a=candidate.*\r\n/g, '');
      const forks = ['fork1', 'fork2', 'fork3'].map((tag) => {
        pad.respond(invite, 183, { tag, sdp: says(tag) });
        return { tag, back: pad.answeredTalk(invite, tag) };
      });
      await net.pump();
      for (const [i, { tag, back }] of forks.entries())
        expect(await statusOf(pad, back, { body: fragment([candidate(5_001 + i)], tag) })).toBe(200);
      // All of it again with what was found since (RFC 8840 4.4).
      const [, two] = forks;
      const all = [candidate(5_002), candidate(5_012), 'a=end-of-candidates'];
      if (two !== undefined) await tell(pad, two.back, { body: fragment(all, 'fork2') });
      expect(ice.asked).toEqual(['open 2/1', 'accept 2/1 from fork1', 'candidate 2/1 192.0.2.20:5001']);
      pad.respond(invite, 200, { tag: 'fork2', ...(again && { sdp: says('fork2') }) });
      await net.pump();
      expect(ice.asked.slice(3)).toEqual(['accept 2/1 from fork2 at 192.0.2.20:5002 at 192.0.2.20:5012']);
      bo.acknowledge(talk, bo.response(200));
      await net.pump();
      pad.request('ACK');
      // The losing side is heard out, and not tried.
      if (forks[2] !== undefined) {
        await tell(pad, forks[2].back, { body: fragment([candidate(5_033)], 'fork3') });
        expect(ice.asked).toHaveLength(4);
      }
      bo.inDialog(talk, 'BYE');
      await net.pump();
      const bye = pad.request('BYE');
      expect(bye.to.tag).toBe('fork2');
      pad.respond(bye, 200);
      await net.pump();
    },
  );
});
