import { afterEach, expect, it, vi } from 'vitest';
import { openLog } from '#cloud/io/log/index.ts';

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

it('a line begins with its own time, level, event and text, whatever a detail is called', () => {
  vi.stubEnv('JOURNAL_STREAM', undefined);
  const lines = written();
  const detail = { time: 7, level: 'high', event: 'e', text: 'x', site: 's' };
  openLog('info')('warn', 'alarm.raised', 'Raised an alarm', detail);
  const line = JSON.parse(lines[0] ?? '');
  expect(Object.keys(line)).toEqual(['time', 'level', 'event', 'text', 'site']);
  expect(line).toMatchObject({ level: 'warn', event: 'alarm.raised', text: 'Raised an alarm', site: 's' });
  expect(Date.parse(line.time)).toBeGreaterThan(0);
});

it('a line below the level is left out, and under systemd each has its priority before it', () => {
  vi.stubEnv('JOURNAL_STREAM', '8:1234');
  const lines = written();
  const log = openLog('info');
  log('debug', 'alarm.traced', 'Traced an alarm');
  log('error', 'alarm.lost', 'Lost an alarm');
  expect(lines.map((line) => line.slice(0, 4))).toEqual(['<3>{']);
});
