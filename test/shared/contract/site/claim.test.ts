import { describe, expect, it } from 'vitest';
import {
  claimCodeFault,
  claimCodeFaultText,
  claimCodeFrom,
  claimRequestSchema,
  commissionRequestSchema,
  drainRequestSchema,
  isLongClaimCode,
  longClaimCodeFrom,
  operationSchema,
  siteRequestSchema,
  typedClaimCode,
} from '#shared/contract/site/index.ts';

describe('claim codes', () => {
  it('have 10 signs without look-alikes', () => {
    const every = Uint8Array.from({ length: 256 }, (_, i) => i);
    for (let at = 0; at < 250; at += 10) {
      expect(claimCodeFrom(every.subarray(at, at + 10))).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    }
  });

  it('for machines have 26 signs of the same kind, 128 bits and more', () => {
    const every = Uint8Array.from({ length: 256 }, (_, i) => i);
    for (let at = 0; at < 230; at += 26) {
      const code = longClaimCodeFrom(every.subarray(at, at + 26));
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(isLongClaimCode(code.toLowerCase())).toBe(true);
    }
    expect(isLongClaimCode('4F7K2-M9QXT')).toBe(false);
    expect(() => longClaimCodeFrom(every.subarray(0, 25))).toThrow(/25 bytes/);
  });

  it.each(['4F7K2-M9QXT', 'oil o1 23456', '0123456789ABCDEFGHJKMNPQRS'])('may be "%s"', (code) => {
    expect(claimCodeFault(code)).toBeUndefined();
  });

  it.each([
    ['4F7K2M9QX', /has 9 characters. A typed code has 10, and a code in a QR code or file has 26/],
    ['4F7K2M9QXT1', /has 11 characters/],
    ['0123456789ABCDEFGHJKMNPQR', /has 25 characters/],
    ['', /has 0 characters/],
    ['4F7K2M9QXU', /character "U"/],
    ['4F7K2M9Q.T', /character "\."/],
  ])('"%s" is none, and why', (code, sentence) => {
    const fault = claimCodeFault(code);
    expect(fault === undefined ? 'good' : claimCodeFaultText(fault)).toMatch(sentence);
  });

  it('are known again however they were typed', () => {
    expect(typedClaimCode('  a1b2-ol7 xyz')).toBe('A1B2017XYZ');
  });

  it('last 72 h, serve once and commission by themselves unless said otherwise', () => {
    expect(claimRequestSchema.parse({})).toEqual({ expiresIn: 259_200, uses: 1, autoCommission: true });
    expect(claimRequestSchema.safeParse({ hostId: 'a', uses: 2 }).success).toBe(false);
    expect(claimRequestSchema.safeParse({ uses: 0 }).success).toBe(false);
    expect(claimRequestSchema.safeParse({ use: 1 }).success).toBe(false);
  });
});

describe('sites', () => {
  it.each(['stream', 'alarm', 'operation', 'North', 'a_b', ''])('cannot be called "%s"', (siteId) => {
    expect(siteRequestSchema.safeParse({ siteId }).success).toBe(false);
  });

  it('takes both network fields or none', () => {
    expect(commissionRequestSchema.safeParse({}).success).toBe(true);
    expect(commissionRequestSchema.safeParse({ networkPrefixLength: 24 }).success).toBe(false);
    expect(commissionRequestSchema.safeParse({ networkInterfaces: ['10.0.0.5'] }).success).toBe(false);
    expect(
      commissionRequestSchema.safeParse({
        networkInterfaces: ['10.0.0.5', 'fe80::1'],
        networkPrefixLength: 24,
      }).success,
    ).toBe(true);
  });

  it('drain by the word "true" or by true, for a day at most', () => {
    for (const doNotReschedule of ['true', 'false', true])
      expect(drainRequestSchema.safeParse({ doNotReschedule }).success).toBe(true);
    expect(drainRequestSchema.safeParse({ doNotReschedule: 'yes' }).success).toBe(false);
    expect(drainRequestSchema.safeParse({ deadline: 86_401 }).success).toBe(false);
  });

  it('show what a host goes through', () => {
    const operation = {
      operationId: 'o',
      type: 'drain',
      siteId: 'a',
      hostId: 'b',
      state: 'blocked',
      steps: [],
      createdAt: 1_000,
    };
    expect(operationSchema.safeParse(operation).success).toBe(true);
    expect(operationSchema.safeParse({ ...operation, state: 'lost' }).success).toBe(false);
  });
});
