import { describe, expect, it } from 'vitest';
import { type ConditionEvent, ConditionTable, TestModeMute } from '#appliance/site/index.ts';

const MINUTE = 60_000;
const event = (service: string, status: ConditionEvent['status'], message = ''): ConditionEvent => ({
  ...{ error: 'serviceFailure', service, severity: 'major', message, since: 1, suppressed: 0, status },
});

describe('while a technician tries things out', () => {
  const quietFrom = (...before: ConditionEvent[]): TestModeMute => {
    const table = new TestModeMute();
    for (const each of before) expect(table.take(each)).toEqual([each]);
    table.begin();
    return table;
  };

  it('a fault that came and went is never reported', () => {
    const quiet = quietFrom();
    expect(quiet.take(event('sip', 'raised'))).toEqual([]);
    expect(quiet.take(event('sip', 'cleared'))).toEqual([]);
    expect(quiet.end()).toEqual([]);
    expect(quiet.take(event('sip', 'raised'))).toHaveLength(1);
  });
  it('a fault that broke and stays is reported when it ends, once, as it was last', () => {
    const quiet = quietFrom();
    quiet.take(event('media', 'raised', 'first'));
    quiet.take(event('sip', 'raised'));
    quiet.take(event('media', 'raised', 'worse'));
    expect(quiet.end()).toEqual([event('sip', 'raised'), event('media', 'raised', 'worse')]);
    expect(quiet.end()).toEqual([]);
  });
  it('a fault that was reported before and is well now is reported as well, also when it grew worse in between', () => {
    const quiet = quietFrom(event('sip', 'raised'), event('media', 'raised'), event('alarm', 'raised'));
    quiet.take(event('alarm', 'cleared'));
    quiet.take(event('sip', 'cleared'));
    quiet.take(event('media', 'raised', 'worse'));
    quiet.take(event('media', 'cleared'));
    quiet.take(event('alarm', 'raised', 'anew'));
    expect(quiet.end()).toEqual([
      event('sip', 'cleared'),
      event('media', 'cleared'),
      event('alarm', 'raised', 'anew'),
    ]);
    // The next quiet phase knows the alarms reported at the end of this one.
    quiet.begin();
    quiet.take(event('sip', 'raised'));
    quiet.take(event('sip', 'cleared'));
    expect(quiet.end()).toEqual([]);
  });
  it('goes with the table of conditions, which takes its events for reported', () => {
    const [table, quiet] = [new ConditionTable(), quietFrom()];
    const condition = { error: 'lowMemory', service: '', severity: 'major', message: '', since: 1 } as const;
    const raised = table.raise(condition, 0);
    expect(raised && quiet.take(raised)).toEqual([]);
    // No more reminder would come for six hours.
    expect(table.due(5 * MINUTE)).toEqual([]);
    expect(quiet.end()).toMatchObject([{ error: 'lowMemory', status: 'raised' }]);
  });
});
