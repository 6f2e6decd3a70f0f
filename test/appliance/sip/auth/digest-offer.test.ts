import { describe, expect, it } from 'vitest';
import { type Account, Authenticator, ha1Of } from '#appliance/sip/auth/index.ts';
import { answered, challenges, crypto, DOMAIN, facts, hash } from './fixture.ts';

const DAY = 86_400_000;
const PASSWORD = 'Z4-open-sesame';

/** An authenticator that knows `unit` alone. */
function knowing(changes: Partial<Extract<Account, { authType: 'credentials' }>> = {}) {
  const ha1 = {
    'SHA-256': ha1Of(hash, 'SHA-256', 'unit', DOMAIN, PASSWORD),
    MD5: ha1Of(hash, 'MD5', 'unit', DOMAIN, PASSWORD),
  };
  const unit: Account = { domain: DOMAIN, deviceId: 'unit', authType: 'credentials', ha1, ...changes };
  return new Authenticator(
    {
      tenant: () => DOMAIN,
      device: (_, deviceId) => (deviceId === 'unit' ? unit : undefined),
      trunk: () => undefined,
      bearer: () => undefined,
    },
    crypto(),
  );
}

const unit = (changes: Partial<ReturnType<typeof facts>> = {}) => facts({ fromUser: 'unit', ...changes });
const offered = (decision: Parameters<typeof challenges>[0]) =>
  challenges(decision).map((value) => /algorithm=([\w-]+)/.exec(value)?.[1]);
const cause = (decision: Parameters<typeof challenges>[0]) =>
  'md5Alone' in decision ? decision.md5Alone?.cause : undefined;

/** The answer of a client that hashes by MD5 whatever it was asked, under the name of the first challenge. */
function answeredByMd5Only(asked: ReturnType<typeof facts>, decision: Parameters<typeof challenges>[0]) {
  const [first = ''] = challenges(decision);
  const named = /algorithm=([\w-]+)/.exec(first)?.[1] ?? '';
  const md5 = answered(asked, { ...decision, challenges: [first.replace(named, 'MD5')] } as never);
  return {
    ...md5,
    authorization: md5.authorization.map((value) => value.replace('algorithm=MD5', `algorithm=${named}`)),
  };
}

describe('a device that reads the first challenge only and knows MD5', () => {
  it('is offered MD5 alone after one wrong answer, and comes in', () => {
    const auth = knowing();
    const first = auth.identify(unit(), 0);
    expect(offered(first)).toEqual(['SHA-256', 'MD5']);
    const second = auth.identify(answeredByMd5Only(unit(), first), 10);
    expect(offered(second)).toEqual(['MD5']);
    expect(cause(second)).toBe('wrongAnswer');
    const third = auth.identify(answeredByMd5Only(unit(), second), 20);
    expect(third.outcome).toBe('accepted');
    expect(cause(third)).toBeUndefined();
    expect(offered(auth.identify(unit(), DAY))).toEqual(['MD5']);
    expect(offered(auth.identify(unit(), DAY + 20))).toEqual(['SHA-256', 'MD5']);
  });

  it('is offered MD5 alone when it comes again without an answer', () => {
    const auth = knowing();
    const asked = unit();
    auth.identify(asked, 0);
    const again = auth.identify(asked, 10);
    expect(offered(again)).toEqual(['MD5']);
    expect(cause(again)).toBe('noAnswer');
  });

  it('is offered MD5 alone when it answers by another scheme', () => {
    const auth = knowing();
    auth.identify(unit(), 0);
    expect(cause(auth.identify(unit({ authorization: ['Basic dW5pdDpwdw=='] }), 10))).toBe('noAnswer');
  });

  it('is offered MD5 alone once it answered rightly without an algorithm', () => {
    const auth = knowing();
    const first = auth.identify(unit(), 0);
    const right = answered(unit(), first, { which: 1 });
    const authorization = right.authorization.map((value) => value.replace(', algorithm=MD5', ''));
    const decision = auth.identify({ ...right, authorization }, 10);
    expect(decision.outcome).toBe('accepted');
    expect(cause(decision)).toBe('algorithmMissing');
    expect(offered(auth.identify(unit(), 20))).toEqual(['MD5']);
  });
});

