import { describe, expect, it } from 'vitest';
import { HistoryTrial, type PastAlarm, pastAlarm } from '#appliance/alarm/history/index.ts';
import type { ReceiverBridge } from '#appliance/alarm/receiver/index.ts';
import { codedFrom } from '#shared/alarm-event/index.ts';
import {
  alarmBridgeRequestSchema,
  type Device,
  deviceRequestSchema,
} from '#shared/contract/provisioning/index.ts';

const HOST = { domain: 'care.example', ivrServer: '192.0.2.10', siteId: 'north' };

const bridge = (id: string, given: object = {}): ReceiverBridge => ({
  ...alarmBridgeRequestSchema.parse({
    ...{ protocol: 'scaip', name: `Centre ${id}`, destinationMatch: '^scaip' },
    callbackBaseUrl: 'https://arc.example/cb',
    ...given,
  }),
  id,
});
const device = (deviceId: string, given: object = {}): Device =>
  deviceRequestSchema.parse({ deviceId, authType: 'deviceid', srtp: 'negotiated', ...given });

let count = 0;
const alarm = (given: Partial<PastAlarm['facts']> = {}, priority = 0): PastAlarm => {
  const sessionId = `s${++count}`;
  return {
    facts: {
      ...{ sessionId, traceId: `t-${sessionId}`, bridgeId: 'day', protocol: 'scaip' as const },
      ...{ customerSiteId: undefined, sipFrom: '0042', calledParty: 'scaip-1', sourceIp: '192.0.2.50' },
      ...{ deviceId: '0042', createdMs: 1_000 + count },
      ...given,
    },
    events: [
      {
        ordinal: 0,
        event: {
          controllerId: '0042',
          deviceType: codedFrom('deviceType', 'fallDetector'),
          statusCode: codedFrom('statusCode', 'alarm'),
          ...{ audio: 'duplex' as const, priority },
        },
        source: {
          ...{ protocol: 'scaip', raw: '<mrq/>', fields: {} },
          ...{ check: { policy: 'ignore', result: 'none' }, warnings: [] },
        },
      },
    ],
  };
};

function tried(
  working: readonly ReceiverBridge[],
  draft: readonly ReceiverBridge[],
  alarms: readonly PastAlarm[],
  devices: readonly Device[] = [],
) {
  const byId = (id: string) => devices.find(({ deviceId }) => deviceId === id);
  const trial = new HistoryTrial({ working, draft, devices: { byId, byCli: () => undefined }, host: HOST });
  for (const each of alarms) trial.take(each);
  return trial.sums();
}

