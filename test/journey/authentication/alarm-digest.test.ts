import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authorize, chooseChallenge } from '#appliance/sip/auth/index.ts';
import type { SipResponse } from '#appliance/sip/message/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { hash } from '#test/support/sip-telephone.ts';
import type { Telephone } from '#test/support/telephone.ts';
import { telephones } from '#test/support/telephone.ts';

/* A unit with a password sends a SCAIP alarm over UDP and is asked who it is (RFC 3261 22.2). */

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;

beforeEach(async () => {
  appliance = await testAppliance();
  net = telephones(appliance);
  appliance.bridge();
  appliance.answerBy(() => answered({ action: 'drop' }));
  unit = await net.device('unit', '192.0.2.30', {}, false);
});
afterEach(() => appliance.close());

const URI = 'sip:scaip@care.example';

/** One MESSAGE of one alarm; `seq` and `branch` are what a stack keeps or changes when it is challenged. */
function sendsAlarm(seq: number, branch: string, ...more: (readonly [string, string])[]): void {
  unit.send(
    {
      method: 'MESSAGE',
      uri: URI,
      headers: [
        ['From', '<sip:unit@care.example>;tag=alarm'],
        ['To', `<${URI}>`],
        ['Call-ID', 'alarm-1'],
        ['CSeq', `${seq} MESSAGE`],
        ...more,
        ['Content-Type', 'application/scaip+xml'],
      ],
      body: Buffer.from('<mrq><ref>A1</ref><cid>unit</cid><dty>0003</dty><stc>0010</stc></mrq>'),
    },
    branch,
  );
}

const alarms = () => appliance.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');

describe('a unit that answers the challenge', () => {
  it.each([
    { stack: 'a new CSeq and a new branch, as the RFC says', seq: 2, branch: 'z9hG4bKsecond' },
    { stack: 'the same CSeq and a new branch', seq: 1, branch: 'z9hG4bKsecond' },
    { stack: 'the same CSeq and the same branch', seq: 1, branch: 'z9hG4bKfirst' },
  ])('with $stack is accepted once', async ({ seq, branch }) => {
    sendsAlarm(1, 'z9hG4bKfirst');
    await net.pump();
    const proof = unit.proof(unit.response(401, 'MESSAGE'), 'MESSAGE', URI);
    for (let times = 0; times < 2; times++) {
      sendsAlarm(seq, branch, proof);
      await net.pump();
    }
    unit.response(200, 'MESSAGE');
    expect(unit.has(482)).toBe(false);
    expect(alarms()).toHaveLength(1);
  });
});

describe('a unit that reads the first challenge only and knows MD5', () => {
  /** Its answer: MD5 under whatever name stands in the first challenge. */
  function answerOf(challenge: SipResponse): readonly [string, string] {
    const [first = ''] = challenge.headers('WWW-Authenticate');
    const named = /algorithm=([\w-]+)/.exec(first)?.[1] ?? '';
    const chosen = chooseChallenge([first.replace(named, 'MD5')]);
    if (!chosen.ok) throw new Error(chosen.error.reason);
    const login = { username: 'unit', password: 'secret of unit' };
    const proof = authorize(
      hash,
      chosen.value,
      login,
      { method: 'MESSAGE', uri: URI },
      { count: 1, cnonce: 'c' },
    );
    return ['Authorization', proof.replace('algorithm=MD5', `algorithm=${named}`)];
  }

  it('is accepted at its second attempt, and the tenant and its audit log learn of it once', async () => {
    appliance.notify('https://app.example/alarm');
    sendsAlarm(1, 'z9hG4bKa1');
    await net.pump();
    sendsAlarm(2, 'z9hG4bKa2', answerOf(unit.response(401, 'MESSAGE')));
    await net.pump();
    const again = unit.response(401, 'MESSAGE');
    expect(again.headers('WWW-Authenticate')).toHaveLength(1);
    sendsAlarm(3, 'z9hG4bKa3', answerOf(again));
    await net.pump();
    unit.response(200, 'MESSAGE');
    expect(alarms()).toHaveLength(1);
    const reported = appliance.posted.filter(({ body }) => body.error === 'digestFallback');
    expect(reported.map(({ body }) => body)).toMatchObject([
      {
        type: 'serviceAlarm',
        deviceId: 'unit',
        errorDetails: { cause: 'wrongAnswer', sourceIp: '192.0.2.30' },
      },
    ]);
    const audit = appliance.journal.pending('cloud', 'audit', 0, 10);
    expect(audit.map(({ type, body }) => ({ type, ...JSON.parse(body) }))).toEqual([
      {
        type: 'hostAct',
        action: 'digestFallback',
        detail: { deviceId: 'unit', cause: 'wrongAnswer', sourceIp: '192.0.2.30' },
      },
    ]);
  });
});
