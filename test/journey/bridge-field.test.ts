import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeAtm, encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { protocolProfileRequestSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { takesCall } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;

const STRING = 'A01001234567800010100000000#';

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
});
afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const bridge = (fields: Record<string, unknown>) =>
  site.bridge({
    protocol: 'bs8521',
    destinationMatch: '^analogue$',
    defaultEmergencyDestination: 'sip:arc@care.example',
    ...fields,
  });
/** The unit as it registers and calls, and as its string names it. */
const device = async (alarmBridge: Record<string, unknown> = {}) => {
  unit = await net.device('unit', '192.0.2.30', { serviceData: { alarmBridge } });
  if (Object.keys(alarmBridge).length > 0)
    site.device({ deviceId: '12345678:0001', authType: 'disabled', serviceData: { alarmBridge } });
};

/** Digits the unit has heard since the last look, with their lengths rounded to 10 ms. */
const received = (phone = unit): string[] =>
  phone.audio.digits.splice(0).map(({ digit, ms }) => `${digit} ${Math.round(ms / 10) * 10}`);

const reported = () =>
  site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent').map(({ body }) => body);

async function called(user = 'analogue') {
  const talk = await unit.invite(user, net.pump);
  unit.acknowledge(talk, unit.response(200));
  await net.pump();
  return talk;
}

/** The unit says its string and is acknowledged. */
async function said(string = STRING) {
  unit.audio.press(string);
  await net.after(5_500);
}

