import type { Log } from './log.ts';

/** A log whose last lines are kept in memory, for somebody who stands before the machine. */
export interface RecentLog {
  readonly log: Log;
  /** JSON lines, oldest first. */
  readonly lines: () => readonly string[];
}

const MOST_LINES = 400;

/** Everything goes on to `log`; what is for people (not `debug`) is kept as well. */
export function keptLog(log: Log): RecentLog {
  const lines: string[] = [];
  return {
    log: (level, text, detail = {}) => {
      log(level, text, detail);
      if (level === 'debug') return;
      const head = { time: new Date().toISOString(), level, text };
      lines.push(JSON.stringify({ ...head, ...detail, ...head }));
      if (lines.length > MOST_LINES) lines.shift();
    },
    lines: () => lines,
  };
}
