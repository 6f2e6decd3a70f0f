import { describe, expect, it } from 'vitest';
import { readClaimFile } from '#appliance/io/edge/index.ts';
import { claimFile, claimSigner } from '#test/support/claim-file.ts';

const NOW = 1_770_000_000_000;
const [ours, stranger] = [claimSigner(), claimSigner()];
const file = await claimFile(ours, { expiresAt: NOW });
const { signature: _, ...said } = file;
const { signature: foreign } = await claimFile(stranger, { expiresAt: NOW });
const asTwin = await ours.sign('carillon-twin', said);

describe('a claim file', () => {
  it('is read as it was signed, up to its last moment', async () => {
    expect(await readClaimFile(JSON.stringify(file), NOW)).toEqual({ ok: true, value: file });
    // Spaces and the order of its parts have no meaning.
    const otherwise = JSON.stringify(Object.fromEntries(Object.entries(file).toReversed()), null, 2);
    expect(await readClaimFile(otherwise, NOW)).toMatchObject({ ok: true });
  });

  it('says when its claim has ended', async () => {
    expect(await readClaimFile(JSON.stringify(file), NOW + 1)).toEqual({
      ok: false,
      error: { code: 'over', reason: new Date(NOW).toISOString() },
    });
  });

  it.each([
    ['another control plane', { cloud: 'https://elsewhere.example' }],
    ['another root', { ca: 'PEM of somebody' }],
    ['another site', { siteId: 'south' }],
    ['another code', { claimCode: 'AAAAAAAAAA' }],
    ['a later end', { expiresAt: NOW + 1e9 }],
    ['a host', { hostId: 'box-9' }],
    ['the key of another', { key: stranger.key }],
    ['the signature of another', { signature: foreign }],
    ['a signature of something else', { signature: asTwin }],
    ['no signature that can be read', { signature: 'x.y.z' }],
  ])('into which a stranger has put %s is not believed', async (_, change) => {
    const read = await readClaimFile(JSON.stringify({ ...file, ...change }), NOW);
    expect(read).toMatchObject({ ok: false, error: { code: 'altered' } });
  });

  it.each([
    ['not JSON', '{', /no JSON/],
    ['without a signature', JSON.stringify(said), /signature/],
    ['something else', '{"v":1}', /kind/],
    ['an empty file', '', /no JSON/],
  ])('that is %s is damaged, with the place', async (_, text, place) => {
    const read = await readClaimFile(text, NOW);
    expect(read).toMatchObject({ ok: false, error: { code: 'damaged' } });
    expect(read.ok ? '' : read.error.reason).toMatch(place);
  });
});
