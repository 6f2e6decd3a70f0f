import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { nothingLeft } from '#test/support/talking.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';
import { telephones } from '#test/support/telephone.ts';

/* A trunk that asks who we are, at the beginning of a call and in the middle of it (RFC 3261 22). */

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let carrier: Telephone;

beforeEach(async () => {
  appliance = await testAppliance();
  net = telephones(appliance);
  anna = await net.device('anna', '192.0.2.20');
  carrier = net.stranger('one', '198.51.100.1');
  carrier.allow = 'INVITE, ACK, BYE, CANCEL, UPDATE';
  net.trunk({ username: 'carillon', password: 'secret' });
});
afterEach(() => nothingLeft(appliance, net));

const digest = (nonce: string, more = '') =>
  `Digest realm="carrier", nonce="${nonce}", algorithm=MD5, qop="auth"${more}`;

/** The carrier asks; gives the same request with the proof. */
async function challenges(
  asked: SipRequest,
  status: 401 | 407,
  nonce: string,
  more = '',
): Promise<SipRequest> {
  const name = status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate';
  carrier.respond(asked, status, { headers: [[name, digest(nonce, more)]] });
  await net.pump();
  if (asked.method === 'INVITE') carrier.request('ACK');
  const again = carrier.request(asked.method);
  const proof = again.header(status === 401 ? 'Authorization' : 'Proxy-Authorization');
  expect(proof).toContain(`nonce="${nonce}"`);
  expect(proof).toContain('username="carillon"');
  expect(again.cseq.seq).toBe(asked.cseq.seq + 1);
  return again;
}

async function answers(invite: SipRequest, talk: Talk): Promise<SipRequest> {
  carrier.hearPort(invite);
  carrier.respond(invite, 200, { sdp: carrier.describe() });
  await net.pump();
  anna.acknowledge(talk, anna.response(200));
  await net.pump();
  return carrier.request('ACK');
}

/** Time passes; the telephone's own session is refreshed. */
async function passes(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 20_000) {
    await net.after(20_000, 20_000);
    while (anna.has('INVITE')) {
      anna.respond(anna.request('INVITE'), 200, { sdp: anna.describe() });
      await net.pump();
    }
  }
}

async function ends(talk: Talk): Promise<void> {
  anna.inDialog(talk, 'BYE');
  await net.pump();
  carrier.respond(carrier.request('BYE'), 200);
  await net.pump();
}

describe('a call that is challenged', () => {
  it('knows nothing more of a fork that spoke before the challenge: 481', async () => {
    const talk = await anna.invite('+46855510', net.pump);
    const asked = carrier.request('INVITE');
    carrier.respond(asked, 183, { tag: 'early' });
    await net.pump();
    const again = await challenges(asked, 401, 'n1');
    carrier.inDialog(carrier.answeredTalk(asked, 'early'), 'INFO');
    await net.pump();
    carrier.response(481, 'INFO');
    await answers(again, talk);
    await ends(talk);
  });

  it('by a proxy and then by the host behind it is proved to both, also in its ACK', async () => {
    const talk = await anna.invite('+46855510', net.pump);
    const second = await challenges(carrier.request('INVITE'), 407, 'n1');
    const third = await challenges(second, 401, 'n2');
    expect(third.header('Proxy-Authorization')).toContain('nonce="n1"');
    const ack = await answers(third, talk);
    expect(ack.header('Authorization')).toBe(third.header('Authorization'));
    expect(ack.header('Proxy-Authorization')).toBe(third.header('Proxy-Authorization'));
    await ends(talk);
  });

  it('again because the nonce was too old is proved again, but not for ever', async () => {
    await anna.invite('+46855510', net.pump);
    let asked = await challenges(carrier.request('INVITE'), 407, 'n1');
    for (const nonce of ['n2', 'n3', 'n4', 'n5']) asked = await challenges(asked, 407, nonce, ', stale=true');
    expect(asked.headers('Proxy-Authorization')).toHaveLength(1);
    carrier.respond(asked, 407, { headers: [['Proxy-Authenticate', digest('n6', ', stale=TRUE')]] });
    await net.pump();
    expect(carrier.has('INVITE')).toBe(false);
    anna.response(502);
  });

  it('behind a 422 has a number of its own, and keeps the longer session', async () => {
    const talk = await anna.invite('+46855510', net.pump);
    carrier.respond(carrier.request('INVITE'), 422, { headers: [['Min-SE', '3600']] });
    await net.pump();
    carrier.request('ACK');
    const again = await challenges(carrier.request('INVITE'), 407, 'n1');
    expect([again.cseq.seq, again.header('Session-Expires')]).toEqual([3, '3600']);
    await answers(again, talk);
    await ends(talk);
  });
});

describe('a call that runs', () => {
  let talk: Talk;
  beforeEach(async () => {
    talk = await anna.invite('+46855510', net.pump);
    await answers(carrier.request('INVITE'), talk);
  });

  it('goes on though its refresh is challenged', async () => {
    await passes(900_000);
    const proved = await challenges(carrier.request('UPDATE'), 407, 'n1');
    carrier.respond(proved, 200, { headers: [['Session-Expires', '1800;refresher=uac']] });
    await net.pump();
    // Beyond the end of the session that was not refreshed.
    await passes(880_000);
    expect(carrier.has('UPDATE')).toBe(false);
    await passes(20_000);
    const next = carrier.request('UPDATE');
    carrier.respond(next, 200, { headers: [['Session-Expires', '1800;refresher=uac']] });
    await net.pump();
    await ends(talk);
  }, 60_000);

  it('is held and taken up again, each time by an offer that is challenged', async () => {
    for (const [direction, version] of [
      ['sendonly', 2],
      ['sendrecv', 3],
    ] as const) {
      anna.inDialog(talk, 'INVITE', { sdp: anna.describe({ direction, version }) });
      await net.pump();
      anna.response(200);
      anna.inDialog(talk, 'ACK', { cseq: talk.cseq });
      const asked = carrier.request('INVITE');
      const proved = await challenges(asked, 407, `n${version}`);
      expect(proved.body).toEqual(asked.body);
      expect(proved.body.toString()).toContain(`a=${direction}`);
      const back = direction === 'sendonly' ? 'recvonly' : 'sendrecv';
      carrier.respond(proved, 200, { sdp: carrier.describe({ direction: back, version }) });
      await net.pump();
      expect(carrier.request('ACK').cseq.seq).toBe(proved.cseq.seq);
    }
    await ends(talk);
  });

  it('is ended though its BYE is challenged', async () => {
    anna.inDialog(talk, 'BYE');
    await net.pump();
    carrier.respond(await challenges(carrier.request('BYE'), 407, 'n1'), 200);
    await net.pump();
  });

  it('is ended once when the password of its BYE is wrong', async () => {
    anna.inDialog(talk, 'BYE');
    await net.pump();
    const proved = await challenges(carrier.request('BYE'), 401, 'n1');
    carrier.respond(proved, 401, { headers: [['WWW-Authenticate', digest('n2')]] });
    await net.pump();
    expect(carrier.has('BYE')).toBe(false);
  });
});
