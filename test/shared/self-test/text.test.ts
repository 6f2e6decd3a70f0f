import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { selfTestTexts } from '#shared/self-test/index.ts';

const PROBES = join(import.meta.dirname, '../../../appliance/selftest');
const { en, sv, de } = selfTestTexts;
const codes = Object.keys(en.codes) as (keyof typeof en.codes)[];

/** The text that a probe names between quotes behind its verdict. */
function given(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of readdirSync(PROBES).filter((each) => each.endsWith('.ts'))) {
    const text = readFileSync(join(PROBES, name), 'utf8');
    for (const [, code = ''] of text.matchAll(/'([a-z]+\.[a-zA-Z]+)'/g)) found.add(code);
    for (const [, code = ''] of text.matchAll(/skipped\('(\w+)'\)/g)) found.add(code);
    // A probe of a door that says which door: tls and mqtt.
    for (const [, listener] of text.matchAll(/`(\w+)\.\$\{\w+\.kind\}`/g)) {
      found.add(`${listener}.unreachable`).add(`${listener}.untrusted`);
    }
  }
  return found.add('unexpected');
}

describe('the text of a self-test for a technician', () => {
  test('is there for every code that a probe gives, and for no other', () => {
    expect([...given()].filter((code) => code in en.codes).sort()).toEqual([...codes].sort());
  });

  test.each([
    ['sv', sv],
    ['de', de],
  ] as const)('is there in %s, and is not the English text', (_, texts) => {
    expect(Object.keys(texts.codes).sort()).toEqual([...codes].sort());
    expect(Object.keys(texts.points).sort()).toEqual(Object.keys(en.points).sort());
    for (const code of codes) expect(texts.codes[code], code).not.toBe(en.codes[code]);
  });

  test('names the same commands in every language', () => {
    const commands = (text: string): readonly string[] =>
      (
        text.match(
          /carillon (?:status|config show|network show|broker check)|journalctl[^.]*\d|ss -\w+|timedatectl set-ntp true|df -h/g,
        ) ?? []
      ).sort();
    for (const code of codes) {
      expect(commands(sv.codes[code]), `sv ${code}`).toEqual(commands(en.codes[code]));
      expect(commands(de.codes[code]), `de ${code}`).toEqual(commands(en.codes[code]));
    }
  });
});
