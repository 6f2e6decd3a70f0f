import { describe, expect, it } from 'vitest';
import { startFailure } from '#installer/step/start-failure.ts';

describe('startFailure', () => {
  it.each([
    [
      'listen EADDRINUSE: address already in use 127.0.0.1:8080',
      69,
      '127.0.0.1:8080 is taken by another program; end that one or use another --port-offset',
    ],
    ['bind EADDRINUSE 0.0.0.0:5060', 69, '0.0.0.0:5060 is taken'],
    ['listen EACCES: permission denied 0.0.0.0:443', 77, 'choose a port above 1023'],
    ['listen EADDRNOTAVAIL ::1:5060; take [::1]:5060 out of X', 69, 'take [::1]:5060 out of X'],
    ['bind EAFNOSUPPORT :::5060; take it out of X', 78, 'take it out of X'],
    ["ENOSPC: no space left on device, open '/x'", 74, 'make room on the disk'],
    ['CARILLON_TRUST cannot be read', 78, 'CARILLON_TRUST cannot be read'],
  ])('%s', (reason, code, sentence) => {
    const stop = startFailure(reason, 'use another --port-offset');
    expect(stop.code).toBe(code);
    expect(stop.message).toContain(sentence);
  });
});