describe('how the device is asked', () => {
  it('dataRequestInterval: between two requests', async () => {
    bridge({ dataRequestInterval: 3_000 });
    await device();
    await called();
    await net.after(2_500);
    expect(received()).toEqual(['B 600']);
    await net.after(1_500);
    expect(received()).toEqual(['B 600']);
  });

  it('protocolProfile: request, interval and acknowledge of the tenant', async () => {
    site.tenant.put(
      'protocolprofile',
      'ours',
      protocolProfileRequestSchema.parse({
        name: 'ours',
        kind: 'tone',
        extends: 'bs8521',
        content: {
          trigger: { send: [{ digit: 'C', ms: 300 }], repeatEveryMs: 2_400 },
          ack: [{ digit: 'C', ms: 120 }],
        },
      }),
    );
    bridge({ protocolProfile: 'ours' });
    await device();
    await called();
    await net.after(2_200);
    expect(received()).toEqual(['C 300']);
    await net.after(1_000);
    expect(received()).toEqual(['C 300']);
    await said();
    expect(received()).toEqual(['C 120']);
    expect(reported()).toHaveLength(1);
  });

  it('toneSettings: tones for the device as RFC 4733 events', async () => {
    bridge({ toneSettings: { callerDtmfSendType: '2833', calleeDtmfSendType: 'inaudio' } });
    await device();
    await called();
    await net.after(1_000);
    expect(unit.audio.digits.map(({ by }) => by)).toEqual(['rfc4733']);
  });

  it.each([
    ['combined', undefined, true],
    ['combined', 'dtmf', false],
    ['standard', undefined, false],
    [undefined, undefined, false],
  ])(
    'dataRequestType %s, protocolMode %s: the request begins with sequential tones: %s',
    async (dataRequestType, protocolMode, isSequential) => {
      bridge({
        protocol: 'tt92',
        toneSettings: { ...(dataRequestType && { dataRequestType }) },
        ...(protocolMode && { protocolMode }),
      });
      await device();
      await called();
      await net.after(800);
      expect(received().slice(-2)).toEqual(['0 80', '# 80']);
      await said('D#1007123456789***000000');
      const [request] = site
        .trace(String(reported()[0]?.traceId))
        .filter(({ kind }) => kind === 'tonePlayed')
        .map(({ detail }) => JSON.stringify(detail.tones));
      expect(request).toMatch(isSequential ? /^\[\{"stmf":true,"digits":"0"/ : /^\[\{"digits":"0#"/);
    },
  );

  it('fallbackAlarmProtocol: once more, for who answers nothing else', async () => {
    bridge({ protocol: 'p100', fallbackAlarmProtocol: 'ttnew' });
    await device();
    await called();
    await net.after(11_500);
    expect(received()).toEqual(['D 100', 'D 100', 'D 100', 'D 80', 'B 80']);
    await said('D#1017123456******000000');
    expect(reported()).toMatchObject([
      { sourceAlarmProtocol: 'ttnew', alarmEvent: { controllerId: '123456' } },
    ]);
  });

  it('protocol rb2000: as the customer describes it; before that the call itself is the event', async () => {
    bridge({ protocol: 'rb2000', protocolProfile: 'rb' });
    const content = {
      enabled: true,
      trigger: { send: [{ digit: 'C', ms: 200 }], waitBeforeMs: 500, repeatEveryMs: 3_000, max: 2 },
      frame: [
        ['controllerId', 4],
        ['eventCode', 2],
        ['check', 2],
      ],
      check: { policy: 'verify', method: 'sumMod100', maxRejects: 1 },
      ack: [{ digit: 'A', ms: 100 }],
      eventTable: { '07': { deviceType: 'fixedTrigger', statusCode: 'alarm', audio: 'duplex' } },
    };
    const row = { name: 'rb', kind: 'tone', extends: 'rb2000' };
    site.tenant.put('protocolprofile', 'rb', protocolProfileRequestSchema.parse({ ...row, content }));
    await device();
    const talk = await called();
    await net.after(1_500);
    expect(received()).toEqual(['C 200']);
    await said('12340717');
    expect(received()).toEqual(['A 100']);
    expect(reported()).toMatchObject([
      {
        sourceAlarmProtocol: 'rb2000',
        alarmEvent: { controllerId: '1234', deviceType: 'fixedTrigger', statusCode: 'alarm' },
        sourceAlarmEvent: { check: { result: 'ok' }, warnings: [] },
      },
    ]);
    unit.inDialog(talk, 'BYE');
    await net.after(1_000);
    site.tenant.put('protocolprofile', 'rb', protocolProfileRequestSchema.parse({ ...row, content: {} }));
    await called();
    await net.after(1_000);
    expect(reported().at(-1)).toMatchObject({
      sourceAlarmProtocol: 'voicecall',
      alarmEvent: { statusCode: 'alarm' },
    });
  });
});

describe('speech with the device', () => {
  async function arcOf(name = 'arc') {
    return await net.device(name, '192.0.2.31');
  }

  it.each([
    ['speak', '7'],
    ['listen', '8'],
  ])('enforceSpeakListen %s: said as speech is joined', async (enforceSpeakListen, digit) => {
    bridge({ enforceSpeakListen });
    await device();
    const arc = await arcOf();
    await called();
    await net.after(1_000);
    await said();
    const invite = arc.request('INVITE');
    arc.respond(invite, 200, { sdp: arc.describe() });
    await net.after(2_000);
    expect(received().join(', ')).toContain(`A 250, ${digit} 80`);
  });

  it.each([
    [true, ['A 250', 'D 80']],
    [false, []],
  ])(
    'arcDisconnectClearsCall %s: the device is cleared when the centre leaves, or waits',
    async (yes, expected) => {
      bridge({ arcDisconnectClearsCall: yes });
      await device();
      const arc = await arcOf();
      await called();
      await net.after(1_000);
      await said();
      const invite = await takesCall(arc, net);
      await net.after(500);
      received();
      arc.inDialog(arc.answeredTalk(invite), 'BYE');
      await net.after(900);
      expect(received()).toEqual(expected);
    },
  );

  it('emergencyDestination of the device goes before that of the bridge', async () => {
    bridge({});
    await device({ emergencyDestination: 'sip:own@care.example' });
    const own = await arcOf('own');
    await called();
    await net.after(1_000);
    await said();
    expect(own.request('INVITE').uriText).toContain('own@');
  });

  it('usePredefinedDestination and destinationRewrite: whom the device reaches with its call', async () => {
    bridge({});
    await device({ usePredefinedDestination: true, destinationRewrite: 'sip:$1-desk@care.example' });
    const centre = await arcOf('analogue-desk');
    await called();
    await net.after(1_000);
    await said();
    expect(centre.request('INVITE').uriText).toContain('analogue-desk@');
  });

  it('destinationRewrite: a call that is no alarm leads there too', async () => {
    bridge({});
    await device({ destinationRewrite: 'sip:desk@care.example' });
    const centre = await arcOf('desk');
    await unit.invite('+4612345', net.pump);
    await net.pump();
    expect(centre.request('INVITE').uriText).toContain('desk@');
  });
});

it('a string for a bridge of another tenant site has its customerSiteId, and an unknown unit is reported', async () => {
  bridge({ customerSiteId: 'north' });
  site.notify('https://app.example/alarms');
  await device();
  await called();
  await net.after(1_000);
  await said();
  expect(reported()).toMatchObject([{ customerSiteId: 'north' }]);
  const unknown = site.posted.find(({ body }) => body.type === 'unknownDevice');
  expect(unknown?.body).toMatchObject({ deviceId: 'north:12345678:0001', protocol: 'bs8521' });
});

it.each([
  ['12345678', 'alarmbridgeGroupSchemeController', 'A00001#'],
  ['12345678:0001', 'alarmbridgeGroupSchemeUnit', 'A00001#'],
  ['12345678', 'groupScheme', 'A00001#'],
  ['12345678', 'alarmUnit', ''],
])(
  'a unit of %s, a %s, that names no scheme: it is selected with %j',
  async (deviceId, deviceType, asked) => {
    bridge({});
    await device();
    site.device({ deviceId, authType: 'disabled', deviceType });
    await called();
    await net.after(1_000);
    unit.audio.digits.splice(0);
    unit.audio.press(STRING);
    await net.after(6_000);
    const digits = unit.audio.digits.splice(0).map(({ digit }) => digit);
    expect(digits.join('')).toMatch(new RegExp(`^B${asked}`));
    expect(digits.length > 1).toBe(asked !== '');
    // The callback carries the words as they were said.
    expect(reported()).toMatchObject([{ alarmEvent: { systemConfig: 'localUnitAndController' } }]);
  },
);

it.each([
  ['groupScheme', ['A ', '2 00001']],
  ['alarmUnit', ['A ']],
])('NOW-IP: the unit of a controller that is provisioned as %s hears %j', async (deviceType, expected) => {
  bridge({ protocol: 'nowip' });
  unit = await net.device('unit', '192.0.2.30', { authType: 'deviceid', digest: undefined }, false);
  site.device({ deviceId: '12345678', authType: 'disabled', deviceType });
  const atm = encodeAtm({
    version: '1',
    type: '1',
    data: '010012345678000101000000',
    time: '.',
    mac: '.',
  });
  unit.send({
    method: 'MESSAGE',
    uri: 'sip:analogue@care.example',
    headers: [
      ['From', '<sip:unit@care.example>;tag=m'],
      ['To', '<sip:analogue@care.example>'],
      ['Call-ID', 'nowip-alarm'],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/xml'],
    ],
    body: Buffer.from(atm),
  });
  await net.pump();
  const talk = await unit.invite('analogue', net.pump, { challenged: false });
  unit.acknowledge(talk, unit.response(200));
  await net.after(1_500);
  const received: string[] = [];
  while (unit.has('MESSAGE')) {
    const request = unit.request('MESSAGE');
    unit.respond(request, 200);
    const read = decodeAtm(request.body);
    if (read.ok) received.push(`${read.value.type} ${read.value.data}`);
  }
  expect(received).toEqual(expected);
});
