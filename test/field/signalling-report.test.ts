import { describe, expect, it } from 'vitest';
import { parseMessage } from '#appliance/sip/message/index.ts';
import { answerOffer, formatSdp, parseSdp } from '#appliance/sip/sdp/index.ts';
import { Stage, udp } from '#test/appliance/sip/endpoint/stage.ts';
import { plan } from '#test/appliance/sip/sdp/fixture.ts';

/* Requests and descriptions as public reports show them; `README.md` names the report of each. */

const request = (fields: readonly string[], method = 'MESSAGE'): Buffer =>
  Buffer.from(
    [
      `${method} sip:scaip@care.example SIP/2.0`,
      ...(fields.some((field) => /^(Via|v):/i.test(field))
        ? []
        : ['Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKone;rport']),
      'Max-Forwards: 70',
      ...(fields.some((field) => /^From:/i.test(field)) ? [] : ['From: <sip:unit@care.example>;tag=f1']),
      ...(fields.some((field) => /^To:/i.test(field)) ? [] : ['To: <sip:scaip@care.example>']),
      'Call-ID: report-1',
      `CSeq: 1 ${method}`,
      ...fields,
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n'),
  );

describe('a field that is read', () => {
  it.each([
    // freeswitch 2824
    ['Contact: <sip:+358-555-1234567;postd=pp22@192.0.2.1:5060;user=phone>', 1],
    // kamailio 3682
    ['Contact: <sip:u@192.0.2.1:5060;transport=tcp>;+u.sip!devicename.ccm.cisco.com="SEP5486BC7F2BBC"', 1],
    // JsSIP 66
    [
      'Contact: <sip:123@v.invalid;transport=ws>;expires=3600;reg-id=1;+sip.instance="<urn:uuid:d8d542fb>";transport=ws',
      1,
    ],
    // asterisk-i 97
    ['Contact: sip:xpto@192.0.2.1;+sip.instance="<urn:gsma:imei:ABCDEF-GHIJKL-M>";audio', 1],
    // go-b2bua 7
    ['Contact: <sip:k@192.0.2.1;gr=urn:uuid:3bc8>;+org.linphone.specs="ephemeral/1.1,groupchat/1.1,lime"', 1],
    // SIP.js 560
    [
      'm:<sip:34098f8f@8r.invalid;transport=ws>;expires=600,<sip:PBX#1000#905448737777@192.0.2.9>;expires=2519533',
      2,
    ],
  ])('%s', (field, count) => {
    const read = parseMessage(request([field], 'REGISTER'));
    expect(read.ok && read.value.contacts).toMatchObject({ ok: true, value: { length: count } });
  });

  it.each([
    // sip-js 3, p2p-sip 11
    ['To: "" <sip:222@care.example>;epid=a22edc020e;tag=4adc8bd5d0', 'To'],
    ['From: "" <sip:unit@care.example>;tag=f1', 'From'],
    // doubango 333, imsdroid 308
    ['From: "中文字符" <sip:unit@care.example>;tag=f1', 'From'],
    ['From: Åsa Öberg <sip:unit@care.example>;tag=f1', 'From'],
  ])('%s', (field) => {
    const read = parseMessage(request([field]));
    expect(read.ok).toBe(true);
  });

  // SIP.js 419: RFC 3261 25.1 has no quotes in a parameter of a URI.
  it('no Contact whose URI has a parameter in quotes: the one who registers learns it', () => {
    const contact = 'Contact: <sip:127.0.0.1:443;transport=wss;thinfo="VG8+PoIUYHSD/sWAZZw/BCEaSdGA=">';
    const stage = new Stage();
    stage.receive(request([contact], 'REGISTER'));
    expect(stage.statuses()).toEqual([400]);
  });

  // pjproject 1363: what pjsua once wrote; an alarm is read, its name is lost.
  it('an unquoted comma in the display name of a Contact', () => {
    const stage = new Stage();
    stage.onDeliver = (_, server) => void server.respond({ status: 200 }, stage.nowMs);
    stage.receive(request(['Contact: Lastname, Firstname <sip:joe@192.0.2.1>']));
    expect(stage.statuses()).toEqual([200]);
  });
});

describe('an answer', () => {
  // livekit/sip 388, drachtio-server 374
  it('goes to the source of a client that names its inside in the Via', () => {
    const stage = new Stage();
    stage.onDeliver = (_, server) => void server.respond({ status: 200 }, stage.nowMs);
    const from = { ...udp, remoteAddress: '203.0.113.9', remotePort: 50_933 };
    stage.receive(request(['Via: SIP/2.0/UDP 10.10.3.7:5060;branch=z9hG4bKin']), from);
    expect(stage.sent.map(({ flow }) => flow)).toEqual([from]);
  });

  // sems 281
  it('to another version is 505; who is the last to hear needs no hops', () => {
    const stage = new Stage();
    stage.onDeliver = (_, server) => void server.respond({ status: 200 }, stage.nowMs);
    const text = request([]).toString();
    stage.receive(text.replace('SIP/2.0\r\n', 'SIP/3.0\r\n'));
    stage.receive(text.replace('Max-Forwards: 70', 'Max-Forwards: 0').replace('report-1', 'report-2'));
    expect(stage.statuses()).toEqual([505, 200]);
  });
});

const HEAD = 'v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\n';
const AUDIO = 'm=audio 6000 RTP/AVP 8 101\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\n';

/** The m-lines of our answer, or why there is none. */
function answerTo(text: string): string {
  const read = parseSdp(text);
  if (!read.ok) return `refused: ${read.error.reason}`;
  const answer = answerOffer(read.value, plan());
  if (!answer.ok) return `refused: ${answer.error.reason}`;
  return (
    formatSdp(answer.value.local)
      .match(/^m=.*/gm)
      ?.map((line) => line.replace(/ \d+ /, (port) => (port === ' 0 ' ? port : ' P ')))
      .join(' | ') ?? 'nothing'
  );
}

describe('a description that is answered', () => {
  const C = 'c=IN IP4 192.0.2.1\r\n';
  it.each([
    // re 86
    [
      `${HEAD}${C}t=0 0\r\n${AUDIO}a=ptime:20\r\na=maxptime:150\r\nm=video 16024 RTP/AVP 99\r\na=rtpmap:99 H264/90000\r\n`,
      'video 0',
    ],
    // linphone-desktop 7
    [
      `${HEAD}${C}t=0 0\r\n${AUDIO}a=rtcp:6001\r\nm=video 11406 RTP/AVP 102\r\na=rtpmap:102 H264/90000\r\nb=AS:1024\r\na=recvonly\r\n`,
      'video 0',
    ],
    // retina 26: attributes in front of t=, e=NONE
    [
      `${HEAD}e=NONE\r\n${C}a=tool:LIVE555 Streaming Media v2011.05.25\r\nt=0 0\r\na=range:npt=0-\r\n${AUDIO}`,
      '',
    ],
    // retina 33: no t= at all, c= behind m=
    [`${HEAD}${AUDIO.replace('\r\n', `\r\n${C}`)}`, ''],
    // rtpengine 2122
    [`${HEAD}${C}t=0 0\r\n${AUDIO}m=video 0 RTP/AVP 255\r\nc=IN IP4 192.0.2.1\r\n`, 'video 0'],
    // opensips 51
    [
      `${HEAD}i=(o=IN IP4 192.168.1.100)\r\nb=AS:84\r\nt=0 0\r\n${AUDIO}c=IN IP4 192.0.2.1\r\nb=TIAS:64000\r\n`,
      '',
    ],
    // pjproject 2094
    [`${HEAD}${C}t=0 0\r\nm=audio 6000 RTP/AVP 8\r\na=fmtp:\r\na=fmtp:8\r\na=fmtp\r\na=fmtp:abc x\r\n`, ''],
    // sipml5 45
    [`${HEAD}${C}t=0 0\r\n${AUDIO}a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:GoD큈Nꌖ\u0001\u0002ﺱ\r\n`, ''],
  ])('%j', (text, rest) => {
    const answer = answerTo(text);
    expect(answer).toMatch(/^m=audio P RTP\/AVP 8/);
    expect(answer).toContain(rest);
  });
});

describe('a description that is refused with a reason', () => {
  // rtpengine 1958: it crashed the process there.
  it('v= without a number, then v=0', () => {
    expect(answerTo(`v=\nv=0\r\n${HEAD.slice(5)}c=IN IP4 192.0.2.1\r\nt=0 0\r\n${AUDIO}`)).toMatch(
      /^refused: ./,
    );
  });
});
