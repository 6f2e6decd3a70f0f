import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

/*
 * Damaged alarms by MESSAGE, through the whole appliance: an alarm with a warning results, or a person
 * hears what was lost, never silence; and the device is answered as its protocol says.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;

beforeEach(async () => {
  site = await testAppliance();
  site.answerBy(() => answered({ action: 'drop' }));
  site.notify('https://app.example/alarms');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect') && !line.includes('no space'))).toEqual([]);
  await site.close();
});

interface Report {
  readonly sessionId: string;
  readonly sipFrom: string;
  readonly alarmEvent: Readonly<Record<string, unknown>>;
  readonly sourceAlarmEvent: { readonly raw: string; readonly warnings: readonly string[] };
}
const reported = () =>
  site.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => body as unknown as Report);

/** Platform alarms for a person, by error. */
const errors = () => site.posted.flatMap(({ body }) => body.error ?? []);

const nowip = (data: string) => encodeAtm({ version: '1', type: '1', data, time: '.', mac: '.' });
const SCAIP = '<mrq><ref>R1</ref><cid>c-1</cid><dty>0003</dty><stc>0010</stc></mrq>';
const LACS = '<lacs><ref>7</ref><unit><id>lift-9</id></unit><event>E1</event></lacs>';
/** No schema of LACS is public: the customer's profile says where everything stands. */
const OUR_LACS = {
  enabled: true,
  requestRoot: 'lacs',
  fieldPaths: { controllerId: 'unit/id', eventCode: 'event', reference: 'ref' },
  eventTable: { E1: { deviceType: 'fixedTrigger', statusCode: 'alarm', audio: 'duplex' } },
  reply: { template: '<answer ref="{{reference}}"/>' },
};

function bridge(protocol: string, fields: Record<string, unknown> = {}) {
  const row = { name: 'ours', kind: 'xml', extends: 'lacs', content: OUR_LACS };
  site.tenant.put('protocolprofile', 'ours', protocolProfileSchema.parse(row));
  const named = protocol === 'lacs' ? { protocolProfile: 'ours' } : {};
  site.bridge({ protocol, name: 'Units', destinationMatch: '^here$', ...named, ...fields });
}

const send = (user: string, body: string, extra: [string, string][] = []) =>
  site.request('MESSAGE', user, { body, uri: 'sip:here@care.example', headers: extra });

/** Bodies that went to devices. */
const answers = () =>
  site
    .take()
    .filter((each) => each.kind === 'request')
    .map((each) => each.body.toString());

const ALARM: Readonly<Record<string, { readonly body: string; readonly taken: RegExp }>> = {
  scaip: { body: SCAIP, taken: /<snu>0<\/snu>/ },
  nowip: { body: nowip('010012345678000101000000'), taken: /<type>A<\/type>/ },
  lacs: { body: LACS, taken: /<answer ref="7"\/>/ },
};
const PROTOCOLS = Object.keys(ALARM);
const of = (protocol: string) => ALARM[protocol] ?? { body: '', taken: /$^/ };

describe.each(PROTOCOLS)('%s', (protocol) => {
  const { body, taken } = of(protocol);

  it('two devices with one identity are two alarms; what one says again is acknowledged and is none', async () => {
    bridge(protocol);
    send('one', body);
    send('two', body);
    await site.quiet();
    expect(reported().map(({ sipFrom }) => sipFrom)).toEqual(['one', 'two']);
    expect(new Set(reported().map(({ sessionId }) => sessionId)).size).toBe(2);
    answers();
    send('two', body);
    await site.quiet();
    expect(reported()).toHaveLength(2);
    expect(answers()).toEqual([expect.stringMatching(taken)]);
  });

  it('an unknown unit: reported, and its alarm is handled', async () => {
    bridge(protocol);
    send('one', body);
    await site.quiet();
    expect(answers()).toEqual([expect.stringMatching(taken)]);
    expect(reported()).toHaveLength(1);
    const unknown = site.posted.filter(({ body: said }) => said.type === 'unknownDevice');
    expect(unknown).toMatchObject([{ body: { protocol, sipFrom: 'one' } }]);
  });

  it('while the disk is full it gets no acknowledge; what it says again is the alarm', async () => {
    bridge(protocol);
    site.breakDisk(true);
    send('one', body);
    await site.quiet();
    expect(answers()).toEqual([]);
    site.breakDisk(false);
    send('one', body);
    await site.quiet();
    expect(answers()).toEqual([expect.stringMatching(taken)]);
    expect(reported()).toHaveLength(1);
  });

  it('a device that never calls although it is to speak: a person is notified', async () => {
    site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    bridge(protocol, { defaultEmergencyDestination: 'sip:arc@arc.example' });
    send('one', protocol === 'scaip' ? body.replace('</mrq>', '<crd>sip:</crd></mrq>') : body);
    await site.quiet();
    expect(errors()).toEqual([]);
    await site.after(61_000);
    expect(errors()).toEqual(['voiceCallMissing']);
  });

  it.each(['A0100123', '<other/>', '<!DOCTYPE x><mrq/>', '<a><b></a>'])(
    'a message that is none of its protocol (%s) goes nowhere, and a person is notified',
    async (said) => {
      bridge(protocol);
      site.device({ deviceId: 'one' });
      send('one', said);
      await site.quiet();
      expect(reported()).toEqual([]);
      expect(errors()).toEqual([protocol === 'scaip' ? 'scaipRejected' : 'noReceiver']);
    },
  );
});

