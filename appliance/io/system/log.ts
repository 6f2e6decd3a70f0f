import { journalFieldsOf } from './journal-entry.ts';
import { openJournalSocket, type TellJournal } from './journal-socket.ts';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

const RANK: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };
/** Priorities of syslog, as the journal keeps them in its field PRIORITY and reads them before a line (sd-daemon(3)). */
const PRIORITY: Readonly<Record<LogLevel, string>> = { error: '3', warn: '4', info: '6', debug: '7' };

export type Log = (level: LogLevel, text: string, detail?: Readonly<Record<string, unknown>>) => void;

/**
 * `lowest` may change while the program runs. Writes what happens to stderr: a line for a person at a terminal, a JSON object for
 * everything else. Under systemd the same object goes to the journal with a field for each detail as soon as `journal` has
 * opened; what that does not take goes to stderr as before.
 */
export function openLog(
  lowest: () => LogLevel,
  journal: () => Promise<TellJournal | undefined> = openJournalSocket,
): Log {
  const person = process.stderr.isTTY === true;
  const inJournal = process.env.JOURNAL_STREAM !== undefined && !person;
  let tell: TellJournal = () => false;
  if (inJournal)
    void journal().then((opened) => {
      tell = opened ?? tell;
    });
  return (level, text, detail = {}) => {
    if (RANK[level] > RANK[lowest()]) return;
    const time = new Date().toISOString();
    if (person) {
      const details = Object.keys(detail).length === 0 ? '' : ` ${JSON.stringify(detail)}`;
      process.stderr.write(`${time.slice(11, 23)} ${level.padEnd(5)} ${text}${details}\n`);
      return;
    }
    const head = { time, level, text };
    // A detail may have one of these names; whoever reads lines by machine counts on the head.
    const line = JSON.stringify({ ...head, ...detail, ...head });
    const said = { MESSAGE: line, PRIORITY: PRIORITY[level], SYSLOG_IDENTIFIER: 'carillon' };
    if (inJournal && tell({ ...journalFieldsOf(detail), ...said })) return;
    process.stderr.write(`${inJournal ? `<${PRIORITY[level]}>` : ''}${line}\n`);
  };
}