describe('a device that knows SHA-256', () => {
  it('keeps its offer through requests that are in progress at once', () => {
    const auth = knowing();
    const first = auth.identify(unit(), 0);
    expect(offered(auth.identify(unit(), 100))).toEqual(['SHA-256', 'MD5']);
    expect(auth.identify(answered(unit(), first), 200).outcome).toBe('accepted');
    expect(offered(auth.identify(unit(), 60_000))).toEqual(['SHA-256', 'MD5']);
  });

  it('is taken without the name of the algorithm, too', () => {
    const auth = knowing();
    const right = answered(unit(), auth.identify(unit(), 0));
    const authorization = right.authorization.map((value) => value.replace(', algorithm=SHA-256', ''));
    expect(auth.identify({ ...right, authorization }, 10).outcome).toBe('accepted');
  });

  it('keeps its offer when a stranger answers wrongly under its name', () => {
    const auth = knowing();
    auth.identify(answered(unit(), auth.identify(unit(), 0)), 10);
    const stranger = unit({ source: '203.0.113.9' });
    const wrong = answered(stranger, auth.identify(stranger, 20), { password: 'guess' });
    expect(cause(auth.identify(wrong, 30))).toBeUndefined();
    expect(offered(auth.identify(unit(), 40))).toEqual(['SHA-256', 'MD5']);
  });

  it('and hashes another password by it keeps its offer: MD5 would not help', () => {
    const auth = knowing();
    const second = auth.identify(answered(unit(), auth.identify(unit(), 0), { password: 'guess' }), 10);
    expect(cause(second)).toBeUndefined();
    expect(offered(second)).toEqual(['SHA-256', 'MD5']);
  });

  it('and SHA-256 alone comes in again after a stranger was offered MD5 alone under its name', () => {
    const auth = knowing();
    const stranger = unit({ source: '203.0.113.9' });
    auth.identify(answeredByMd5Only(stranger, auth.identify(stranger, 0)), 10);
    const offers: unknown[] = [];
    for (let minute = 1; minute < 6; minute++)
      offers.push(offered(auth.identify(unit(), minute * 60_000)).length);
    // The first request is no failure yet; three without an answer are.
    expect(offers).toEqual([1, 1, 1, 2, 1]);
  });
});

describe('the offer by `digestAlgorithm`', () => {
  it('md5 is MD5 alone from the first challenge', () => {
    const auth = knowing({ digestAlgorithm: 'md5' });
    const first = auth.identify(unit(), 0);
    expect(offered(first)).toEqual(['MD5']);
    expect(auth.identify(answered(unit(), first), 10).outcome).toBe('accepted');
  });

  it('sha256 is SHA-256 alone, whatever is answered, and a right MD5 answer is refused', () => {
    const auth = knowing({ digestAlgorithm: 'sha256' });
    const first = auth.identify(unit(), 0);
    expect(offered(first)).toEqual(['SHA-256']);
    const md5 = { ...first, challenges: [challenges(first)[0]?.replace('SHA-256', 'MD5') ?? ''] } as never;
    const second = auth.identify(answered(unit(), md5), 10);
    expect(offered(second)).toEqual(['SHA-256']);
    expect(cause(second)).toBeUndefined();
    expect(auth.identify(answered(unit(), second), 20).outcome).toBe('accepted');
  });
});

it('a name that no device has is offered the same as a device, and reveals nothing', () => {
  const auth = knowing();
  const name = (changes = {}) => facts({ fromUser: 'nobody', ...changes });
  const first = auth.identify(name(), 0);
  const second = auth.identify(answeredByMd5Only(name(), first), 10);
  expect(offered(first)).toEqual(['SHA-256', 'MD5']);
  expect(offered(second)).toEqual(['MD5']);
  expect(cause(second)).toBeUndefined();
});