describe('a draft tried on alarms that came', () => {
  it('names those that another receiver would have taken, with examples, and counts the rest', () => {
    const working = [bridge('day'), bridge('night', { order: 2_000 })];
    const draft = [bridge('day', { destinationMatch: '^scaip-1$' })];
    const sums = tried(working, draft, [
      alarm(),
      alarm({ calledParty: 'scaip-2' }),
      alarm({ calledParty: 'scaip-3' }),
    ]);
    expect(sums).toMatchObject({ tried: 3, untried: 0, others: 0 });
    expect(sums.differences).toEqual([
      {
        effect: 'receiver',
        before: { id: 'day', name: 'Centre day' },
        after: { id: 'night', name: 'Centre night' },
        fields: [],
        alarms: 2,
        examples: [expect.objectContaining({ traceId: expect.stringMatching(/^t-s/) }), expect.anything()],
      },
    ]);
    expect(sums.alarms.map(({ difference }) => difference)).toEqual([undefined, 0, 0]);
  });

  it('says which would have been refused, and which would have been taken by a new receiver', () => {
    const draft = [bridge('day', { destinationMatch: '^other$' })];
    expect(tried([bridge('day')], draft, [alarm()]).differences).toMatchObject([
      { effect: 'refused', before: { id: 'day' }, alarms: 1 },
    ]);
    const fresh = tried([], [bridge('new')], [alarm()]);
    expect(fresh.differences).toMatchObject([{ effect: 'taken', after: { id: 'new' }, alarms: 1 }]);
    expect(fresh.differences[0]).not.toHaveProperty('before');
  });

  it('names the members that an event map changes, and no value of them', () => {
    const map = {
      rules: [
        {
          when: { 'alarmEvent.deviceType': 'fallDetector' },
          path: '/fall',
          set: { 'alarmEvent.priority': 9 },
        },
      ],
    };
    const { differences } = tried([bridge('day')], [bridge('day', { customEventMap: map })], [alarm()]);
    expect(differences).toMatchObject([
      { effect: 'changed', fields: ['body.alarmEvent.priority', 'path'], alarms: 1 },
    ]);
    // An alarm that has the priority already differs in the path alone.
    const both = tried([bridge('day')], [bridge('day', { customEventMap: map })], [alarm(), alarm({}, 9)]);
    expect(both.differences.map(({ fields }) => fields)).toEqual([
      ['body.alarmEvent.priority', 'path'],
      ['path'],
    ]);
    expect(JSON.stringify(both.differences)).not.toContain('0042');
  });

  it('says which an event map would have kept from the application, and the reverse', () => {
    const dropping = bridge('day', { customEventMap: { rules: [{ when: {}, drop: true }] } });
    expect(tried([bridge('day')], [dropping], [alarm()]).differences).toMatchObject([{ effect: 'dropped' }]);
    expect(tried([dropping], [bridge('day')], [alarm()]).differences).toMatchObject([
      { effect: 'changed', fields: ['drop'] },
    ]);
  });

  it('names another application, another event sender and another device', () => {
    const draft = bridge('day', {
      ...{ callbackBaseUrl: 'https://new.example', alarmEventMapperId: 'm2', customerSiteId: 'north' },
    });
    const devices = [
      device('0042'),
      device('north:0042', { serviceData: { alarmBridge: { overrideInAlarmEvent: { priority: 5 } } } }),
    ];
    expect(tried([bridge('day')], [draft], [alarm()], devices).differences).toMatchObject([
      {
        effect: 'changed',
        fields: [
          'alarmEventMapperId',
          'body.alarmEvent.priority',
          'body.customerSiteId',
          'callbackBaseUrl',
          'device',
        ],
      },
    ]);
  });

  it('finds nothing where the draft is what is in service, nor in alarms that it does not concern', () => {
    const other = bridge('other', {
      destinationMatch: '^other$',
      customEventMap: { rules: [{ path: '/x' }] },
    });
    expect(tried([bridge('day')], [bridge('day')], [alarm()]).differences).toEqual([]);
    expect(tried([bridge('day')], [other], [alarm()]).differences).toEqual([]);
  });

  it.each([
    ['dc09', 'R1L2#00A1', { protocol: 'dc09', destinationMatch: '^R1' }, { protocol: 'scaip' }],
    ['tt92', 'scaip-1', { protocol: 'tt92' }, { protocol: 'scaip' }],
    ['nowip', 'scaip-1', { protocol: 'nowip' }, { protocol: 'lacs' }],
    ['lacs', 'scaip-1', { protocol: 'lacs' }, { protocol: 'nowip' }],
  ] as const)('an alarm of %s goes to receivers that can take it', (protocol, calledParty, able, unable) => {
    // The one that cannot goes first by its order, and is passed over.
    const draft = bridge('first', { destinationMatch: '.', order: 1, ...unable });
    const alarms = [alarm({ protocol, calledParty })];
    expect(tried([bridge('day', able)], [draft], alarms).differences).toEqual([]);
    const able2 = bridge('able', { ...able, order: 1 });
    expect(tried([bridge('day', able)], [able2], alarms).differences).toMatchObject([
      { effect: 'receiver', after: { id: 'able' }, fields: [] },
    ]);
  });

  it('warns where the other receiver expects another protocol of tones', () => {
    const draft = bridge('other', { protocol: 'bs8521', order: 1 });
    expect(
      tried([bridge('day', { protocol: 'tt92' })], [draft], [alarm({ protocol: 'tt92' })]).differences,
    ).toMatchObject([{ effect: 'receiver', fields: ['protocol'] }]);
  });

  it('leaves out an alarm whose arrival is not stored, and says so', () => {
    expect(tried([bridge('day')], [], [alarm({ calledParty: '' })])).toMatchObject({ tried: 0, untried: 1 });
  });

  it('keeps a bounded number of differences and counts the alarms beyond', () => {
    const draft = bridge('day', {
      customEventMap: { rules: [{ when: {}, body: '{{sourceAlarmEvent.fields}}' }] },
    });
    const alarms = Array.from({ length: 130 }, (_, at): PastAlarm => {
      const one = alarm();
      const [event] = one.events;
      if (event === undefined) throw new Error('an alarm has an event');
      return { ...one, events: [{ ...event, source: { ...event.source, fields: { [`f${at}`]: 1 } } }] };
    });
    // Bodies of other members: each is another difference.
    const plain = bridge('day', { customEventMap: { rules: [{ when: {}, body: {} }] } });
    const sums = tried([plain], [draft], alarms);
    expect(sums.differences).toHaveLength(100);
    expect(sums).toMatchObject({ tried: 130, others: 30 });
  });
});

describe('a row of the journal', () => {
  const row = {
    ...{
      id: 's',
      traceId: 't',
      protocol: 'scaip',
      dedupeKey: null,
      dedupeUntilMs: 0,
      createdMs: 1,
      updatedMs: 1,
    },
    ...{ closed: true, body: '{"version":2,"facts":{"sessionId":"s"}}' },
  };

  it('is an alarm where it has the facts of one, and none where it is damaged or of an event that was sent on', () => {
    expect(pastAlarm(row, () => [])).toMatchObject({ facts: { sessionId: 's' }, events: [] });
    expect(pastAlarm({ ...row, dedupeKey: 'sending x' }, () => [])).toBeUndefined();
    expect(pastAlarm({ ...row, body: '{"version":2,"kept":{}}' }, () => [])).toBeUndefined();
    expect(pastAlarm({ ...row, body: '{' }, () => [])).toBeUndefined();
  });
});
