import { expect, test } from 'vitest';
import { parseAuthField, quoted } from '#appliance/sip/auth/auth-field.ts';
import { answered, authenticator, facts } from './fixture.ts';
import { random } from './seeded.ts';

test('3,000 broken Authorization values: judged, never thrown, and none opens what it should not', () => {
  const signs = Array.from('",\\= \t\r\nDigest0af=\0é');
  let accepted = 0;
  for (let seed = 1; seed <= 3_000; seed++) {
    const next = random(seed);
    const auth = authenticator({ guard: { enabled: false } });
    const good = answered(facts(), auth.identify(facts(), 0)).authorization[0] ?? '';
    const at = next(good.length);
    const broken = good.slice(0, at) + (signs[next(signs.length)] ?? '') + good.slice(at + next(3));
    const decision = auth.identify(facts({ authorization: [broken] }), 1);
    expect(['accepted', 'challenged']).toContain(decision.outcome);
    if (decision.outcome !== 'accepted') continue;
    accepted++;
    // A field that still opens must say the same: names, response and count as they were.
    const field = parseAuthField(broken);
    const asked = parseAuthField(good);
    if (!field.ok || !asked.ok) throw new Error(`seed ${seed}`);
    for (const name of ['realm', 'nonce', 'uri', 'cnonce']) {
      expect({ seed, [name]: field.value.parameters.get(name) }).toEqual({
        seed,
        [name]: asked.value.parameters.get(name),
      });
    }
  }
  // Blanks between parameters, case of hex digits and the like; most changes close the door.
  expect(accepted).toBeLessThan(600);
});

test('a quoted value is read back', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const next = random(seed);
    const text = Array.from({ length: next(20) }, () => '"\\,= aé;'.charAt(next(8))).join('');
    expect(parseAuthField(`Digest realm=${quoted(text)}, x=1`)).toMatchObject({ ok: true });
    const field = parseAuthField(`Digest realm=${quoted(text)}, x=1`);
    expect(field.ok && field.value.parameters.get('realm')).toBe(text);
  }
});
