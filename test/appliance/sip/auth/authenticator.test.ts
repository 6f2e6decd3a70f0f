import { describe, expect, test } from 'vitest';
import type { Decision, RequestFacts } from '#appliance/sip/auth/index.ts';
import { alarm, answered, authenticator, challenges, crypto, DOMAIN, facts } from './fixture.ts';

/** A decision in a few words, so that a table of them can be read. */
function shown(decision: Decision): string {
  if (decision.outcome === 'ignored') return 'ignored';
  if (decision.outcome !== 'accepted') {
    return decision.outcome + (decision.authError === undefined ? '' : `, ${decision.authError.reason}`);
  }
  const { identity } = decision;
  if (identity.kind === 'device') return `device ${identity.account.deviceId}`;
  if (identity.kind === 'trunk') return `trunk ${identity.trunk.trunkId}`;
  return identity.kind === 'none' ? 'nobody' : `unknown unit ${identity.deviceId}`;
}

const invite = (fromUser: string, changes: Partial<RequestFacts> = {}) =>
  facts({ method: 'INVITE', fromUser, destination: 'arc-1', requestUri: `sip:arc-1@${DOMAIN}`, ...changes });

describe('identity and permission', () => {
  const bearer = (token: string) => ({ transport: 'WSS', authorization: [`Bearer ${token}`] }) as const;
  test.each<[string, RequestFacts, string]>([
    ['credentials without any', facts(), 'challenged'],
    ['credentials with an alarm but without any', alarm('phone-1', undefined), 'challenged'],
    ['deviceid, named by From, alarm', alarm('scaip-1', 'scaip-1'), 'device scaip-1'],
    ['deviceid, named by From, unknown CID', alarm('scaip-1', 'nobody'), 'device scaip-1'],
    ['deviceid, named by CID alone', alarm('anonymous', 'scaip-1'), 'device scaip-1'],
    ['deviceid, named by CID, no From user', alarm('', 'scaip-1'), 'device scaip-1'],
    ['deviceid registers', facts({ fromUser: 'scaip-1' }), 'device scaip-1'],
    ['deviceid asks OPTIONS', facts({ fromUser: 'scaip-1', method: 'OPTIONS' }), 'device scaip-1'],
    ['deviceid calls', invite('scaip-1'), 'refused, notPermitted'],
    [
      'deviceid calls in its own alarm session',
      invite('scaip-1', { ownAlarmSession: true }),
      'device scaip-1',
    ],
    ['deviceid transfers somebody', facts({ fromUser: 'scaip-1', method: 'REFER' }), 'refused, notPermitted'],
    [
      'deviceid registers somebody else',
      facts({ fromUser: 'scaip-1', toUser: 'scaip-2' }),
      'refused, foreignAddressOfRecord',
    ],
    ['a whitelisted sender for a whitelisted unit', alarm('scaip-1', 'scaip-2'), 'device scaip-1'],
    ['a whitelisted sender for a unit behind it', alarm('scaip-1', 'unit-9'), 'device scaip-1'],
    ['a whitelisted sender posing as a device with a password', alarm('scaip-1', 'phone-1'), 'challenged'],
    [
      'a whitelisted sender posing as a device with a token',
      alarm('scaip-1', 'app'),
      'refused, wrongTransport',
    ],
    ['an unknown user posing as a device with a password', alarm('nobody', 'phone-1'), 'challenged'],
    [
      'a CID outside an alarm names no device',
      facts({ fromUser: 'nobody', method: 'INVITE', alarm: { cid: 'scaip-1' } }),
      'challenged',
    ],
    ['disabled', facts({ fromUser: 'unit-9' }), 'refused, disabled'],
    ['disabled with an alarm', alarm('unit-9', 'unit-9'), 'refused, disabled'],
    ['userid over UDP', invite('app'), 'refused, wrongTransport'],
    ['userid without a token', invite('app', { transport: 'WSS' }), 'challenged'],
    ['userid with a wrong token', invite('app', bearer('bad.token')), 'challenged, wrongToken'],
    ['userid calls where it may', invite('app', bearer('good.token')), 'device app'],
    [
      'userid calls where it may not',
      invite('app', { ...bearer('good.token'), requestUri: `sip:112@${DOMAIN}` }),
      'refused, notPermitted',
    ],
    [
      'userid registers though it may not',
      facts({ fromUser: 'app', ...bearer('good.token') }),
      'refused, notPermitted',
    ],
    [
      'userid registers where it may',
      facts({ fromUser: 'tablet', ...bearer('tablet.token') }),
      'device tablet',
    ],
    [
      'userid with the token of another',
      facts({ fromUser: 'tablet', ...bearer('good.token') }),
      'challenged, wrongToken',
    ],
    [
      'userid with a token that allowed less',
      facts({ fromUser: 'tablet', ...bearer('tablet.oldToken') }),
      'refused, notPermitted',
    ],
    [
      'userid under another domain than its own',
      facts({ fromUser: 'tablet', fromHost: 'other.example', ...bearer('tablet.token') }),
      'refused, notPermitted',
    ],
    [
      'userid calls with a port and parameters, which decide nothing',
      invite('tablet', {
        ...bearer('tablet.token'),
        requestUri: `sip:arc-1@${DOMAIN}:5061;transport=ws?x=y`,
      }),
      'device tablet',
    ],
    [
      'userid hides a destination behind parameters',
      invite('tablet', { ...bearer('tablet.token'), requestUri: `sip:112@${DOMAIN};x=sip:arc-1@${DOMAIN}` }),
      'refused, notPermitted',
    ],
    [
      'userid sends a MESSAGE',
      facts({ fromUser: 'app', method: 'MESSAGE', ...bearer('good.token') }),
      'device app',
    ],
    ['unknown with an alarm', alarm('nobody', 'unit-77'), 'unknown unit unit-77'],
    ['unknown with an alarm that names no controller', alarm('nobody', undefined), 'unknown unit nobody'],
    ['unknown with a plain MESSAGE', facts({ fromUser: 'nobody', method: 'MESSAGE' }), 'challenged'],
    ['unknown registers', facts({ fromUser: 'nobody' }), 'challenged'],
    ['a trunk by address', invite('+4580000000', { source: '198.51.100.1' }), 'trunk trunk-1'],
    ['a trunk by key', invite('+4580000000', { trunkGroupId: 'g1', trunkKey: 'k1' }), 'trunk trunk-1'],
    ['a trunk with a wrong key', invite('+4580000000', { trunkGroupId: 'g1', trunkKey: 'k2' }), 'challenged'],
    ['a device wins over the address of a trunk', facts({ source: '198.51.100.1' }), 'challenged'],
    ['ACK is never challenged', facts({ fromUser: 'nobody', method: 'ACK' }), 'nobody'],
    ['CANCEL is never challenged', facts({ fromUser: 'nobody', method: 'CANCEL' }), 'nobody'],
  ])('%s', (_name, asked, expected) => {
    expect(shown(authenticator().identify(asked, 0))).toBe(expected);
  });

  test('a token challenge says what is wrong with a token, not that there is none', () => {
    const auth = authenticator();
    expect(challenges(auth.identify(invite('app', { transport: 'WSS' }), 0))).toEqual([
      `Bearer realm="${DOMAIN}"`,
    ]);
    expect(
      challenges(auth.identify(invite('app', { transport: 'WS', authorization: ['Bearer x'] }), 0)),
    ).toEqual([`Bearer realm="${DOMAIN}", error="invalid_token"`]);
  });
});

