import { describe, expect, it } from 'vitest';
import { type RecordPage, sitePages } from '#appliance/io/site-listener/index.ts';
import { readRecordQuery } from '#appliance/record/index.ts';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { fail, ok } from '#shared/result.ts';

const RECORD: SessionRecord = {
  v: 1,
  recordId: '01kge3h9z8m91zhtfdrhzgd4pg',
  kind: 'alarm',
  at: 1,
  result: 'done',
  times: {},
};

function pagesOf(page: Partial<RecordPage> = {}) {
  const records: RecordPage = {
    admit: async (authorization, domain, part) => {
      if (authorization === undefined) return fail('unauthorized', 'no token');
      if (part === 'capture.json' && authorization !== 'Bearer captures')
        return fail('forbidden', 'no scope');
      return domain === 'care.example' ? ok({ name: 'key:1' }) : fail('forbidden', 'another tenant');
    },
    list: async (parameters) => {
      const query = readRecordQuery(parameters, 1_000);
      return query.ok ? ok({ records: [RECORD], nextToken: '1.x' }) : query;
    },
    byId: async (id) => (id === RECORD.recordId ? RECORD : undefined),
    part: async (_, part) =>
      part === 'capture.pcap' ? ok({ pcapng: Buffer.from('packets') }) : fail('notFound', 'nothing is kept'),
    ...page,
  };
  return sitePages({
    authorize: async () => {
      throw new Error('is not asked');
    },
    operate: async () => ({ status: 200, body: { success: true } }),
    health: { reasons: () => [], mayHaveAddress: () => true, figures: () => ({}) },
    wallMs: () => 1_000,
    records,
  });
}

function listener() {
  const pages = pagesOf();
  return async (path: string, init: RequestInit = { headers: { authorization: 'Bearer x' } }) => {
    const answer = await pages(new Request(`https://box.example${path}`, init), '192.0.2.1');
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
}

describe('records at the listener of a host', () => {
  it('are listed and shown one by one', async () => {
    const ask = listener();
    expect(await ask('/record/care.example')).toEqual({
      status: 200,
      body: { success: true, records: [RECORD], nextToken: '1.x' },
    });
    expect(await ask(`/record/care.example/${RECORD.recordId}`)).toEqual({
      status: 200,
      body: { success: true, record: RECORD },
    });
  });

  it('have their parts, a capture as a file; none is shown whose look cannot be noted', async () => {
    const path = `/record/care.example/${RECORD.recordId}/capture.pcap`;
    const request = () =>
      new Request(`https://box.example${path}`, { headers: { authorization: 'Bearer x' } });
    const answer = await pagesOf()(request(), '192.0.2.1');
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/x-pcapng',
      'packets',
    ]);
    const refused = await pagesOf({ part: () => Promise.reject(new Error('disk')) })(request(), '192.0.2.1');
    expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 'storageFailed' } }]);
  });

  it.each([
    ['/record/care.example', {}, 401, 'unauthorized'],
    ['/record/other.example', undefined, 403, 'forbidden'],
    ['/record/care.example?limit=0', undefined, 400, 'invalid'],
    ['/record/care.example/unknown', undefined, 404, 'notFound'],
    [`/record/care.example/${RECORD.recordId}/trace`, undefined, 404, 'notFound'],
    [`/record/care.example/${RECORD.recordId}/capture.json`, undefined, 403, 'forbidden'],
    ['/record/care.example/unknown/trace', undefined, 404, 'notFound'],
    [
      '/record/care.example',
      { method: 'POST', headers: { authorization: 'Bearer x' } },
      405,
      'methodNotAllowed',
    ],
  ])('%s is refused', async (path, init, status, code) => {
    const answer = await listener()(path, init);
    expect(answer).toMatchObject({ status, body: { success: false, error: { code } } });
  });
});
