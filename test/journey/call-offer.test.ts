import { expect, it } from 'vitest';
import type { SipResponse } from '#appliance/sip/message/index.ts';
import { eachWithTelephones, hangsUp, talking } from '#test/support/talking.ts';
import type { Telephone, telephones } from '#test/support/telephone.ts';

/* Where offers may stand beside INVITE: in a body of several parts, in PRACK, in an UPDATE before the answer. */

let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;

eachWithTelephones({ anna: '192.0.2.20', bo: '192.0.2.21' }, (made) => {
  ({ net, anna, bo } = made);
});

const parts = (boundary: string, ...bodies: readonly (readonly [type: string, body: string])[]): string =>
  `${bodies.map(([type, body]) => `--${boundary}\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`).join('')}--${boundary}--\r\n`;
const ISUP = ['application/isup;version=itu-t92+', '\x01\x00\x49\x00\x00\x0a\x02'] as const;
const contentType = 'multipart/mixed;boundary=cut';

const port = (message: SipResponse): string | undefined => /m=audio (\d+)/.exec(message.body.toString())?.[1];

it('an offer beside signalling of a telephone network (ISUP, RFC 3204) is taken', async () => {
  const sdp = parts('cut', ISUP, ['application/sdp', anna.describe()]);
  const { talk } = await talking(net, anna, bo, { sdp, contentType });
  bo.audio.press('4');
  await net.after(1_000);
  expect(anna.audio.digits.map(({ digit }) => digit)).toEqual(['4']);
  await hangsUp(net, anna, talk, bo);
});

it('a body whose parts cannot be kept apart is refused 400, and no telephone rings', async () => {
  await anna.invite('bo', net.pump, { sdp: anna.describe(), contentType });
  anna.response(400);
  await anna.invite('bo', net.pump, { sdp: anna.describe(), contentType: 'multipart/mixed' });
  anna.response(400);
  expect(bo.inbox).toEqual([]);
});

it.each(['INVITE', 'UPDATE'])('so is one of %s in a call, which goes on as it was', async (method) => {
  const { talk } = await talking(net, anna, bo);
  anna.inDialog(talk, method, { headers: [['Content-Type', contentType]], body: 'no parts' });
  await net.pump();
  anna.response(400, method);
  bo.audio.press('4');
  await net.after(1_000);
  expect(anna.audio.digits.map(({ digit }) => digit)).toEqual(['4']);
  await hangsUp(net, anna, talk, bo);
});

it.each(['PRACK', 'UPDATE'])(
  'a new offer in %s, before anybody has answered, is answered and holds',
  async (by) => {
    const talk = await anna.invite('bo', net.pump, { headers: [['Supported', '100rel']] });
    const invite = bo.request('INVITE');
    bo.hearPort(invite);
    bo.respond(invite, 183, { sdp: bo.describe() });
    await net.pump();
    const early = anna.response(183);
    expect(early.header('Require')).toBe('100rel');
    talk.theirTag = early.to.tag ?? '';
    // It moves to another port: there it is heard from now on, and nowhere else.
    const moved = anna.describe({ formats: '8', version: 2 });
    const rack = ['RAck', `${early.header('RSeq')} ${talk.inviteCseq} INVITE`] as const;
    if (by === 'UPDATE') {
      anna.inDialog(talk, 'PRACK', { headers: [rack] });
      await net.pump();
      anna.response(200, 'PRACK');
    }
    anna.inDialog(talk, by, { sdp: moved, ...(by === 'PRACK' && { headers: [rack] }) });
    await net.pump();
    const answer = anna.response(200, by);
    expect([port(answer), answer.body.toString().includes('a=rtpmap:101')]).toEqual([port(early), false]);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    bo.request('ACK');
    const ok = anna.response(200);
    expect(ok.contentLength).toBe(0);
    anna.acknowledge(talk, ok);
    anna.audio.talkTo(Number(port(answer)));
    await net.pump();
    await hangsUp(net, anna, talk, bo);
  },
);

it.each([
  ['no description', () => undefined],
  ['another transport of audio', () => bo.describe().replace('RTP/AVP', 'RTP/SAVP')],
])('an answer with %s is acknowledged before the call is ended', async (_, answer) => {
  await anna.invite('bo', net.pump);
  const invite = bo.request('INVITE');
  const sdp = answer();
  bo.respond(invite, 200, sdp === undefined ? {} : { sdp });
  await net.pump();
  // The other way round the one who answered would repeat its 200 for half a minute (RFC 3261 13.3.1.4).
  expect(bo.inbox.flatMap((each) => (each.kind === 'request' ? [each.method] : []))).toEqual(['ACK', 'BYE']);
});
