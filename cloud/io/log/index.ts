export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export type Log = (level: LogLevel, text: string, detail?: Readonly<Record<string, unknown>>) => void;

const RANK: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };
/** Priorities of syslog, as the journal reads them before a line (sd-daemon(3)) and keeps them as its field PRIORITY. */
const PRIORITY: Readonly<Record<LogLevel, string>> = { error: '<3>', warn: '<4>', info: '<6>', debug: '<7>' };

/** Writes what happens to stderr: a line for a person at a terminal, a JSON object for everything else. */
export function openLog(lowest: LogLevel): Log {
  const person = process.stderr.isTTY === true;
  const journal = process.env.JOURNAL_STREAM !== undefined && !person;
  return (level, text, detail = {}) => {
    if (RANK[level] > RANK[lowest]) return;
    const time = new Date().toISOString();
    const head = { time, level, text };
    const facts = Object.keys(detail).length === 0 ? '' : ` ${JSON.stringify(detail)}`;
    process.stderr.write(
      person
        ? `${time.slice(11, 23)} ${level.padEnd(5)} ${text}${facts}\n`
        : `${journal ? PRIORITY[level] : ''}${JSON.stringify({ ...head, ...detail, ...head })}\n`,
    );
  };
}
