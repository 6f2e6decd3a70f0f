import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const carillon = fileURLToPath(new URL('../../../installer/carillon.ts', import.meta.url));
const run = (input: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [carillon, 'explain', ...words], {
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

const STRING = 'A01001234567800010100000000#\n';

describe('carillon explain', () => {
  it('prints one JSON object', () => {
    const { status, stdout } = run(STRING, 'tone', '-', '--json');
    expect(status).toBe(0);
    const explained = JSON.parse(stdout);
    expect(Object.keys(explained)).toEqual(['protocol', 'fields', 'check', 'alarmEvent', 'warnings']);
    expect(explained).toMatchObject({ protocol: 'bs8521', alarmEvent: { controllerId: '12345678' } });
  });

  it('reads standard input by itself, and says it for people', () => {
    const { status, stdout } = run(STRING, 'tone');
    expect(status).toBe(0);
    expect(stdout).toContain('controllerId  12345678');
  });

  it.each([
    ['hello', ['scaip'], 65, 'No SCAIP'],
    ['', ['dc09', '/nowhere/frame'], 65, 'there is no such file'],
    ['', ['dc09', '-', '--key', 'xyz'], 64, '--key must be'],
    ['', ['fax'], 64, 'Allowed choices'],
  ] as const)('%j as %j ends with a sentence', (input, words, code, sentence) => {
    const { status, stdout, stderr } = run(input, ...words);
    expect([status, stdout]).toEqual([code, '']);
    expect(stderr).toContain(sentence);
  });
});
