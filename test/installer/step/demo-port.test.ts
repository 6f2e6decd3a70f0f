import { describe, expect, it } from 'vitest';
import { demoPorts } from '#installer/step/demo-port.ts';

describe('ports of the demo', () => {
  it('are the usual ones, moved together', () => {
    expect(demoPorts(0)).toMatchObject({ http: 8080, sip: 5060, rtp: '20000-23999' });
    expect(demoPorts(100)).toMatchObject({
      http: 8180,
      edge: 8544,
      applianceHttp: 8543,
      arc: 8545,
      rtp: '20100-24099',
    });
  });

  it.each([1, -2, 0.5, Number.NaN, 60_000])('cannot be moved by %s', (offset) => {
    expect(() => demoPorts(offset)).toThrow(/--port-offset .*even number from 0 to/);
  });

  it('never become one that browsers refuse', () => {
    expect(() => demoPorts(2_000)).toThrow('no browser speaks to port 10080; take another number');
  });
});