describe('digest', () => {
  test('SHA-256 is offered before MD5 and either is accepted', () => {
    for (const which of [0, 1]) {
      const auth = authenticator();
      const asked = auth.identify(facts(), 0);
      expect(challenges(asked).map((value) => /algorithm=(\S+)/.exec(value)?.[1])).toEqual([
        'SHA-256',
        'MD5',
      ]);
      expect(shown(auth.identify(answered(facts(), asked, { which }), 1))).toBe('device phone-1');
    }
  });

  test('a device of which only an MD5 value is stored is asked for MD5 alone', () => {
    const auth = authenticator();
    const asked = auth.identify(facts({ fromUser: 'old-phone' }), 0);
    expect(challenges(asked)).toHaveLength(1);
    expect(shown(auth.identify(answered(facts({ fromUser: 'old-phone' }), asked), 1))).toBe(
      'device old-phone',
    );
  });

  test('the user name may carry the domain; another name is wrong', () => {
    const auth = authenticator();
    const asked = auth.identify(facts(), 0);
    const named = (username: string) => {
      // The stored value belongs to the bare name: only the label changes here, as such devices do it.
      const [value = ''] = answered(facts(), asked).authorization;
      return auth.identify(facts({ authorization: [value.replace('"phone-1"', `"${username}"`)] }), 1);
    };
    expect(shown(named('scaip-1'))).toBe('challenged, wrongCredentials');
    expect(shown(named(`phone-1@${DOMAIN}`))).toBe('device phone-1');
  });

  test.each<[string, (value: string) => string]>([
    ['auth-int', (value) => value.replace('qop=auth', 'qop=auth-int')],
    ['an unknown algorithm', (value) => value.replace('SHA-256', 'SHA-512')],
    ['a hashed user name', (value) => `${value}, userhash=true`],
    ['a count that is no number', (value) => value.replace('nc=00000001', 'nc=0000000x')],
    ['no cnonce', (value) => value.replace('cnonce="0a4f113b"', 'cnonce=""')],
    ['another method', (value) => value],
    ['a changed response', (value) => value.replace(/response="./, 'response="g')],
    ['a short response', (value) => value.replace(/response="[^"]*"/, 'response="ab"')],
  ])('refuses %s', (name, change) => {
    const auth = authenticator();
    const [value = ''] = answered(facts(), auth.identify(facts(), 0)).authorization;
    const asked = facts({
      authorization: [change(value)],
      ...(name === 'another method' ? { method: 'OPTIONS' } : {}),
    });
    expect(shown(auth.identify(asked, 1))).toBe('challenged, wrongCredentials');
  });

  test('a response for one destination does not open another, whatever stands around it', () => {
    const auth = authenticator();
    const call = invite('phone-1');
    const received = answered(call, auth.identify(call, 0));
    expect(shown(auth.identify({ ...received, requestUri: `sip:112@${DOMAIN}` }, 1))).toBe(
      'challenged, wrongCredentials',
    );
    expect(
      shown(auth.identify({ ...received, requestUri: 'sips:arc-1@192.0.2.9:5061;transport=tcp' }, 1)),
    ).toBe('device phone-1');
  });

  test('the fields of other hops and broken ones do no harm', () => {
    const auth = authenticator();
    const good = answered(facts(), auth.identify(facts(), 0));
    const authorization = ['Digest broken', 'Digest realm="elsewhere", nonce="x"', ...good.authorization];
    expect(shown(auth.identify({ ...good, authorization }, 1))).toBe('device phone-1');
  });

  test('played again: a new nonce with stale, and no error', () => {
    const auth = authenticator();
    const received = answered(facts(), auth.identify(facts(), 0));
    expect(shown(auth.identify(received, 1))).toBe('device phone-1');
    const again = auth.identify(received, 2);
    expect(shown(again)).toBe('challenged');
    expect(challenges(again)[0]).toMatch(/, stale=true$/);
    expect(shown(auth.identify(answered(facts(), again), 3))).toBe('device phone-1');
  });

  test('from another address the same bytes are worth nothing', () => {
    const auth = authenticator();
    const received = answered(facts(), auth.identify(facts(), 0));
    expect(shown(auth.identify({ ...received, source: '192.0.2.66' }, 1))).toBe('challenged');
  });

  test('an old nonce is stale only with the right password', () => {
    const auth = authenticator();
    const asked = auth.identify(facts(), 0);
    const late = 400_000;
    expect(challenges(auth.identify(answered(facts(), asked), late))[0]).toMatch(/stale=true/);
    expect(challenges(auth.identify(answered(facts(), asked, { password: 'guess' }), late))[0]).not.toMatch(
      /stale/,
    );
  });

  test('the next request goes on with the nonce it has', () => {
    const auth = authenticator();
    const asked = auth.identify(facts(), 0);
    for (const count of [1, 2, 3]) {
      expect(shown(auth.identify(answered(facts(), asked, { count }), count))).toBe('device phone-1');
    }
  });
});

describe('unknown and wrong look alike', () => {
  const blank = (decision: Decision) =>
    challenges(decision).map((value) => value.replace(/nonce="[0-9a-f]+"/, ''));

  test('the same answers, before and after a password', () => {
    const auth = authenticator();
    const known = auth.identify(facts(), 0);
    const unknown = auth.identify(facts({ fromUser: 'nobody' }), 0);
    expect(blank(known)).toEqual(blank(unknown));
    const wrong = auth.identify(answered(facts(), known, { password: 'guess' }), 1);
    const guessed = auth.identify(answered(facts({ fromUser: 'nobody' }), unknown, { password: 'guess' }), 1);
    expect(blank(wrong)).toEqual(blank(guessed));
    expect([shown(wrong), shown(guessed)]).toEqual([
      'challenged, wrongCredentials',
      'challenged, unknownDevice',
    ]);
  });

  test('the same work: hashes, signatures and comparisons, for both algorithms', () => {
    for (const which of [0, 1]) {
      const work = (fromUser: string) => {
        const counted = crypto();
        const auth = authenticator({}, counted);
        const asked = auth.identify(facts({ fromUser }), 0);
        counted.calls.length = 0;
        auth.identify(answered(facts({ fromUser }), asked, { password: 'guess', which }), 1);
        return counted.calls;
      };
      expect(work('nobody')).toEqual(work('phone-1'));
      expect(work('nobody').filter((call) => call === 'equal')).toHaveLength(1);
    }
  });

  test('the password of an unknown name does not exist', () => {
    const auth = authenticator();
    const asked = auth.identify(facts({ fromUser: 'nobody' }), 0);
    expect(shown(auth.identify(answered(facts({ fromUser: 'nobody' }), asked), 1))).toBe(
      'challenged, unknownDevice',
    );
  });
});

describe('sources', () => {
  const small = { guard: { allowance: 10, perSecond: 1, wrongCost: 5, delayMs: 2_000, ignoreMs: 60_000 } };
  const scan = facts({ fromUser: 'nobody', method: 'INVITE' });
  const delays = (auth: ReturnType<typeof authenticator>, asked: RequestFacts, times: number, nowMs = 0) =>
    Array.from({ length: times }, () => {
      const decision = auth.identify(asked, nowMs);
      return decision.outcome === 'challenged' || decision.outcome === 'refused'
        ? decision.delayMs
        : decision.outcome;
    });

  test('a scanner is answered, then late, then not at all, then late again; others are not concerned', () => {
    const auth = authenticator(small);
    expect(delays(auth, scan, 22)).toEqual([
      ...Array(9).fill(0),
      ...Array(10).fill(2_000),
      'ignored',
      'ignored',
      'ignored',
    ]);
    expect(delays(auth, { ...scan, source: '192.0.2.2' }, 1)).toEqual([0]);
    expect(delays(auth, scan, 1, 59_999)).toEqual(['ignored']);
    expect(delays(auth, scan, 1, 200_000)).toEqual([0]);
  });

  test('changing the address within an IPv6 subscriber’s own range does not help', () => {
    const auth = authenticator(small);
    const sources = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:db8:1:2:3:4:5:6'];
    const outcomes = Array.from(
      { length: 21 },
      (_, i) => delays(auth, { ...scan, source: sources[i % 3] ?? '' }, 1)[0],
    );
    expect(outcomes.at(-1)).toBe('ignored');
    expect(delays(auth, { ...scan, source: '2001:db8:1:3::1' }, 1)).toEqual([0]);
    expect(delays(auth, { ...scan, source: '::1' }, 1)).toEqual([0]);
  });

  test('a known device name meets the same, and wrong passwords count more', () => {
    const auth = authenticator(small);
    const guess = answered(facts(), auth.identify(facts(), 0), { password: 'guess' });
    expect(delays(auth, guess, 4)).toEqual([0, 2_000, 2_000, 'ignored']);
    expect(delays(auth, facts({ source: '192.0.2.3' }), 20).at(-1)).toBe('ignored');
  });

  test('a program known for scanning is ignored from its first request', () => {
    expect(delays(authenticator(), { ...scan, userAgent: 'friendly-scanner' }, 1)).toEqual(['ignored']);
  });

  test('an alarm is answered whatever its source did, and the right password opens', () => {
    const auth = authenticator(small);
    const asked = auth.identify(facts(), 0);
    delays(auth, scan, 30);
    expect(delays(auth, alarm('phone-1', undefined), 1)).toEqual([0]);
    expect(shown(auth.identify(alarm('nobody', undefined), 0))).toBe('unknown unit nobody');
    expect(shown(auth.identify(alarm('scaip-1', undefined), 0))).toBe('device scaip-1');
    expect(shown(auth.identify(answered(facts(), asked), 1))).toBe('device phone-1');
  });

  test('10,000 devices behind one address that come back at once stay in good standing', () => {
    const auth = authenticator();
    for (let round = 0; round < 10_000; round++) {
      const asked = auth.identify(facts(), round);
      expect(asked).toMatchObject({ outcome: 'challenged', delayMs: 0 });
      expect(auth.identify(answered(facts(), asked), round).outcome).toBe('accepted');
    }
  });

  test('without the guard no one is slowed', () => {
    const auth = authenticator({ guard: { ...small.guard, enabled: false } });
    expect(new Set(delays(auth, scan, 100))).toEqual(new Set([0]));
  });

  test('one error per device, source and window, and few per source', () => {
    const auth = authenticator({ guard: { errorWindowMs: 1_000, errorsPerSource: 3 } });
    const reported = (fromUser: string, source: string, nowMs: number) => {
      const asked = facts({ fromUser, source });
      const decision = auth.identify(
        answered(asked, auth.identify(asked, nowMs), { password: 'guess' }),
        nowMs,
      );
      return decision.outcome === 'challenged' && decision.authError !== undefined;
    };
    expect([
      reported('phone-1', 'a', 0),
      reported('phone-1', 'a', 999),
      reported('phone-1', 'a', 1_000),
    ]).toEqual([true, false, true]);
    expect(reported('phone-1', 'b', 999)).toBe(true);
    expect(['x1', 'x2', 'x3', 'x4'].map((name) => reported(name, 'c', 0))).toEqual([true, true, true, false]);
  });
});
