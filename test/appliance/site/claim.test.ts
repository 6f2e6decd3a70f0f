import { describe, expect, it } from 'vitest';
import {
  claimOfFile,
  claimTyped,
  type EnrolOutcome,
  enrolByClaim,
  type HostClaim,
  type HostIdentity,
  keptClaim,
} from '#appliance/site/index.ts';
import type { ClaimFile } from '#shared/contract/site/index.ts';
import { fail, ok } from '#shared/result.ts';

const LONG = '0123456789ABCDEFGHJKMNPQRS';
const [HERE, THERE] = ['https://here.example', 'https://there.example'];
const open = { hostId: undefined, ca: undefined };

describe('a claim that is typed', () => {
  it.each([
    [LONG, THERE, HERE, { cloud: THERE, code: LONG, ...open }],
    [LONG, undefined, HERE, { cloud: HERE, code: LONG, ...open }],
    ['4f7k2-m9qxt', undefined, HERE, { cloud: HERE, code: '4F7K2M9QXT', ...open }],
    [LONG, undefined, undefined, /address of the control plane/],
    [LONG, 'no address', HERE, /address of the control plane/],
    ['  ', THERE, HERE, /Type the claim code/],
    ['4F7K2-M9QX', THERE, HERE, /9 characters/],
    // The code is judged first: it is what the person has just typed.
    ['4F7K2-M9QX', undefined, undefined, /9 characters/],
  ])('%j for %s, where the settings name %s, is %s', (claim, cloud, known, expected) => {
    const read = claimTyped({ claim, cloud }, known);
    if (expected instanceof RegExp) expect(read).toMatch(expected);
    else expect(read).toEqual(expected);
  });
});

describe('a claim file', () => {
  const said = {
    cloud: HERE,
    claimCode: LONG,
    hostId: 'box-1',
    ca: 'PEM',
    siteId: 'north',
    key: { kid: 'k1' },
  };
  const file = ok(said as unknown as ClaimFile);
  const claim = {
    ...{ cloud: HERE, code: LONG, hostId: 'box-1', ca: 'PEM' },
    expected: { kid: 'k1', siteId: 'north' },
  };
  it.each([
    ['that is whole', file, undefined, claim],
    ['of the own site', file, 'north', claim],
    ['of another site', file, 'south', /for the site north, and this host is set up for south/],
    ['that is damaged', fail('damaged', 'x'), undefined, /no claim file/],
    ['that was altered', fail('altered', 'x'), undefined, /was altered.*Do not use it/],
    ['that is over', fail('over', 'x'), undefined, /is over/],
  ] as const)('%s', (_, read, own, expected) => {
    const found = claimOfFile(read, own);
    if (expected instanceof RegExp) expect(found).toMatch(expected);
    else expect(found).toEqual(expected);
  });
});

describe('the claim that settings keep', () => {
  const code = { kind: 'code', claim: { cloud: HERE, code: LONG, ...open } };
  it.each([
    [{}, undefined],
    [{ claim: LONG }, undefined],
    [{ cloud: HERE }, undefined],
    [{ cloud: HERE, claim: LONG }, code],
    [{ claimFile: '/c' }, { kind: 'file', path: '/c' }],
    [
      { cloud: HERE, claimFile: '/c' },
      { kind: 'file', path: '/c' },
    ],
  ])('%j is %j', (setting, expected) => {
    expect(keptClaim({ cloud: undefined, claim: undefined, claimFile: undefined, ...setting })).toEqual(
      expected,
    );
  });
});

describe('the claim of a person makes this machine a host', () => {
  const identity = { hostId: 'box-1' } as HostIdentity;
  const claim: HostClaim = { cloud: HERE, code: LONG, ...open };
  const enrolled: EnrolOutcome = { kind: 'enrolled', identity };

  const by = async (given: HostClaim | string, outcome: EnrolOutcome, own?: string) => {
    const [attempts, adopted]: [HostClaim[], HostIdentity[]] = [[], []];
    const answer = await enrolByClaim(async () => given, {
      hostId: () => own,
      attempt: async (meant) => {
        attempts.push(meant);
        return outcome;
      },
      adopt: (made) => void adopted.push(made),
    });
    return { answer, attempts: attempts.length, adopted: adopted.length };
  };

  it.each([
    ['is enrolled', claim, enrolled, undefined, { kind: 'enrolled', reason: 'box-1' }, 1, 1],
    ['is one already', claim, enrolled, 'box-9', { kind: 'enrolled', reason: 'box-9' }, 0, 0],
    [
      'cannot be used',
      'Type it again.',
      enrolled,
      undefined,
      { kind: 'wrong', reason: 'Type it again.' },
      0,
      0,
    ],
    [
      'waits for a person',
      claim,
      { kind: 'waiting', siteId: 'north', hostId: 'box-2', retryAfterS: 60 },
      undefined,
      { kind: 'waiting', reason: 'box-2' },
      1,
      0,
    ],
    [
      'is refused',
      claim,
      { kind: 'refused', reason: 'no' },
      undefined,
      { kind: 'refused', reason: 'no' },
      1,
      0,
    ],
    [
      'is not reached',
      claim,
      { kind: 'unreachable', reason: 'down' },
      undefined,
      { kind: 'unreachable', reason: 'down' },
      1,
      0,
    ],
  ] as const)('%s', async (_, given, outcome, own, answer, attempts, adopted) => {
    expect(await by(given, outcome, own)).toEqual({ answer, attempts, adopted });
  });
});
