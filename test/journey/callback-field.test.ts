import { describe, expect, it } from 'vitest';
import { encodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import {
  alarmQueuedSchema,
  alarmSendFailureSchema,
  alarmSentSchema,
  newAlarmbridgeEventSchema,
} from '#shared/contract/callback/index.ts';
import {
  AT_CENTRE,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  type Pair,
  send,
  sendingPair,
} from '#test/support/sending.ts';
import { atPhone, elementOf } from '#test/support/sending-phone.ts';

/*
 * The callbacks of alarms whole, as the application gets them (runtime API document 6): every field, and nothing that the contract does
 * not name. auditRecordingReady: `audit-recording.test.ts`; /message: `sip-message.test.ts`.
 */

const opened = keptPairs();

type Body = Record<string, unknown>;

const ULID = /^[0-9A-Za-z]{26}$/;
const TRACE = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const ofSite = { siteId: 'north', siteBaseUrl: 'https://box-1.example:8443' };
const head = { ivrServer: '192.0.2.10', domain: 'care.example', ...ofSite };

/** Content of a replyId, which only the appliance can sign. */
const claimsOf = ({ replyId }: Body): Body =>
  JSON.parse(Buffer.from(String(replyId).split('.')[1] ?? '', 'base64url').toString()) as Body;

async function pairTo(target: Body, bridge: Body = {}): Promise<Pair> {
  const made = await sendingPair({ destAddr: AT_CENTRE, ...LOGIN, ...target }, { bridge });
  opened.push(made);
  centreKnows(made);
  return made;
}

/** Fields of a contract that a whole callback may leave out, each with what makes it come. */
const UNLESS: Readonly<Record<string, string>> = {
  late: 'the live request had failed, or the appliance was away',
  alarmSessionId: 'the event came by sendalarmevent',
};
const fieldsOf = ({ shape }: { readonly shape: object }): string[] =>
  Object.keys(shape).filter((field) => !(field in UNLESS));

describe('newAlarmbridgeEvent', () => {
  it('has every field, of an event that has every one', async () => {
    const made = await pairTo({ protocol: 'nowip' });
    const fields = { id: 'devices', protocol: 'scaip', name: 'Devices', destinationMatch: '^devices$' };
    made.sender.bridge({ ...fields, alarmEventMapperId: 'mapper-1', customerSiteId: 'north-1' });
    centreBridge(made, 'nowip');
    const raw =
      '<mrq><ref>R1</ref><cid>12345678</cid><did>0042</did><dty>0003</dty><dco>003</dco><stc>0010</stc><lco>022</lco><sco>002</sco><pri>5</pri><crd>no-voice:</crd></mrq>';
    made.sender.request('MESSAGE', 'unit-17', { uri: 'sip:devices@care.example', body: raw });
    await made.after(2_000);
    const [body = {}] = callbacksOf(made.sender, 'newAlarmbridgeEvent');
    expect(body).toEqual({
      ...head,
      sessionId: expect.stringMatching(ULID),
      customerSiteId: 'north-1',
      sourceAlarmProtocol: 'scaip',
      targetAlarmProtocol: 'nowip',
      protocol: 'scaip',
      sipFrom: 'unit-17',
      calledParty: 'devices',
      callingParty: 'unit-17',
      serviceProvider: 'devices',
      alarmEvent: {
        eventType: 'common',
        controllerId: '12345678',
        deviceId: '0042',
        deviceType: 'personalTrigger',
        deviceComponent: expect.any(String),
        systemConfig: 'groupedSupervisorOnDuty',
        location: expect.any(String),
        audio: 'none',
        priority: 5,
        statusCode: expect.stringMatching(/^alarm/),
      },
      sourceAlarmEvent: {
        protocol: 'scaip',
        raw,
        fields: expect.objectContaining({
          ref: 'R1',
          cid: '12345678',
          did: '0042',
          dty: '0003',
          stc: '0010',
        }),
        check: { policy: expect.any(String), result: expect.any(String) },
        warnings: expect.any(Array),
      },
      replyId: expect.any(String),
      traceId: expect.stringMatching(TRACE),
    });
    // Only a possible repeat names the session that it may repeat (`possible-repeat.test.ts`).
    const usual = fieldsOf(newAlarmbridgeEventSchema).filter((field) => field !== 'possibleRepeatOf');
    expect(Object.keys(body).toSorted()).toEqual(usual.toSorted());
    expect(claimsOf(body)).toMatchObject({ session: body.sessionId, domain: 'care.example', host: 'box-1' });
    expect(made.sender.trace(String(body.traceId)).length).toBeGreaterThan(0);
  });
});

describe('alarmQueued and alarmSent', () => {
  const GROUP = { systemConfig: 'groupedSupervisorOffDuty', audio: 'duplex' };

  it('have every field: queued by the acknowledge, sent by the select, in one session and one call', async () => {
    const made = await pairTo({ protocol: 'bs8521' });
    centreBridge(made, 'bs8521');
    const taken = await send(made, { alarmEvent: GROUP });
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
    const [queued = {}] = callbacksOf(made.sender, 'alarmQueued');
    const [sent = {}] = callbacksOf(made.sender, 'alarmSent');
    expect(queued).toEqual({
      ...head,
      sessionId: taken.sessionId,
      traceId: taken.traceId,
      protocol: 'bs8521',
      callingParty: '12345678:0042',
      serviceProvider: 'alarm',
      alarmString: expect.stringMatching(/^A[123]1\d*12345678\d+#$/),
      dialogId: expect.stringMatching(/./),
      replyId: expect.any(String),
    });
    expect(sent).toEqual({ ...queued, replyId: expect.any(String) });
    expect(Object.keys(queued).toSorted()).toEqual(fieldsOf(alarmQueuedSchema).toSorted());
    expect(Object.keys(sent).toSorted()).toEqual(fieldsOf(alarmSentSchema).toSorted());
    expect(claimsOf(sent)).toMatchObject({ session: taken.sessionId });
    await made.after(30_000);
  });

  it.each(['bs8521', 'ttnew', 'nowip', 'scaip', 'voicecall'])(
    'are alarmSent alone for an event that stands alone (%s), and its string is the native one',
    async (protocol) => {
      const made = await pairTo({ protocol });
      centreBridge(made, protocol);
      await send(made);
      await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
      await made.after(30_000);
      expect([callbacksOf(made.sender, 'alarmQueued'), callbacksOf(made.sender, 'alarmSent').length]).toEqual(
        [[], 1],
      );
      const NATIVE: Readonly<Record<string, RegExp>> = {
        bs8521: /^A\d{26}#$/,
        ttnew: /^D#[0-9A-D*#]{22}$/,
        nowip: /^\d{24}$/,
        scaip: /^<.*<mrq>.*<\/mrq>$|^<mrq>.*<\/mrq>$/s,
        voicecall: /^sip:alarm@/,
      };
      expect(callbacksOf(made.sender, 'alarmSent')[0]?.alarmString).toMatch(NATIVE[protocol] ?? /$^/);
    },
  );

  it('name the session of a forwarded alarm', async () => {
    const made = await pairTo({ protocol: 'scaip' });
    const fields = { id: 'devices', protocol: 'scaip', name: 'Devices', destinationMatch: '^devices$' };
    made.sender.bridge({ ...fields, alarmEventMapperId: 'mapper-1' });
    centreBridge(made, 'scaip');
    const raw = '<mrq><ref>R1</ref><cid>1</cid><dty>0004</dty><crd>no-voice:</crd></mrq>';
    made.sender.request('MESSAGE', 'unit-17', { uri: 'sip:devices@care.example', body: raw });
    await made.after(2_000);
    const [received] = callbacksOf(made.sender, 'newAlarmbridgeEvent');
    const [sent] = callbacksOf(made.sender, 'alarmSent');
    expect(sent).toMatchObject({ alarmSessionId: received?.sessionId, traceId: received?.traceId });
    expect(sent?.sessionId).not.toBe(received?.sessionId);
  });

  it('are not raised where no application is set', async () => {
    const made = await pairTo({ protocol: 'scaip' }, { callbackBaseUrl: undefined });
    centreBridge(made, 'scaip');
    await send(made);
    await made.after(2_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    expect(made.sender.posted).toEqual([]);
  });
});

describe('alarmSendFailure', () => {
  /** The receiver's answer to each request, and the sentence that results. */
  const ROWS: Readonly<Record<string, readonly [answer: number | [snu: number], reason: RegExp]>> = {
    busy: [486, /SIP 486/],
    'busy (snu 6)': [[6], /snu 6/],
    rejected: [488, /SIP 488/],
    'rejected (snu 5)': [[5], /snu 5/],
    protocolError: [[3], /snu 3/],
    authFailed: [403, /SIP 403/],
    'authFailed (no password is set)': [401, /no password is set/],
    noRoute: [404, /SIP 404/],
    noAnswer: [0, /no answer to \d tries/],
  };

  /** The receiver answers every request like this until the application gets the callback. */
  async function refusedWith(answer: number | [snu: number]) {
    const { made, arc } = await atPhone(opened);
    const taken = await send(made, { sipFrom: 'unit-17' });
    const respond = (message: SipRequest): void => {
      if (answer === 0) return;
      if (typeof answer === 'number') {
        arc.respond(message, answer);
        return;
      }
      const ref = elementOf(message, 'ref') ?? '';
      arc.respond(message, 200, { sdp: encodeResponse({ ref, snu: answer[0] }) });
    };
    await made.until(() => {
      while (arc.has('MESSAGE')) respond(arc.request('MESSAGE'));
      return callbacksOf(made.sender, 'alarmSendFailure').length > 0;
    }, 1_800_000);
    await made.after(60_000);
    return { made, taken };
  }

  it.each(Object.entries(ROWS))('%s', async (name, [answer, reason]) => {
    const { made, taken } = await refusedWith(answer);
    const [body = {}, ...more] = callbacksOf(made.sender, 'alarmSendFailure');
    expect(more).toEqual([]);
    expect(body).toEqual({
      ...head,
      sessionId: taken.sessionId,
      traceId: taken.traceId,
      protocol: 'scaip',
      callingParty: 'unit-17',
      serviceProvider: 'alarm',
      warning: name.split(' ')[0],
      reason: expect.stringMatching(reason),
      replyId: expect.any(String),
    });
    expect(Object.keys(body).toSorted()).toEqual(fieldsOf(alarmSendFailureSchema).toSorted());
    expect(callbacksOf(made.sender, 'alarmSent')).toEqual([]);
  });

  it('notExpressible: the protocol has no words for it', async () => {
    const { made } = await atPhone(opened, { protocol: 'tt92' });
    await send(made, { alarmEvent: { statusCode: 'restoral' } });
    await made.after(1_000);
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toMatchObject([
      { warning: 'notExpressible', reason: expect.stringContaining('cannot be said in tt92') },
    ]);
  });

  it('timeout: the receiver asks to hold for ever', async () => {
    const { made } = await refusedWith([4]);
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toMatchObject([
      { warning: 'timeout', reason: expect.stringContaining('on hold') },
    ]);
  });

  it('timeout: the application takes it back', async () => {
    const { made } = await atPhone(opened);
    const { sessionId } = await send(made);
    void made.sender.runtime.commands.hangUp(sessionId);
    await made.after(1_000);
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toMatchObject([
      { warning: 'timeout', reason: expect.stringContaining('hangupalarmcall') },
    ]);
  });

  it('has a test here for each warning of the contract', () => {
    const { options } = alarmSendFailureSchema.shape.warning;
    const tested = new Set(Object.keys(ROWS).map((name) => name.split(' ')[0]));
    expect([...tested, 'notExpressible', 'timeout'].toSorted()).toEqual([...options].toSorted());
  });
});
