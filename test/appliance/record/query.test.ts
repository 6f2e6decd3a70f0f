import { describe, expect, it } from 'vitest';
import { readRecordQuery, tokenAfter } from '#appliance/record/index.ts';

const NOW = 1_770_000_000_000;
const read = (text: string) => readRecordQuery(new URLSearchParams(text), NOW);

describe('the question for records', () => {
  it('is about the last 24 h and 100 records when it says nothing', () => {
    expect(read('')).toEqual({
      ok: true,
      value: { fromMs: NOW + 1 - 86_400_000, toMs: NOW + 1, limit: 100 },
    });
  });

  it('takes every filter', () => {
    const token = tokenAfter({ at: 5, recordId: '01kge3h9z8m91zhtfdrhzgd4pg' });
    const text = `from=1&to=2026-02-02T00:00:00Z&kind=alarm&result=done&device=d&number=%2B46&bridge=b&protocol=scaip&warning=w&traceId=t&limit=7&nextToken=${token}`;
    expect(read(text)).toEqual({
      ok: true,
      value: {
        ...{
          fromMs: 1,
          toMs: Date.UTC(2026, 1, 2),
          kind: 'alarm',
          result: 'done',
          device: 'd',
          number: '+46',
        },
        ...{ receiver: 'b', protocol: 'scaip', warning: 'w', traceId: 't', limit: 7 },
        after: { at: 5, recordId: '01kge3h9z8m91zhtfdrhzgd4pg' },
      },
    });
  });

  it.each([
    ['kind=fax', '/kind'],
    ['result=good', '/result'],
    ['from=yesterday', '/from'],
    ['to=never', '/to'],
    ['limit=0', '/limit'],
    ['limit=1001', '/limit'],
    ['limit=x', '/limit'],
    ['nextToken=1', '/nextToken'],
    ['color=red', '/color'],
  ])('%s is refused with its place', (text, path) => {
    expect(read(text)).toMatchObject({ ok: false, error: { code: 'invalid', path } });
  });
});
