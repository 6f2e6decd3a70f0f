import { describe, expect, it } from 'vitest';
import { viewKey, viewsOf, withoutView, withView } from '#cloud/console/component/list/saved-view.ts';

const night = { name: 'Night', search: { span: 'day', result: 'failed' } };
const day = { name: 'Day', search: {} };

describe('the saved views of a list', () => {
  it('are kept for each person, tenant and list', () => {
    expect(viewKey('p1', 'care.example', 'record')).not.toBe(viewKey('p2', 'care.example', 'record'));
    expect(viewKey('p1', 'care.example', 'record')).not.toBe(viewKey('p1', 'care.example', 'audit'));
  });
  it('come back as they were saved, in order of name', () => {
    const views = withView(withView([], night), day);
    expect(viewsOf(JSON.stringify(views))).toEqual([day, night]);
  });
  it('have one of each name', () => {
    const changed = { name: 'Night', search: { span: 'week' } };
    expect(withView([night], changed)).toEqual([changed]);
    expect(withoutView([night, day], 'Night')).toEqual([day]);
  });
  it('are thirty at most', () => {
    let views = viewsOf(null);
    for (let at = 0; at < 40; at += 1) views = withView(views, { name: `v${at}`, search: {} });
    expect(views).toHaveLength(30);
  });
  it.each([null, 'no JSON', '{}', '[1]', '[{"name":"x"}]', '[{"name":"x","search":{"a":1}}]'])(
    'are none of %s',
    (stored) => {
      expect(viewsOf(stored)).toEqual([]);
    },
  );
});
