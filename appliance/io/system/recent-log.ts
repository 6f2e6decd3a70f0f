import { jsonLine, type Log } from '#shared/log.ts';

/** A log whose last lines are kept in memory, for a person at the machine. */
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
    log: (level, event, message, detail = {}) => {
      log(level, event, message, detail);
      if (level === 'debug') return;
      lines.push(jsonLine({ atMs: Date.now(), level, event, message, detail }));
      if (lines.length > MOST_LINES) lines.shift();
    },
    lines: () => lines,
  };
}
