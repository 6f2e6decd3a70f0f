import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { CaptureDocument } from '#appliance/capture/index.ts';
import { openSqlite } from '#appliance/io/sqlite/index.ts';
import { simulateScaip } from '#appliance/simulator/index.ts';
import { openSite, type Site } from '#test/support/site.ts';

/* A whole site as processes: an alarm, and what the host captured of it, also after it was killed. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
}, 90_000);
afterAll(() => site?.close(), 60_000);

/** As a command of the machine asks for it. */
function captured(query: string): Promise<CaptureDocument> {
  const key = readFileSync(join(site.applianceFolder, 'local-key'), 'utf8').trim();
  const headers = { authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    const url = `${site.siteBaseUrl}/technician/api/capture?${query}`;
    const asked = request(url, { headers, rejectUnauthorized: false, agent: false }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      if (answer.statusCode === 200) resolve(JSON.parse(text) as CaptureDocument);
      else reject(new Error(`${answer.statusCode} ${text}`));
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** The trace of a session, as the journal has it. */
function tracedSession(sessionId: string): string {
  const db = openSqlite({ file: join(site.applianceFolder, 'journal.db'), readonly: true });
  try {
    const trace = db.prepare<[string], { traceId: string }>(
      'SELECT trace_id traceId FROM trace WHERE session_id = ? LIMIT 1',
    );
    return trace.get(sessionId)?.traceId ?? expect.fail('there is no trace yet');
  } finally {
    db.close();
  }
}

const shape = ({ messages }: CaptureDocument): string[] =>
  messages.map(
    ({ protocol, direction, text = '' }) =>
      `${protocol} ${direction} ${text.slice(0, text.search(/ sip:|\r\n/))}`,
  );

it('has the messages of an alarm with its callback, and no secret', async () => {
  const sent = await simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'scaip', device: 'scaip-0001' },
    ...{ password: undefined, count: 1, rate: 0, deviceType: '0003', statusCode: '0010', trust: undefined },
  });
  expect(sent).toMatchObject({ acknowledged: 1 });
  const traceId = await vi.waitFor(() => tracedSession(String(site.received[0]?.sessionId)), 30_000);
  const document = await vi.waitFor(
    async () => {
      const found = await captured(`trace=${traceId}`);
      expect(found.messages.length).toBeGreaterThanOrEqual(6);
      return found;
    },
    { timeout: 20_000, interval: 200 },
  );
  expect(shape(document)).toEqual(
    expect.arrayContaining([
      'sip in MESSAGE',
      'sip out SIP/2.0 200 OK',
      'http out POST /newAlarmbridgeEvent HTTP/1.1',
      'http in HTTP/1.1 200',
      'sip out MESSAGE',
      'sip in SIP/2.0 200 OK',
    ]),
  );
  const post = document.messages.find(({ protocol }) => protocol === 'http')?.text ?? '';
  expect(post).toMatch(/\r\nauthorization: Bearer x+\r\n/);
  await site.killAppliance();
  await site.startAppliance();
  const after = await captured(`trace=${traceId}`);
  expect(shape(after)).toEqual(shape(document));
  const files = readdirSync(join(site.applianceFolder, 'capture'));
  expect(files).toContain('known-00.segment');
  for (const file of files)
    expect(readFileSync(join(site.applianceFolder, 'capture', file)).includes('eyJ')).toBe(false);
}, 120_000);
