import { describe, expect, it } from 'vitest';
import {
  checkDemoPorts,
  type DemoListener,
  demoListeners,
  demoPorts,
  OFFSETS_APART,
} from '#installer/step/demo-port.ts';

/** The ports of a demo under this offset, as `UDP 5060`. */
const held = (offset: number): string[] => {
  const [from = 0, to = 0] = demoPorts(offset).rtp.split('-').map(Number);
  const audio = Array.from({ length: to - from + 1 }, (_, n) => `UDP ${from + n}`);
  return [...demoListeners(demoPorts(offset)).flatMap(named), ...audio];
};
const named = ({ port, transports }: DemoListener): string[] => transports.map((each) => `${each} ${port}`);
/** A machine on which demos run under these offsets. */
const machine = (...offsets: number[]) => {
  const all = new Set(offsets.flatMap(held));
  return async (port: number, transport: string) => all.has(`${transport} ${port}`);
};

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

  it('are shared by no two of the offsets that are said to lie apart', () => {
    const all = OFFSETS_APART.flatMap(held);
    expect(all).toHaveLength(OFFSETS_APART.length * 4_011);
    expect(new Set(all).size).toBe(all.length);
  });

  it('are looked at before the start: it is refused with the port, who may have it, and an offset that is free', async () => {
    await expect(checkDemoPorts(0, machine())).resolves.toBeUndefined();
    await expect(checkDemoPorts(4_000, machine(0))).resolves.toBeUndefined();
    await expect(checkDemoPorts(1_000, machine(0))).rejects.toThrow(
      'UDP port 6060 for SIP is in use; another program has it (a demo with --port-offset 0 has DC-09 there): end that one, or use --port-offset 4000',
    );
    await expect(checkDemoPorts(0, machine(1_000, 4_000, 8_000))).rejects.toThrow(
      'UDP port 6060 for DC-09 is in use; another program has it (a demo with --port-offset 1000 has SIP there): end that one, or use --port-offset 12000',
    );
    await expect(checkDemoPorts(0, machine(0, 4_000, 8_000, 12_000))).rejects.toThrow(
      'TCP port 8080 for the control plane is in use; another program has it: end that one, or use another --port-offset',
    );
  });
});
