import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostPort, oneOf, seconds, wholeNumber } from '#installer/command/option-word.ts';

const FRONT_DOOR = join(import.meta.dirname, '../../../installer/carillon.ts');

describe('a word behind a flag', () => {
  it.each([
    [hostPort, 'pbx.example:5060'],
    [hostPort, '[2001:db8::1]:5060'],
    [oneOf(['udp', 'tcp']), 'tcp'],
    [wholeNumber, '12'],
    [seconds, '0.5'],
  ] as const)('is taken', (read, text) => {
    expect(String(read(text))).toBe(text);
  });

  it.each([
    [hostPort, 'nowhere', 'Write HOST:PORT'],
    [hostPort, 'host:0', 'Write HOST:PORT'],
    [hostPort, 'host:65536', 'Write HOST:PORT'],
    [hostPort, '::1:5060', 'Write HOST:PORT'],
    [oneOf(['udp', 'tcp']), 'sctp', 'Write udp, tcp.'],
    [wholeNumber, '1.5', 'Write a whole number.'],
    [seconds, '-1', 'Write a number of seconds.'],
  ] as const)('is refused with what to write instead', (read, text, says) => {
    expect(() => read(text)).toThrow(says);
  });
});

describe('the front door', () => {
  it.each([
    ['a command that nobody knows', ['instal'], 64, 'Did you mean install?', '(carillon --help lists'],
    [
      'a flag that nobody knows',
      ['network', 'set', '--fast'],
      64,
      '--fast',
      '(carillon network set --help lists',
    ],
    [
      'an address without a port',
      ['simulate', 'scaip', '--to', 'x'],
      64,
      'Write HOST:PORT',
      'scaip --help lists',
    ],
    [
      'a language that is not spoken',
      ['status', '--lang', 'fr'],
      64,
      'Write en, sv, de',
      'status --help lists',
    ],
    [
      'a port that is none',
      ['selftest', '--sip-peer', 'pbx:0'],
      64,
      'Write HOST:PORT',
      'selftest --help lists',
    ],
    [
      'an address with a prefix that none can have',
      ['network', 'set', 'eth0', '--address', '10.0.0.1/40', '--lang', 'de'],
      64,
      '10.0.0.1/40 ist nicht ADRESSE/PRÄFIX',
      'zum Beispiel 192.168.1.10/24 schreiben',
    ],
    [
      'a support file that has no place',
      ['support-bundle', '-o', '/nowhere/bundle.tar.gz', '--lang', 'en'],
      74,
      '/nowhere/bundle.tar.gz cannot be written',
      'Name another place',
    ],
    [
      'a file that is not there',
      ['simulate', 'scaip', '--trust', '/nope'],
      65,
      '/nope cannot be read',
      'Check the',
    ],
  ])('answers %s with a code and what to do', (_, words, code, what, then) => {
    const ran = spawnSync(process.execPath, [FRONT_DOOR, ...words], { encoding: 'utf8' });
    expect(ran.stderr).toContain(what);
    expect(ran.stderr).toContain(then);
    expect(ran.stderr).not.toMatch(/^\s+at /m);
    expect(ran.status).toBe(code);
  });
});
