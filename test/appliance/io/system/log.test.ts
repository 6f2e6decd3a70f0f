import { afterEach, describe, expect, it, vi } from 'vitest';
import { openLog } from '#appliance/io/system/index.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** What is written to stderr, which is no terminal here. */
function written(): string[] {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  return lines;
}

describe('a line of the log', () => {
  it('is a JSON object without a terminal', () => {
    vi.stubEnv('JOURNAL_STREAM', undefined);
    const lines = written();
    openLog(() => 'info')('warn', 'late', { worker: 1 });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', text: 'late', worker: 1 });
  });

  it.each([
    ['error', '<3>{'],
    ['warn', '<4>{'],
    ['info', '<6>{'],
    ['debug', '<7>{'],
  ] as const)('has the priority of %s before it for the journal', (level, start) => {
    vi.stubEnv('JOURNAL_STREAM', '8:1234');
    const lines = written();
    openLog(() => 'debug')(level, 'text');
    expect(lines[0]?.startsWith(start)).toBe(true);
  });
});
