import { afterEach, describe, expect, it } from 'vitest';
import { decodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

/* Requests as strangers and broken devices send them: each gets what it deserves, and no other device notices. */

type Site = Awaited<ReturnType<typeof testAppliance>>;
const opened: Site[] = [];

async function appliance(bridge: Record<string, unknown> = {}) {
  const site = await testAppliance();
  opened.push(site);
  site.bridge(bridge);
  site.device({ deviceId: 'scaip-0001' });
  site.answerBy(() => answered({ action: 'drop' }));
  return site;
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const alarm = (ref: string, rest = '<dty>0003</dty>', cid = 'scaip-0001') =>
  `<mrq><ref>${ref}</ref><cid>${cid}</cid>${rest}</mrq>`;

function requests(site: Site) {
  const sent = site.take();
  return sent.flatMap((message: SipMessage) => {
    if (message.kind === 'request') site.confirm(message);
    return message.kind === 'request' ? [message] : [];
  });
}

function scaip(site: Site) {
  return requests(site).flatMap((message) => {
    const response = decodeResponse(message.body);
    return response.ok ? [response.value] : [];
  });
}

let serial = 0;

/** A MESSAGE as text; `lines` replace the fields of the same name. */
function message(body: string, lines: Record<string, string> = {}, uri = 'sip:scaip@care.example') {
  const n = `r${serial++}`;
  const fields: Record<string, string> = {
    Via: `SIP/2.0/UDP 192.0.2.50:5060;branch=z9hG4bK${n};rport`,
    'Max-Forwards': '70',
    From: `<sip:scaip-0001@care.example>;tag=${n}`,
    To: '<sip:scaip@care.example>',
    'Call-ID': n,
    CSeq: '1 MESSAGE',
    'Content-Type': 'application/scaip+xml',
    'Content-Length': String(Buffer.byteLength(body)),
    ...lines,
  };
  const head = Object.entries(fields).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]));
  return `MESSAGE ${uri} SIP/2.0\r\n${head.join('\r\n')}\r\n\r\n${body}`;
}

const FROM: Record<string, string> = {
  'no user': '<sip:care.example>;tag=a',
  'a telephone number': '<tel:+4612345678>;tag=a',
  'an IPv6 host': '<sip:scaip-0001@[2001:db8::1]:5070>;tag=a',
  'a scheme in capitals': '<SIP:scaip-0001@care.example>;tag=a',
  'a user with parameters': '<sip:scaip-0001;ext=5@care.example;transport=udp>;tag=a',
  'an escaped user': '<sip:scaip%2D0001%00%0d%0a@care.example>;tag=a',
  'a password': '<sip:scaip-0001:secret@care.example>;tag=a',
  'a quoted name with an escaped NUL': '"a\\\0b" <sip:scaip-0001@care.example>;tag=a',
  'a folded field': '"x"\r\n <sip:scaip-0001@care.example>\r\n ;tag=a',
  'no angle brackets': 'sip:scaip-0001@care.example;tag=a',
  'eight thousand signs': `<sip:${'u'.repeat(7_800)}@care.example>;tag=a`,
  'signs beyond ASCII': '"\xc3\x85ke" <sip:\xc3\xa5ke@care.example>;tag=a',
  'a scheme of its own': '<im:scaip-0001@care.example>;tag=a',
  'no tag': '<sip:scaip-0001@care.example>',
};

describe('an alarm whose From has', () => {
  for (const [name, from] of Object.entries(FROM)) {
    it(`${name} is handled and answered`, async () => {
      const site = await appliance();
      site.datagram(message(alarm('F1'), { From: from }));
      site.datagram(message(alarm('F2')));
      await site.quiet();
      expect(site.logged.filter((line) => line.startsWith('error') || line.startsWith('defect'))).toEqual([]);
      expect(scaip(site).map(({ ref, snu }) => `${ref} ${snu}`)).toEqual(['F1 0', 'F2 0']);
      expect(site.runtime.load.alarms).toBe(0);
    });
  }
});

