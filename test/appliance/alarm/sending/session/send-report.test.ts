import { describe, expect, it } from 'vitest';
import type { ActiveSending } from '#appliance/alarm/sending/session/active-sending.ts';
import { type SendProgress, SendReport } from '#appliance/alarm/sending/session/send-report.ts';
import {
  alarmQueuedSchema,
  alarmSendFailureSchema,
  alarmSentSchema,
} from '#shared/contract/callback/index.ts';
import { orderOfUnit, orderTenant } from '../order/order-room.ts';

const SENT: SendProgress = { kind: 'alarmSent', alarmString: 'text', dialogId: 'dialog' };
const QUEUED: SendProgress = { ...SENT, kind: 'alarmQueued' };
const FAILED: SendProgress = { kind: 'alarmSendFailure', warning: 'noAnswer', reason: 'silence' };

interface Row {
  readonly type: string;
  readonly orderKey: string;
  readonly dest: string;
  readonly call: {
    readonly eventSeq: number;
    readonly path: string;
    readonly body: string;
    readonly traceId: string;
  };
}

/** Bridge `b` has an application, bridge `deaf` none. */
function room() {
  const { tenant, ...put } = orderTenant();
  put.bridge({ id: 'b', protocol: 'scaip', callbackBaseUrl: 'https://app.example' });
  put.bridge({ id: 'deaf', protocol: 'scaip' });
  const done: unknown[] = [];
  const report = new SendReport(
    {
      clock: { wallMs: () => 5_000 },
      tenant: () => tenant,
      place: { hostId: 'h', siteId: 's', siteBaseUrl: 'https://h.example', address: '192.0.2.10', epoch: 1 },
      signReply: () => new Uint8Array(32),
    } as never,
    { row: (row: Row) => row, queued: (row: Row) => done.push(`queued ${row.type}`) } as never,
    { raise: (alarm: unknown, traceId: string) => done.push([alarm, traceId]) } as never,
  );
  return { report, done };
}

const known = (order: object, destination?: string): ActiveSending =>
  ({
    facts: { sessionId: 'session', traceId: 'trace', protocol: 'scaip', order: orderOfUnit({ ...order }) },
    target: destination === undefined ? undefined : { addresses: { primary: { destination } } },
    callbacks: 0,
  }) as never;

describe('the report of an event that was sent on', () => {
  it.each([
    [QUEUED, '/alarmQueued', alarmQueuedSchema],
    [SENT, '/alarmSent', alarmSentSchema],
    [FAILED, '/alarmSendFailure', alarmSendFailureSchema],
  ] as const)('%j goes to the application as %s, by the contract', (progress, path, schema) => {
    const { report, done } = room();
    const row = report.row(
      known({ bridgeId: 'b', alarmSessionId: 'alarm' }, 'sip:arc@centre.example'),
      progress,
    ) as Row | undefined;
    expect(row).toMatchObject({ type: progress.kind, orderKey: 'session', call: { path, traceId: 'trace' } });
    const body = JSON.parse(row?.call.body ?? '') as object;
    expect(schema.safeParse(body).error).toBeUndefined();
    const { kind: _, ...fields } = progress;
    expect(body).toMatchObject({ ...fields, alarmSessionId: 'alarm', siteId: 's', callingParty: 'unit' });
    expect(done).toEqual([]);
  });

  it('is numbered in its order', () => {
    const { report } = room();
    const session = known({ bridgeId: 'b' });
    const rows = [QUEUED, SENT].map((progress) => report.row(session, progress) as unknown as Row);
    expect(rows.map(({ call }) => call.eventSeq)).toEqual([1, 2]);
  });

  it.each([
    ['sip:arc@centre.example', 'arc'],
    ['tel:+46855511005', '+46855511005'],
    ['centre.example:12300', 'centre.example:12300'],
    ['0855511005', '0855511005'],
  ])('names the provider of %s as %s', (destination, provider) => {
    const { report } = room();
    const row = report.row(known({ bridgeId: 'b' }, destination), SENT) as unknown as Row;
    expect(JSON.parse(row.call.body)).toMatchObject({ serviceProvider: provider });
  });

  it('is sent whether or not its row is on the disk', () => {
    const { report, done } = room();
    report.send({ type: 'alarmSent' } as never);
    expect(done).toEqual(['queued alarmSent']);
  });
});

describe('without an application', () => {
  const raised = (order: object, progress: SendProgress): unknown[] => {
    const { report, done } = room();
    expect(report.row(known(order, 'sip:arc@centre.example'), progress)).toBeUndefined();
    return done;
  };

  it.each([
    ['no bridge', {}],
    ['a bridge that was removed', { bridgeId: 'gone' }],
    ['a bridge without an address', { bridgeId: 'deaf' }],
  ])('a failure is an alarm of the platform: %s', (_name, order) => {
    const alarm = {
      ...{ type: 'serviceAlarm', error: 'alarmNotSent', sessionId: 'session' },
      errorDetails: {
        ...{ reason: 'silence', warning: 'noAnswer', protocol: 'scaip' },
        ...{ destination: 'sip:arc@centre.example', controllerId: '12345678', unit: '0007' },
      },
    };
    expect(raised(order, FAILED)).toMatchObject([[alarm, 'trace']]);
  });

  it('the alarm names device and bridge, where the event has them, and no empty ones', () => {
    const of = (order: object) => (raised(order, FAILED)[0] as readonly object[])[0];
    expect(of({ bridgeId: 'deaf', deviceId: 'unit' })).toMatchObject({
      alarmBridgeId: 'deaf',
      deviceId: 'unit',
    });
    expect(Object.keys(of({}) ?? {})).toEqual(['type', 'error', 'errorDetails', 'sessionId']);
  });

  it('a success needs no word', () => {
    expect([raised({}, SENT), raised({}, QUEUED)]).toEqual([[], []]);
  });

  it('a self-test is reported to no one, whatever its result', () => {
    expect(raised({ bridgeId: 'b', selfTest: true }, FAILED)).toEqual([]);
  });
});
