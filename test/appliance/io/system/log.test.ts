import { afterEach, describe, expect, it, vi } from 'vitest';
import { keptLog, openLog } from '#appliance/io/system/index.ts';
import {
  encodeJournalEntry,
  type JournalFields,
  journalFieldsOf,
} from '#appliance/io/system/journal-entry.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Lines on stderr, which is no terminal here. */
function written(): string[] {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  return lines;
}

describe('a line of the log', () => {
  it('is a JSON object without a terminal', () => {
    vi.stubEnv('JOURNAL_STREAM', undefined);
    const lines = written();
    openLog(() => 'info')('warn', 'worker.late', 'A worker was late', { worker: 1 });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      event: 'worker.late',
      text: 'A worker was late',
      worker: 1,
    });
  });

  it('begins with its own time, level, event and text, whatever a detail is called', () => {
    vi.stubEnv('JOURNAL_STREAM', undefined);
    const lines = written();
    openLog(() => 'info')('warn', 'alarm.raised', 'Raised an alarm', {
      time: 7,
      level: 'high',
      event: 'e',
      text: 'x',
      site: 's',
    });
    const line = JSON.parse(lines[0] ?? '');
    expect(Object.keys(line)).toEqual(['time', 'level', 'event', 'text', 'site']);
    expect(line).toMatchObject({ level: 'warn', event: 'alarm.raised', text: 'Raised an alarm', site: 's' });
    expect(Date.parse(line.time)).toBeGreaterThan(0);
  });

  it('keeps them for others before the machine, too', () => {
    const { log, lines } = keptLog(() => undefined);
    log('warn', 'alarm.raised', 'Raised an alarm', { time: 7 });
    expect(JSON.parse(lines()[0] ?? '').time).toMatch(/Z$/);
  });

  it.each([
    ['error', '<3>{'],
    ['warn', '<4>{'],
    ['info', '<6>{'],
    ['debug', '<7>{'],
  ] as const)('has the priority of %s before it for the journal', (level, start) => {
    vi.stubEnv('JOURNAL_STREAM', '8:1234');
    const lines = written();
    openLog(
      () => 'debug',
      async () => undefined,
    )(level, 'alarm.raised', 'Raised an alarm');
    expect(lines[0]?.startsWith(start)).toBe(true);
  });

  it('goes to the journal with a field for each detail, once that is open and while it takes it', async () => {
    vi.stubEnv('JOURNAL_STREAM', '8:1234');
    const lines = written();
    const entries: JournalFields[] = [];
    const opened = Promise.resolve(
      (fields: JournalFields) => fields.CARILLON_N !== '3' && entries.push(fields) > 0,
    );
    const log = openLog(
      () => 'info',
      () => opened,
    );
    log('info', 'test.begun', 'before', { n: 1 });
    await opened;
    log('warn', 'alarm.raised', 'Raised an alarm', {
      n: 2,
      event: 'e',
      traceId: 't',
      late: true,
      list: [1],
      none: undefined,
    });
    log('info', 'test.refused', 'not taken', { n: 3 });
    expect(entries).toEqual([
      {
        MESSAGE: expect.stringMatching(
          /^{"time":.*"event":"alarm\.raised","text":"Raised an alarm","n":2,"traceId":"t","late":true,"list":\[1\]}$/,
        ),
        PRIORITY: '4',
        SYSLOG_IDENTIFIER: 'carillon',
        CARILLON_N: '2',
        CARILLON_EVENT: 'alarm.raised',
        CARILLON_TRACE_ID: 't',
        CARILLON_LATE: 'true',
      },
    ]);
    expect(lines.map((line) => line.slice(0, 4))).toEqual(['<6>{', '<6>{']);
    expect(lines.map((line) => JSON.parse(line.slice(3)).text)).toEqual(['before', 'not taken']);
  });

  it('gives no detail a name that the journal keeps for others', () => {
    const fields = journalFieldsOf({ MESSAGE: 'x', _PID: 1, 'weird-Näme': 'y', ['a'.repeat(80)]: 'z' });
    expect(fields).toEqual({ CARILLON_MESSAGE: 'x', CARILLON__PID: '1', CARILLON_WEIRD_N_ME: 'y' });
  });

  it('is one entry of the native protocol, also when a value has several lines', () => {
    const entry = Buffer.from(encodeJournalEntry({ A: 'x', B: 'one\ntwö' }));
    expect(entry.toString('latin1')).toBe(
      `A=x\nB\n\x08\0\0\0\0\0\0\0${Buffer.from('one\ntwö').toString('latin1')}\n`,
    );
  });
});
