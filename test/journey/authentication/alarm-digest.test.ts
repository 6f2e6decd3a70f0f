import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
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
  ])('with $stack is heard once', async ({ seq, branch }) => {
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
