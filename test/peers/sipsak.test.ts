import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PeerSite, startPeerSite } from './support/peer-site.ts';
import { runProgram } from './support/program.ts';

let site: PeerSite;

beforeAll(async () => {
  site = await startPeerSite({ bridges: () => [], devices: [] });
});
afterAll(() => site?.close());

const uri = (port: number) => `sip:127.0.0.1:${port}`;

describe('sipsak', () => {
  it.each(['udp', 'tcp'] as const)(
    'asks for OPTIONS over %s and gets the methods that are served',
    async (transport) => {
      const port = site.appliance.ready[transport];
      const { code, stdout } = await runProgram('sipsak', ['-vv', '-E', transport, '-s', uri(port)]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/SIP\/2\.0 200 OK/);
      expect(stdout).toMatch(/Allow: .*MESSAGE.*/);
      expect(stdout).toMatch(/Accept: .*application\/scaip\+xml.*/);
      expect(stdout).toMatch(/Supported: .*path.*/);
    },
  );

  it('floods with two thousand requests, and the next one is answered', async () => {
    const port = site.appliance.ready.udp;
    const before = (await site.appliance.ask('report')).counts.received ?? 0;
    await runProgram('sipsak', ['-F', '-e', '2000', '-s', uri(port)]);
    const { code } = await runProgram('sipsak', ['-s', uri(port)]);
    expect(code).toBe(0);
    const { counts, logged } = await site.appliance.ask('report');
    expect((counts.received ?? 0) - before).toBeGreaterThan(2_000);
    expect(counts.defects).toBe(0);
    expect(logged).toEqual([]);
  });

  it('sends noise in place of a request (random mode) and ends nothing', async () => {
    const port = site.appliance.ready.udp;
    await runProgram('sipsak', ['-R', '-t', '100', '-s', uri(port)], { withinMs: 100_000 });
    expect((await runProgram('sipsak', ['-s', uri(port)])).code).toBe(0);
  });
});
