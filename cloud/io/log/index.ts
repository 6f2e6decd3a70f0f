import { isLogged, jsonLine, type Log, type LogLevel, priorityOf, terminalLine } from '#shared/log.ts';

export type { Log } from '#shared/log.ts';

/** Writes what happens to stderr: a line for a person at a terminal, a JSON object for everything else. */
export function openLog(lowest: LogLevel): Log {
  const person = process.stderr.isTTY === true;
  const inJournal = process.env.JOURNAL_STREAM !== undefined && !person;
  return (level, event, message, detail = {}) => {
    if (!isLogged(level, lowest)) return;
    const record = { atMs: Date.now(), level, event, message, detail };
    const priority = inJournal ? `<${priorityOf(level)}>` : '';
    process.stderr.write(person ? `${terminalLine(record)}\n` : `${priority}${jsonLine(record)}\n`);
  };
}
