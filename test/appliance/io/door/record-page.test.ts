import { describe, expect, it } from 'vitest';
import { type RecordPage, sitePages } from '#appliance/io/door/index.ts';
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

function door(page: Partial<RecordPage> = {}) {
  const records: RecordPage = {
    admit: async (authorization, domain) => {
      if (authorization === undefined) return fail('unauthorized', 'no token');
      return domain === 'care.example' ? ok(null) : fail('forbidden', 'another tenant');
    },
    list: async (parameters) => {
      const query = readRecordQuery(parameters, 1_000);
      return query.ok ? ok({ records: [RECORD], nextToken: '1.x' }) : query;
    },
    byId: async (id) => (id === RECORD.recordId ? RECORD : undefined),
    ...page,
  };
  const pages = sitePages({
    authorize: async () => {
      throw new Error('is not asked');
    },
    operate: async () => ({ status: 200, body: { success: true } }),
    health: { reasons: () => [], mayHaveAddress: () => true, figures: () => ({}) },
    wallMs: () => 1_000,
    records,
  });
  return async (path: string, init: RequestInit = { headers: { authorization: 'Bearer x' } }) => {
    const answer = await pages(new Request(`https://box.example${path}`, init), '192.0.2.1');
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
}

describe('records at the door of a host', () => {
  it('are listed and shown one by one', async () => {
    const ask = door();
    expect(await ask('/record/care.example')).toEqual({
      status: 200,
      body: { success: true, records: [RECORD], nextToken: '1.x' },
    });
    expect(await ask(`/record/care.example/${RECORD.recordId}`)).toEqual({
      status: 200,
      body: { success: true, record: RECORD },
    });
  });

  it.each([
    ['/record/care.example', {}, 401, 'unauthorized'],
    ['/record/other.example', undefined, 403, 'forbidden'],
    ['/record/care.example?limit=0', undefined, 400, 'invalid'],
    ['/record/care.example/unknown', undefined, 404, 'notFound'],
    [
      '/record/care.example',
      { method: 'POST', headers: { authorization: 'Bearer x' } },
      405,
      'methodNotAllowed',
    ],
  ])('%s is refused', async (path, init, status, code) => {
    const answer = await door()(path, init);
    expect(answer).toMatchObject({ status, body: { success: false, error: { code } } });
  });
});