it.each([
  ['scaip', SCAIP.replace('0003', '9999').replace('0010', '8888')],
  ['nowip', nowip('010012345678000199900000')],
  ['lacs', LACS.replace('E1', 'E9')],
  ['lacs', LACS.replace('<event>E1</event>', '')],
])('%s: unknown codes are a warning', async (protocol, body) => {
  bridge(protocol);
  send('one', body);
  await site.quiet();
  expect(reported()).toHaveLength(1);
  expect(reported()[0]?.sourceAlarmEvent.warnings.join()).toMatch(/unknown/);
});

it.each(PROTOCOLS.flatMap((protocol) => [1_400, 8_000, 60_000].map((length) => [protocol, length] as const)))(
  '%s: a request of %i bytes is an alarm',
  async (protocol, length) => {
    bridge(protocol);
    const { body } = of(protocol);
    const end = body.lastIndexOf('</');
    const filled = `${body.slice(0, end)}<x>${'y'.repeat(length - body.length - 7)}</x>${body.slice(end)}`;
    expect(filled).toHaveLength(length);
    send('one', filled);
    await site.quiet();
    expect(reported()).toHaveLength(1);
  },
);

it.each([
  ['', '0'],
  ['0100', '0'],
  [`0100${'87654321'}00AA`, '87654321'],
])(
  'NOW-IP: unreadable digits %j are an alarm with a warning, acknowledged once stored',
  async (data, controllerId) => {
    bridge('nowip');
    send('one', nowip(data));
    send('one', nowip(data));
    await site.quiet();
    expect(reported()).toMatchObject([
      { alarmEvent: { controllerId, statusCode: 'alarm' }, sourceAlarmEvent: { warnings: ['unreadable'] } },
    ]);
    // A device that says it twice waits twice.
    expect(answers().map((body) => /<type>(.)</.exec(body)?.[1])).toEqual(['A', 'A']);
  },
);

describe('LACS', () => {
  it('without an identity it is the alarm of the number it came from', async () => {
    bridge('lacs');
    send('+4612345', LACS.replace('<id>lift-9</id>', ''));
    await site.quiet();
    expect(reported()).toMatchObject([
      { alarmEvent: { controllerId: '+4612345' }, sourceAlarmEvent: { warnings: ['noIdentity'] } },
    ]);
  });

  it.each([
    ['with a reference', LACS, 29 * 60_000, 31 * 60_000],
    ['without a reference', LACS.replace('<ref>7</ref>', ''), 100_000, 130_000],
  ])('%s: the same body is a repeat for a while, then another alarm', async (_, body, repeatMs, newMs) => {
    bridge('lacs');
    const events = async () => {
      send('one', body);
      await site.quiet();
      return reported().length;
    };
    expect(await events()).toBe(1);
    await site.after(repeatMs);
    expect(await events()).toBe(1);
    await site.after(newMs - repeatMs);
    expect(await events()).toBe(2);
  });

  it('with another reference, content or sender it is another alarm', async () => {
    bridge('lacs');
    for (const body of [LACS, LACS.replace('7', '8'), LACS.replace('E1', 'E2')]) send('one', body);
    await site.quiet();
    expect(reported()).toHaveLength(3);
  });

  it('goes nowhere with a content type that the profile does not name, and a person is notified', async () => {
    bridge('lacs');
    const content = { ...OUR_LACS, contentTypesAccepted: ['application/x-lift'] };
    const row = { name: 'ours', kind: 'xml', extends: 'lacs', content };
    site.tenant.put('protocolprofile', 'ours', protocolProfileSchema.parse(row));
    site.device({ deviceId: 'one' });
    send('one', LACS);
    await site.quiet();
    expect([reported(), errors()]).toEqual([[], ['noReceiver']]);
  });
});

it.each([
  ['nowip', nowip('010012345678000101000000').replace('</data>', '').replace('ATM>', ' ATM >')],
  ['nowip', nowip('0100 12345678 0001 010 00 0 00')],
  ['lacs', LACS.replace('</id>', '').replace('<ref>', '<REF>')],
  ['lacs', LACS.replace('</lacs>', '')],
])(
  'a damaged message of %s is acknowledged and delivered with a warning and its text: %s',
  async (protocol, body) => {
    bridge(protocol);
    send('one', body);
    await site.quiet();
    expect(answers()).toEqual([expect.stringMatching(of(protocol).taken)]);
    expect(reported()).toMatchObject([{ sourceAlarmEvent: { raw: body } }]);
    expect(reported()[0]?.sourceAlarmEvent.warnings).not.toEqual([]);
    const unit = protocol === 'nowip' ? '12345678' : 'lift-9';
    expect(reported()[0]?.alarmEvent).toMatchObject({ controllerId: unit });
  },
);

it('a message of NOW-IP that says nothing is no alarm and has a line in the log', async () => {
  bridge('nowip');
  send('one', '<ATM><version>1</version><type>0</type><data>12</data><time>.</time><mac>.</mac></ATM>');
  await site.quiet();
  expect(reported()).toEqual([]);
  expect(site.logged.filter((line) => line.includes('nowip.message_not_understood'))).toHaveLength(1);
});
