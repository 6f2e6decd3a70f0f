import { describe, expect, it } from 'vitest';
import { type ConditionEvent, ConditionTable, TestModeMute } from '#appliance/site/index.ts';

const MINUTE = 60_000;
const news = (service: string, status: ConditionEvent['status'], message = ''): ConditionEvent => ({
  ...{ error: 'serviceFailure', service, severity: 'major', message, since: 1, suppressed: 0, status },
});

describe('while a technician tries things out', () => {
  const quietFrom = (...before: ConditionEvent[]): TestModeMute => {
    const book = new TestModeMute();
    for (const each of before) expect(book.take(each)).toEqual([each]);
    book.begin();
    return book;
  };

  it('a fault that came and went is never reported', () => {
    const quiet = quietFrom();
    expect(quiet.take(news('sip', 'raised'))).toEqual([]);
    expect(quiet.take(news('sip', 'cleared'))).toEqual([]);
    expect(quiet.end()).toEqual([]);
    expect(quiet.take(news('sip', 'raised'))).toHaveLength(1);
  });
  it('a fault that broke and stays is reported when it ends, once, as it was last', () => {
    const quiet = quietFrom();
    quiet.take(news('media', 'raised', 'first'));
    quiet.take(news('sip', 'raised'));
    quiet.take(news('media', 'raised', 'worse'));
    expect(quiet.end()).toEqual([news('sip', 'raised'), news('media', 'raised', 'worse')]);
    expect(quiet.end()).toEqual([]);
  });
  it('a fault that was reported before and is well now is reported as well, also when it grew worse in between', () => {
    const quiet = quietFrom(news('sip', 'raised'), news('media', 'raised'), news('alarm', 'raised'));
    quiet.take(news('alarm', 'cleared'));
    quiet.take(news('sip', 'cleared'));
    quiet.take(news('media', 'raised', 'worse'));
    quiet.take(news('media', 'cleared'));
    quiet.take(news('alarm', 'raised', 'anew'));
    expect(quiet.end()).toEqual([
      news('sip', 'cleared'),
      news('media', 'cleared'),
      news('alarm', 'raised', 'anew'),
    ]);
    // The next quiet phase knows the alarms reported at the end of this one.
    quiet.begin();
    quiet.take(news('sip', 'raised'));
    quiet.take(news('sip', 'cleared'));
    expect(quiet.end()).toEqual([]);
  });
  it('goes with the table of conditions, which takes its events for reported', () => {
    const [book, quiet] = [new ConditionTable(), quietFrom()];
    const condition = { error: 'lowMemory', service: '', severity: 'major', message: '', since: 1 } as const;
    const raised = book.raise(condition, 0);
    expect(raised && quiet.take(raised)).toEqual([]);
    // No more reminder would come for six hours.
    expect(book.due(5 * MINUTE)).toEqual([]);
    expect(quiet.end()).toMatchObject([{ error: 'lowMemory', status: 'raised' }]);
  });
});
