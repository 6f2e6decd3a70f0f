import { describe, expect, it } from 'vitest';
import { startFailure } from '#installer/step/start-failure.ts';
import { listenAdvice } from '#shared/setting/index.ts';

describe('startFailure', () => {
  it.each([
    [
      'listen EADDRINUSE: address already in use 127.0.0.1:8080',
      69,
      'address already in use 127.0.0.1:8080; another program has it: end that one, or use another --port-offset',
    ],
    ['listen EADDRINUSE: address already in use ::1:8080', 69, 'in use ::1:8080; another program has it'],
    ['bind EADDRINUSE 0.0.0.0:5060', 69, 'bind EADDRINUSE 0.0.0.0:5060; another program has it'],
    ['listen EACCES: permission denied 0.0.0.0:443', 77, 'choose a port above 1023'],
    ['listen EADDRNOTAVAIL ::1:5060; take [::1]:5060 out of X', 69, 'take [::1]:5060 out of X'],
    ['bind EAFNOSUPPORT :::5060; take it out of X', 78, 'take it out of X'],
    ["ENOSPC: no space left on device, open '/x'", 74, 'make room on the disk'],
    [
      'The database of CARILLON_DATABASE cannot be used: connect ECONNREFUSED 127.0.0.1:5432. Start it',
      75,
      'connect ECONNREFUSED 127.0.0.1:5432',
    ],
    ['CARILLON_TRUST cannot be read', 78, 'CARILLON_TRUST cannot be read'],
  ])('%s', (reason, code, sentence) => {
    const stop = startFailure(reason, 'use another --port-offset');
    expect(stop.code).toBe(code);
    expect(stop.message).toContain(sentence);
  });

  const taken = `SIP over UDP cannot listen on :: port 5060: bind EADDRINUSE :::5060; ${listenAdvice(
    'CARILLON_SIP_UDP',
    { host: '::', port: 5_060 },
    'EADDRINUSE',
  )}`;

  it('names for a daemon who wanted the address, and its setting', () => {
    expect(startFailure(taken).message).toBe(
      'SIP over UDP cannot listen on :: port 5060: bind EADDRINUSE :::5060; another program has it: end that one, or name another address in CARILLON_SIP_UDP',
    );
    expect(startFailure('listen EADDRINUSE :::1').message).toContain('change the setting that names it');
  });

  it('says for the demo, which has no settings, how it is given other ports', () => {
    expect(startFailure(taken, 'use another --port-offset').message).toBe(
      'SIP over UDP cannot listen on :: port 5060: bind EADDRINUSE :::5060; another program has it: end that one, or use another --port-offset',
    );
  });

  it('says so once for a port that takes a right', () => {
    const advice = listenAdvice('CARILLON_SIP_UDP', { host: '::', port: 443 }, 'EACCES');
    const { code, message } = startFailure(`bind EACCES :::443; ${advice}`);
    expect([code, message]).toEqual([77, `bind EACCES :::443; ${advice}`]);
  });
});
