import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DIAGNOSIS_LIMIT_BYTES, DiagnosisBundles } from '#cloud/site/index.ts';

const sha256Bytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const BYTES = new Uint8Array([31, 139, 8]);

function open() {
  const clock = { now: 1_000 };
  const bundles = new DiagnosisBundles({
    random: (length) => randomBytes(length),
    sha256Bytes,
    nowMs: () => clock.now,
  });
  return { clock, bundles };
}

describe('the recordingStore of support bundles', () => {
  it('takes a bundle once, from the host that was asked, and gives it to its tenant', () => {
    const { bundles } = open();
    const id = bundles.ticket('tenant', 'uid-1');
    expect(bundles.put(id, 'uid-2', BYTES)).toMatchObject({ ok: false, error: { code: 'notFound' } });
    expect(bundles.put(id, 'uid-1', BYTES)).toEqual({ ok: true, value: null });
    expect(bundles.put(id, 'uid-1', new Uint8Array(1))).toMatchObject({ ok: false });
    expect(bundles.holds(id, sha256Bytes(BYTES))).toBe(true);
    expect(bundles.holds(id, sha256Bytes(new Uint8Array(1)))).toBe(false);
    expect(bundles.take('tenant', 'uid-1', id)).toEqual({ ok: true, value: BYTES });
    expect(bundles.take('other', 'uid-1', id)).toMatchObject({ ok: false });
    expect(bundles.take('tenant', 'uid-2', id)).toMatchObject({ ok: false });
  });

  it('refuses what is too large, comes too late, or to an address nobody has made', () => {
    const { clock, bundles } = open();
    const id = bundles.ticket('tenant', 'uid-1');
    const large = new Uint8Array(DIAGNOSIS_LIMIT_BYTES + 1);
    expect(bundles.put(id, 'uid-1', large)).toMatchObject({ ok: false, error: { code: 'tooLarge' } });
    expect(bundles.put('nonsense', 'uid-1', BYTES)).toMatchObject({ ok: false });
    clock.now += 121_000;
    expect(bundles.put(id, 'uid-1', BYTES)).toMatchObject({ ok: false, error: { code: 'notFound' } });
  });

  it('forgets after an hour, and the oldest where there are many', () => {
    const { clock, bundles } = open();
    const first = bundles.ticket('tenant', 'uid-1');
    bundles.put(first, 'uid-1', BYTES);
    clock.now += 3_600_001;
    expect(bundles.take('tenant', 'uid-1', first)).toMatchObject({ ok: false });
    const ids = Array.from({ length: 17 }, () => bundles.ticket('tenant', 'uid-1'));
    for (const id of ids) bundles.put(id, 'uid-1', BYTES);
    expect(ids.map((id) => bundles.take('tenant', 'uid-1', id).ok)).toEqual([
      false,
      ...ids.slice(1).map(() => true),
    ]);
  });
});
