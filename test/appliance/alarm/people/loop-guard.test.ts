import { describe, expect, it } from 'vitest';
import { LoopGuard } from '#appliance/alarm/people/loop-guard.ts';
import { parseMessage, type SipRequest } from '#appliance/sip/message/index.ts';

const TOKEN = 'c0ffee'.padEnd(32, '0');
const TRUNK = { kind: 'trunk', trunkId: 't1' } as const;

/** A call by a trunk with this caller and these fields. */
function invite(caller: string, ...fields: readonly string[]): SipRequest {
  const lines = [
    'INVITE sip:+468100@care.example SIP/2.0',
    'Via: SIP/2.0/UDP 198.51.100.1:5060;branch=z9hG4bK1',
    `From: <sip:${caller}@198.51.100.1>;tag=1`,
    'To: <sip:+468100@care.example>',
    'Call-ID: 1',
    'CSeq: 1 INVITE',
    'Max-Forwards: 60',
    ...fields,
    'Content-Length: 0',
    '',
    '',
  ];
  const parsed = parseMessage(Buffer.from(lines.join('\r\n')));
  if (!parsed.ok || parsed.value.kind !== 'request') throw new Error('no request');
  return parsed.value;
}

function guard(devices: readonly string[] = []) {
  const tenant = { domain: 'care.example', byCli: (key: string) => devices.find((each) => each === key) };
  const loops = new LoopGuard({ tenant: () => tenant } as unknown as ConstructorParameters<
    typeof LoopGuard
  >[0]);
  const looped: string[] = [];
  const call = loops.watch({
    token: TOKEN,
    shown: '+46 8-100',
    rings: true,
    looped: () => looped.push(TOKEN),
  });
  return { loops, looped, call };
}

describe('a call that a list has placed', () => {
  it('comes back with a field of ours, also when the carrier has put others around it', () => {
    for (const [name, value] of guard().loops.fieldsOf(TOKEN)) {
      const { loops, looped } = guard();
      const request = invite('+4670', 'X-Other: 1', `${name}: ${value}`);
      expect(loops.claim(request, TRUNK)?.route).toMatchObject({ kind: 'refused', status: 482 });
      expect(looped).toEqual([TOKEN]);
    }
  });

  it('comes back to the other host of the site, which has not placed it', () => {
    const { loops, looped, call } = guard();
    loops.forget(call);
    const request = invite('+4670', `X-Carillon-List: care.example;id=${TOKEN}`);
    expect(loops.claim(request, TRUNK)?.route).toMatchObject({ status: 482 });
    expect(looped).toEqual([]);
  });

  it('comes back without them under the number that the callee sees, while it rings', () => {
    const { loops, looped, call } = guard();
    expect(loops.claim(invite('+468100'), TRUNK)?.route).toMatchObject({ status: 482 });
    expect(looped).toHaveLength(1);
    call.rings = false;
    expect(loops.claim(invite('+468100'), TRUNK)).toBeUndefined();
  });

  it.each([
    ['another number', invite('+468101'), TRUNK, []],
    ['a list of another tenant', invite('+4670', `X-Carillon-List: other.example;id=1`), TRUNK, []],
    ['a device with this number', invite('+468100'), TRUNK, ['+468100']],
    [
      'a device of the tenant',
      invite('+468100'),
      { kind: 'device', deviceId: 'a', trunkGroupId: undefined },
      [],
    ],
  ] as const)('is not %s', (_, request, caller, devices) => {
    const { loops, looped } = guard(devices);
    expect(loops.claim(request, caller)).toBeUndefined();
    expect(looped).toEqual([]);
  });
});
