import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  account,
  aesKey,
  digits,
  hostPort,
  oneOf,
  port,
  seconds,
  wholeNumber,
} from '#installer/command/option/option-word.ts';
import { CARILLON } from '../../support/program/program.ts';

describe('a word behind a flag', () => {
  it.each([
    [hostPort, 'pbx.example:5060'],
    [hostPort, '[2001:db8::1]:5060'],
    [oneOf(['udp', 'tcp']), 'tcp'],
    [wholeNumber, '12'],
    [seconds, '0.5'],
    [digits(1, 12), '0042'],
    [account, '12aF'],
    [aesKey, '0f'.repeat(24)],
    [port, '65535'],
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
    [digits(12), '123', 'Write 12 digits.'],
    [digits(1, 12), '12a', 'Write 1 to 12 digits.'],
    [account, '12', 'Write 3 to 16 hexadecimal digits.'],
    [aesKey, '0f'.repeat(17), 'Write 32, 48 or 64'],
    [port, '0', 'Write a port'],
  ] as const)('is refused with what to write instead', (read, text, says) => {
    expect(() => read(text)).toThrow(says);
  });
});

describe('the command line', () => {
  it.each([
    ['an unknown command', ['instal'], 64, 'Did you mean install?', '(carillon --help lists'],
    ['an unknown flag', ['network', 'set', '--fast'], 64, '--fast', '(carillon network set --help lists'],
    [
      'an address without a port',
      ['simulate', 'scaip', '--to', 'x'],
      64,
      'Write HOST:PORT',
      'scaip --help lists',
    ],
    [
      'an application over plain http on another machine',
      ['demo', '--callback', 'http://192.168.1.5:3000'],
      64,
      'plain http is for this machine only',
      '',
    ],
    [
      "an application of one's own in a demo that ends",
      ['demo', '--callback', 'http://localhost:3000', '--once', '--port-offset', '9500'],
      64,
      '--callback needs a demo that goes on',
      '',
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
    ...(
      [
        ['dc09', '--account', 'zz', 'Write 3 to 16 hexadecimal digits'],
        ['dc09', '--transport', 'tls', 'Write tcp, udp'],
        ['tone', '--identity', '12ab', 'Write 1 to 12 digits'],
        ['tone', '--protocol', 'cpc', 'Write bs8521'],
        ['nowip', '--identity', '1234', 'Write 12 digits'],
        ['nowip', '--event', '10', 'Write 3 digits'],
        ['nowip', '--habit', 'rude', 'Write confirms'],
        ['lacs', '--to', 'there', 'Write HOST:PORT'],
        ['arc', '--port', '70000', 'Write a port'],
        ['arc', '--answer', 'no', 'Write acknowledge'],
      ] as const
    ).map(([simulator, flag, word, then]): [string, string[], number, string, string] => [
      `simulate ${simulator} ${flag} ${word}`,
      ['simulate', simulator, flag, word],
      64,
      `'${word}' is invalid`,
      then,
    ]),
    ...(
      [
        ['--key', '00'.repeat(16), 'scaip', 'dc09'],
        ['--call', 'sip:arc@arc.example', 'bs8521', 'scaip'],
        ['--command', 'speak', 'dc09', 'nowip, bs8521, tt92, tt92-stmf, ttnew'],
      ] as const
    ).map(([flag, word, protocol, of]): [string, string[], number, string, string] => [
      `simulate arc ${flag} of a receiver that has none`,
      ['simulate', 'arc', '--protocol', protocol, flag, word],
      64,
      `${flag} is only of a receiver of ${of}`,
      'leave it out',
    ]),
    [
      'simulate arc --answer of an application',
      ['simulate', 'arc', '--answer', 'busy'],
      64,
      '--answer is only of a receiver',
      'leave it out',
    ],
    [
      'a file that is not there',
      ['simulate', 'scaip', '--trust', '/nope'],
      65,
      '/nope cannot be read',
      'Check the',
    ],
  ])('answers %s with a code and what to do', (_, words, code, what, then) => {
    const ran = spawnSync(process.execPath, [CARILLON, ...words], { encoding: 'utf8' });
    expect(ran.stderr).toContain(what);
    expect(ran.stderr).toContain(then);
    expect(ran.stderr).not.toMatch(/^\s+at /m);
    expect(ran.status).toBe(code);
  });
});
