import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { simulateScaip } from '#appliance/simulator/index.ts';
import type { SessionCapture, ShownRecord } from '#shared/contract/session-record/index.ts';
import { openSite, type Site } from '#test/support/site.ts';
import { CARILLON } from '../../../support/program/program.ts';

/* A whole site as processes: the capture of an alarm travels from the host to the person over the edge listener, with TLS. */

let site: Site;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-fetched-'));
  site = await openSite();
}, 90_000);
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const carillon = (...words: string[]): string =>
  execFileSync(process.execPath, [CARILLON, ...words], { encoding: 'utf8' });

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(`${site.api}${path}`, { headers: { authorization: `Bearer ${site.token}` } });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

it('comes from the host as JSON and as a file that carillon trace writes, and the evidence of it is proven', async () => {
  const sent = await simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'scaip', device: 'scaip-0001' },
    ...{ password: undefined, count: 1, rate: 0, deviceType: '0003', statusCode: '0010', trust: undefined },
  });
  expect(sent).toMatchObject({ acknowledged: 1 });
  const record = await vi.waitFor(
    async () => {
      const { records } = await get<{ records: ShownRecord[] }>(`/record/${site.domain}?kind=alarm`);
      return records[0] ?? expect.fail('there is no record yet');
    },
    { timeout: 40_000, interval: 500 },
  );
  const { capture } = await vi.waitFor(
    async () => {
      const path = `/record/${site.domain}/${record.recordId}/capture.json`;
      const found = await get<{ capture: SessionCapture }>(path);
      expect(found.capture.messages.length).toBeGreaterThanOrEqual(4);
      return found;
    },
    { timeout: 20_000, interval: 500 },
  );
  expect(capture).toMatchObject({ traceId: record.traceId, complete: true, overwritten: false });
  const heads = capture.messages.map(({ protocol, direction, text }) => `${protocol} ${direction} ${text}`);
  expect(heads.some((head) => head.startsWith('sip in MESSAGE'))).toBe(true);
  expect(heads.some((head) => head.startsWith('http out POST'))).toBe(true);
  const file = join(folder, 'alarm.pcapng');
  const session = [site.domain, String(record.traceId)];
  const said = carillon('trace', ...session, '--pcap', file, '--cloud', site.api, '--token', site.token);
  expect(said).toContain(`${file}: `);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const bytes = readFileSync(file);
  expect(bytes.readUInt32LE(0)).toBe(0x0a0d0d0a);
  expect(bytes.toString('latin1')).toContain('MESSAGE sip:');
  expect(bytes.toString('latin1')).toContain(`host ${record.hostId}`);
  // The host pins the key of the platform at its enrolment: it proves the evidence.
  const evidence = join(folder, 'alarm.tar.gz');
  carillon('evidence', ...session, '--out', evidence, '--cloud', site.api, '--token', site.token);
  expect(statSync(evidence).mode & 0o777).toBe(0o600);
  const key = join(site.applianceFolder, 'identity.json');
  const proof = JSON.parse(carillon('evidence', 'verify', evidence, '--key', key, '--json'));
  expect(proof).toMatchObject({ success: true, owner: site.domain, recordId: record.recordId, missing: [] });
}, 150_000);
