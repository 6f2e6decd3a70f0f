import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { simulateDc09 } from '#appliance/simulator/index.ts';
import {
  type SessionRecord,
  type SessionTrace,
  sessionCaptureSchema,
  sessionTraceSchema,
} from '#shared/contract/session-record/index.ts';
import { openSite, type Site } from '#test/support/site.ts';

/* A whole host: an alarm leaves a record, which the host itself shows to those who may read. */

const WAIT = { timeout: 20_000, interval: 50 };

let site: Site;
beforeAll(async () => {
  site = await openSite({});
}, 90_000);
afterAll(() => site?.close(), 60_000);

interface Answer {
  readonly status: number | undefined;
  readonly body: {
    readonly records?: readonly SessionRecord[];
    readonly record?: SessionRecord;
    readonly trace?: SessionTrace;
    readonly capture?: unknown;
    readonly nextToken?: string;
    readonly error?: { readonly code: string };
  };
}

function ask(path: string, token: string | undefined = site.token): Promise<Answer> {
  const ca = readFileSync(join(site.applianceFolder, 'ca.crt'), 'utf8');
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const asked = request(`${site.siteBaseUrl}${path}`, { headers, ca, agent: false }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode, body: JSON.parse(text) as Answer['body'] });
    });
    asked.on('error', reject);
    asked.end();
  });
}

it('an alarm leaves a record, and the host shows it to those who may read', async () => {
  const run = { to: `127.0.0.1:${site.dc09}`, transport: 'tcp', account: '1234', data: 'NBA01' } as const;
  const said = await simulateDc09({ ...run, key: undefined, token: 'SIA-DCS', count: 1 });
  expect(said).toMatchObject({ acknowledged: 1 });
  await vi.waitFor(() => expect(site.received.length).toBeGreaterThan(0), WAIT);
  const list = `/record/${site.domain}?kind=alarm`;
  const records = await vi.waitFor(async () => {
    const { body } = await ask(list);
    expect(body.records).toMatchObject([{ result: 'done' }]);
    return body.records ?? [];
  }, WAIT);
  const [record] = records;
  expect(record).toMatchObject({
    ...{ kind: 'alarm', protocol: 'dc09', controllerId: '1234', deliveries: { count: 1, failed: 0 } },
    ...{ source: '127.0.0.1', configRevision: expect.any(Number), program: expect.any(String) },
  });
  const { recordId, traceId, at } = record ?? {};
  expect((await ask(`/record/${site.domain}/${recordId}`)).body).toMatchObject({ record });
  // Its trace and its messages, too, in the form of the control plane.
  const { trace } = (await ask(`/record/${site.domain}/${recordId}/trace`)).body;
  expect(sessionTraceSchema.parse(trace)).toMatchObject({ recordId, traceId, complete: true });
  expect(trace?.hosts).toMatchObject([{ state: 'sent' }]);
  expect(trace?.steps.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['frameReceived', 'stored', 'callbackSent', 'callbackAnswered', 'sessionEnded']),
  );
  expect(trace?.steps[0]).toMatchObject({ party: 'device', direction: 'in' });
  const { capture } = (await ask(`/record/${site.domain}/${recordId}/capture.json`)).body;
  expect(sessionCaptureSchema.parse(capture).messages.map(({ protocol }) => protocol)).toEqual(
    expect.arrayContaining(['dc09', 'http']),
  );
  for (const part of ['trace', 'capture.json', 'capture.pcap'])
    expect(await ask(`/record/${site.domain}/${recordId}/${part}`, '')).toMatchObject({ status: 401 });
  const audit = await vi.waitFor(async () => {
    const answer = await fetch(`${site.api}/provisioning/audit/${site.domain}?limit=100&order=newest`, {
      headers: { authorization: `Bearer ${site.token}` },
    });
    const text = await answer.text();
    expect(text.match(/"host.recordRead"/g)).toHaveLength(2);
    return text;
  }, WAIT);
  expect(audit).toContain(`"recordId":"${recordId}"`);
  expect((await ask(`/record/${site.domain}?traceId=${traceId}`)).body.records).toHaveLength(1);
  expect((await ask(`/record/${site.domain}?kind=call&limit=1`)).body).toEqual({
    success: true,
    records: [],
  });
  expect((await ask(`/record/${site.domain}?from=0&to=${at}`)).body.records).toEqual([]);
  expect(await ask(list, '')).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
  expect(await ask('/record/other.example')).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden' } },
  });
}, 60_000);
