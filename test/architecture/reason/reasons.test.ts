import { describe, expect, it } from 'vitest';
import type { EndReason } from '#appliance/call/session/index.ts';
import { failedWith } from '#appliance/call/session/reason.ts';
import type { PlatformAlarmBody } from '#appliance/delivery/platform-alarms.ts';
import { repositorySources } from '../repository.ts';
import { lines, source } from '../source.ts';
import { bareSentences, unexplainedLogs } from './reason-rule.ts';

const programs = repositorySources().filter(({ path }) =>
  /^(?:appliance|cloud|installer|shared)\/(?!client\/)/.test(path),
);

describe('a reason is a reason', () => {
  it('no event, status, alarm or error of the programs says only that something failed', () => {
    expect(programs.length).toBeGreaterThan(900);
    expect(lines(programs.flatMap(bareSentences))).toEqual([]);
  });

  it('no warning and no error of the log either', () => {
    expect(lines(programs.flatMap(unexplainedLogs))).toEqual([]);
  });

  it('alarms and ends of calls without one do not compile', () => {
    // @ts-expect-error A service alarm says why.
    const unexplained: PlatformAlarmBody = { type: 'serviceAlarm', error: 'noReceiver' };
    const noReason = { sessionId: 's', errorDetails: {} };
    // @ts-expect-error So does one of a media service.
    const media: PlatformAlarmBody = { type: 'callError', error: 'cancelFailed', ...noReason };
    // @ts-expect-error A destination is down for a reason.
    const down: PlatformAlarmBody = { type: 'destinationDown', destination: 'sip:arc@example.com' };
    // @ts-expect-error A call came to nothing for a reason.
    const end: EndReason = failedWith(404);
    expect([unexplained, media, down, end]).toHaveLength(4);
  });
});

const PATH = 'appliance/call/leg.ts';
const bare = (text: string): string[] => bareSentences(source(PATH, text)).map(({ fault }) => fault);
const logs = (text: string): string[] => unexplainedLogs(source(PATH, text)).map(({ fault }) => fault);

describe('the rule', () => {
  it.each([
    "const text = 'The call failed';",
    "const text = 'call failed.';",
    "fail('conflict', 'the operation went wrong');",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a planted source
    'const text = `the call of ${user} failed`;',
    "throw new Error('Internal server error');",
    "const text = 'the device could not be reached';",
    "tell(ended.reason ?? 'failed');",
  ])('finds %s', (text) => {
    expect(bare(text)).toHaveLength(1);
  });

  it.each([
    "const text = 'no answer in 2.5 s';",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a planted source
    'const text = `the audit recording failed: ${reason}`;',
    "type Kind = 'failed';",
    "const kind = 'failed';",
    "const text = 'a failed call is tried again after 5 s';",
  ])('leaves %s', (text) => {
    expect(bare(text)).toEqual([]);
  });

  it.each([
    ["log('warn', 'leg.lost', 'Lost a leg', { leg });", 1],
    ["log('error', 'leg.open_failed', 'Could not open a leg');", 1],
    ["log('error', 'leg.open_failed', 'Could not open a leg', { leg, cause: String(cause) });", 0],
    ["log('error', 'leg.open_failed', 'Could not open a leg: no port was free', { leg });", 0],
    ["log('warn', 'leg.lost', 'Lost a leg', { ...attempt });", 0],
    ["log('info', 'leg.lost', 'Lost a leg');", 0],
    ["log(on ? 'warn' : 'info', 'leg.lost', on ? 'Lost a leg' : 'Opened a leg', { leg });", 1],
  ])('finds a log line without a reason: %s', (text, count) => {
    expect(logs(text)).toHaveLength(count);
  });
});