describe('an alarm with', () => {
  it.each([
    ['a To with parameters', { To: '"Rece\\"iver>" <sip:scaip@care.example;user=phone>;y="a;b>"' }],
    ['a content type with parameters', { 'Content-Type': 'Application/SCAIP+XML ; charset="utf-8"' }],
    ['no content type', { 'Content-Type': '' }],
    ['a type of plain XML', { 'Content-Type': 'text/xml' }],
    ['a length that leaves bytes behind', { 'Content-Length': String(alarm('V1').length) }],
  ])('%s is handled', async (_, lines) => {
    const site = await appliance();
    site.datagram(message(alarm('V1'), lines));
    await site.quiet();
    expect(scaip(site).map(({ ref, snu }) => `${ref} ${snu}`)).toEqual(['V1 0']);
  });

  it('an empty body is refused in words of the protocol', async () => {
    const site = await appliance();
    site.datagram(message('', { 'Content-Type': '' }));
    await site.quiet();
    expect(scaip(site)).toMatchObject([{ ref: '0', snu: 2 }]);
  });

  it('text for a receiver of SCAIP is no alarm and is answered', async () => {
    const site = await appliance();
    site.datagram(message('help', { 'Content-Type': 'text/plain' }));
    await site.quiet();
    expect(site.take()).toMatchObject([{ status: 404 }]);
  });

  it('a telephone number as its receiver finds the bridge of that number', async () => {
    const site = await appliance({ destinationMatch: '^\\+46771$' });
    site.datagram(message(alarm('T1'), {}, 'tel:+46771'));
    await site.quiet();
    expect(scaip(site).map(({ ref, snu }) => `${ref} ${snu}`)).toEqual(['T1 0']);
  });

  it('a scheme in capitals is answered at the contact of its device', async () => {
    const site = await appliance();
    site.request('REGISTER', 'scaip-0001', {
      uri: 'sip:scaip-0001@care.example',
      headers: [['Contact', '<sip:unit@10.1.2.3>']],
    });
    site.datagram(message(alarm('C1'), { From: '<SIP:scaip-0001@care.example>;tag=a' }));
    await site.quiet();
    expect(requests(site).map(({ uriText }) => uriText)).toEqual(['sip:unit@10.1.2.3']);
  });

  it('the branch of another device in the same moment is an alarm of its own', async () => {
    const site = await appliance();
    const via = { Via: 'SIP/2.0/UDP 192.168.1.50:5060;branch=z9hG4bK1;rport' };
    site.datagram(message(alarm('B1'), via));
    site.datagram(message(alarm('B1', '<dty>0003</dty>', 'other'), { ...via, From: '<sip:other@x>;tag=1' }));
    await site.quiet();
    expect(site.posted).toHaveLength(2);
  });
});

describe('a device that may not', () => {
  it.each([
    ['disabled', { authType: 'disabled' }],
    ['userid', { authType: 'userid' }],
  ])('send by itself (%s) is refused, and a person is notified once', async (_, fields) => {
    const site = await appliance();
    site.notify('https://app.example/alarm');
    site.device({ deviceId: 'shut', ...fields });
    for (let i = 0; i < 3; i++) {
      site.datagram(
        message(alarm(`S${i}`, '<dty>0003</dty>', 'shut'), { From: '<sip:shut@care.example>;tag=1' }),
      );
    }
    await site.quiet();
    expect(site.take().map((each) => each.kind === 'response' && each.status)).toEqual([403, 403, 403]);
    expect(site.posted.map((each) => each.body.type)).toEqual(['authError']);
  });
});

describe('a heartbeat', () => {
  const heartbeat = (cid: string) => alarm('H', '<mty>PI</mty><dty>0002</dty>', cid);

  it('supervises a device that is known by its number', async () => {
    const site = await appliance({ resolveDeviceFromDeviceCLI: true });
    const serviceData = { alarmBridge: { heartbeatInterval: 300_000 } };
    site.device({ deviceId: 'flat-12', deviceCLI: '+4670123', serviceData });
    site.datagram(message(heartbeat('9999'), { From: '<sip:+4670123@care.example>;tag=1' }));
    await site.quiet();
    await site.after(300_000);
    expect(site.journal.heartbeats().map(({ deviceId }) => deviceId)).toEqual(['flat-12']);
  });

  it('is answered for an unknown unit', async () => {
    const site = await appliance({ defaultHeartbeatInterval: 300_000 });
    site.datagram(message(heartbeat('nobody'), { From: '<sip:nobody@x>;tag=1' }));
    await site.quiet();
    expect(scaip(site)).toMatchObject([{ snu: 0 }]);
  });
});
