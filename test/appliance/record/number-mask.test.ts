import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { masked } from '#appliance/record/index.ts';
import { type SessionRecord, sessionRecordSchema } from '#shared/contract/session-record/index.ts';

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');
const ports = { sha256Hex, salt: 'salt of care.example' };
const NUMBER = '+46701234567';

const RECORD: SessionRecord = {
  v: 1,
  recordId: '01kge3h9z8m91zhtfdrhzgd4pg',
  kind: 'call',
  at: 1,
  result: 'failed',
  reason: `${NUMBER} was not reached`,
  from: NUMBER,
  to: `sip:${NUMBER}@care.example;user=phone`,
  acceptedBy: '112',
  requestUri: `tel:${NUMBER}`,
  times: {},
  warnings: [`no answer of ${NUMBER}`],
  deliveries: { count: 1, failed: 1, lastReason: `about ${NUMBER}` },
};

describe('numbers that leave the site', () => {
  it('are whole', () => {
    expect(masked(RECORD, 'whole', ports)).toEqual(RECORD);
  });

  it('show their last four characters', () => {
    const said = masked(RECORD, 'lastFour', ports);
    expect(said).toMatchObject({
      from: '*4567',
      to: 'sip:*4567@care.example;user=phone',
      acceptedBy: '*',
      requestUri: 'tel:*4567',
      reason: '*4567 was not reached',
      warnings: ['no answer of *4567'],
      deliveries: { lastReason: 'about *4567' },
    });
  });

  it.each(['lastFour', 'hashed'] as const)(
    '%s: no number is left anywhere, and the record is one still',
    (how) => {
      const said = masked(RECORD, how, ports);
      expect(JSON.stringify(said)).not.toContain(NUMBER.slice(1));
      expect(JSON.stringify(said)).not.toContain('"112"');
      expect(sessionRecordSchema.safeParse(said).success).toBe(true);
    },
  );

  it('are hashed alike for the same number of a tenant, and otherwise for another one', () => {
    const [once, again] = [masked(RECORD, 'hashed', ports), masked(RECORD, 'hashed', ports)];
    expect(once.from).toBe(again.from);
    expect(once.from).toMatch(/^#[0-9a-f]{16}$/);
    expect(once.requestUri).toBe(`tel:${once.from}`);
    expect(masked(RECORD, 'hashed', { ...ports, salt: 'another' }).from).not.toBe(once.from);
  });
});
