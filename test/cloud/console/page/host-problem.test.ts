import '../english.ts';
import { describe, expect, it } from 'vitest';
import { problemsOf } from '#cloud/console/component/wording/host-problem.ts';

const titles = (status: string, vendorSpecificDistressString = '', connectivity?: string) =>
  problemsOf({
    status,
    vendorSpecificDistressString,
    ...(connectivity === undefined ? {} : { connectivity }),
  }).map(({ title }) => title);

describe('the list of problems of a host', () => {
  it('is never empty for a host that is not well', () => {
    expect(titles('offline')).toEqual(['No heartbeat arrives']);
    expect(titles('offline', '', 'never')).toEqual(['It has never connected']);
    expect(titles('degraded')).toEqual(['A heartbeat is late']);
    expect(titles('unstable')).toEqual(['Its connection is lost again and again']);
    expect(titles('quarantined')).toEqual(['It is in quarantine']);
    expect(titles('online')).toEqual([]);
  });
  it('has a sentence for each word of the API, the state before them', () => {
    expect(titles('degraded', 'DiskPressure;CfgBehind:3;ServiceNotReady:sip')).toEqual([
      'Its disk fills up',
      'It lacks 3 revisions of its configuration',
      'Its service sip is not ready',
    ]);
    expect(titles('offline', 'PeersUnreachable:two')).toEqual([
      'No heartbeat arrives',
      'It does not see two',
    ]);
  });
  it('shows a word of a later release as it is', () => {
    expect(titles('degraded', 'SomethingNew:1')).toEqual(['SomethingNew:1']);
  });
  it('says the next step of every one', () => {
    const words = [
      ...['DiskPressure', 'MemoryPressure', 'ServiceNotReady:a', 'CfgRejected:tenant:1', 'CfgBehind:1'],
      ...['CertExpiring', 'ClockUnsynchronised', 'PeersUnreachable:b', 'DrainBlocked:x', 'ChecksFailed'],
      'CommissioningOverdue',
    ];
    const problems = problemsOf({ status: 'offline', vendorSpecificDistressString: words.join(';') });
    expect(problems).toHaveLength(words.length + 1);
    expect(problems.filter(({ title, next }) => next === '' || title === '')).toEqual([]);
  });
});
