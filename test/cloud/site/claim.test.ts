import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readClaimFile } from '#appliance/io/edge/index.ts';
import { claimHash } from '#cloud/site/lifecycle/claim.ts';
import { readClaim } from '#cloud/store/index.ts';
import { isLongClaimCode } from '#shared/contract/site/index.ts';
import { actorAt, callAt, NOW, openSiteStage, type SiteStage } from './stage.ts';

let stage: SiteStage;
beforeEach(async () => {
  stage = await openSiteStage();
});
afterEach(() => stage.close());

const request = { expiresIn: 3600, uses: 2, autoCommission: true };
const made = async (change: Partial<typeof request> = {}) => {
  const claim = await stage.sites.claim.create(callAt(NOW), 'north', { ...request, ...change });
  if (!claim.ok) throw new Error(claim.error.reason);
  return claim.value;
};
const comes = async (code: string, hostId: string) => {
  const { key: _, ...machine } = await stage.machine(code, hostId);
  return await stage.sites.enrolment.claim(machine, actorAt(NOW));
};
const codeInFile = async (code: string): Promise<string> => {
  const file = await stage.sites.claim.file(callAt(NOW), 'north', code);
  if (!file.ok) throw new Error(file.error.reason);
  expect(await readClaimFile(JSON.stringify(file.value), NOW)).toMatchObject({ ok: true });
  return file.value.claimCode;
};

describe('the two codes of a claim', () => {
  it('are different ones each time, 10 signs to type and 26 for machines', async () => {
    const [one, two] = [await made(), await made()];
    const codes = [one.claimCode, one.longCode, two.claimCode, two.longCode];
    expect(codes.map((code) => code.length)).toEqual([10, 26, 10, 26]);
    expect(new Set(codes).size).toBe(4);
    expect(one.longCode).not.toContain(one.claimCode);
  });

  it('use up one claim together', async () => {
    const { claimCode, longCode } = await made();
    expect(await comes(longCode, 'box-1')).toMatchObject({ ok: true, value: { hostId: 'box-1' } });
    expect(await comes(claimCode.toLowerCase(), 'box-2')).toMatchObject({ ok: true });
    for (const [code, name] of [
      [longCode, 'box-3'],
      [claimCode, 'box-4'],
    ] as const)
      expect(await comes(code, name)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  });

  it('let the same machine ask again by the other one, and use nothing up', async () => {
    const { claimCode, longCode } = await made({ uses: 1 });
    const { key: _, ...machine } = await stage.machine(longCode);
    const first = await stage.sites.enrolment.claim(machine, actorAt(NOW));
    const again = await stage.sites.enrolment.claim({ ...machine, claimCode }, actorAt(NOW));
    if (!first.ok || !again.ok) throw new Error('refused');
    expect(again.value.uid).toBe(first.value.uid);
  });

  it('both lead to the file, and the file has the long one', async () => {
    const { claimCode, longCode } = await made();
    expect(await codeInFile(claimCode)).toBe(longCode);
    expect(await codeInFile(longCode.toLowerCase())).toBe(longCode);
    const stranger = await stage.sites.claim.file({ ...callAt(NOW), tenant: 'other' }, 'north', longCode);
    expect(stranger).toMatchObject({ ok: false, error: { code: 'notFound' } });
  });

  it('stand nowhere in the store, and what stands there does not make the long one without the typed one', async () => {
    const { claimCode, longCode } = await made();
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const row = await readClaim(stage.store, claimHash(sha256, longCode));
    const stored = JSON.stringify(row);
    expect(row?.hash).toBe(claimHash(sha256, claimCode));
    for (const code of [claimCode, longCode]) expect(stored).not.toContain(code);
    expect(row?.longSalt).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    const other = await made();
    expect((await readClaim(stage.store, claimHash(sha256, other.claimCode)))?.longSalt).not.toBe(
      row?.longSalt,
    );
  });

  it('come with the release of a host, too', async () => {
    const { claimCode } = await made({ uses: 1 });
    await comes(claimCode, 'box-1');
    const locked = await stage.sites.life.quarantine(
      callAt(NOW),
      { siteId: 'north', hostId: 'box-1' },
      'lost',
    );
    expect(locked).toMatchObject({ ok: true });
    const released = await stage.sites.life.release(callAt(NOW), { siteId: 'north', hostId: 'box-1' });
    if (!released.ok) throw new Error(released.error.reason);
    expect(isLongClaimCode(released.value.longCode)).toBe(true);
    expect(await codeInFile(released.value.claimCode)).toBe(released.value.longCode);
    expect(await comes(released.value.longCode, 'other-name')).toMatchObject({
      ok: true,
      value: { hostId: 'box-1' },
    });
    expect(await comes(released.value.claimCode, 'box-9')).toMatchObject({ ok: false });
  });
});

describe('input that cannot be a code', () => {
  it.each([
    ['4F7K2M9QX', /9 characters. A typed code has 10, and a code in a QR code or file has 26/],
    ['0123456789ABCDEFGHJKMNPQR', /25 characters/],
    ['4F7K2M9QXU', /character "U"/],
  ])('"%s" is refused with what is wrong, and counts as a try', async (code, sentence) => {
    const refused = await comes(code, 'box-1');
    expect(refused).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(refused.ok ? '' : refused.error.reason).toMatch(sentence);
    for (let i = 1; i < 5; i++) await comes(code, 'box-1');
    const { longCode } = await made();
    expect(await comes(longCode, 'box-1')).toMatchObject({ ok: false, error: { code: 'tooManyRequests' } });
  });
});
