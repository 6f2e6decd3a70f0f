import { isLogged, jsonLine, type Log, type LogLevel, priorityOf, terminalLine } from '#shared/log.ts';
import { journalFieldsOf } from './journal-entry.ts';
import { openJournalSocket, type TellJournal } from './journal-socket.ts';

export type { Log, LogLevel } from '#shared/log.ts';

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
  return (level, event, message, detail = {}) => {
    if (!isLogged(level, lowest())) return;
    const record = { atMs: Date.now(), level, event, message, detail };
    if (person) {
      process.stderr.write(`${terminalLine(record)}\n`);
      return;
    }
    const line = jsonLine(record);
    const said = { MESSAGE: line, PRIORITY: priorityOf(level), SYSLOG_IDENTIFIER: 'carillon' };
    if (inJournal && tell({ ...journalFieldsOf({ ...detail, event }), ...said })) return;
    process.stderr.write(`${inJournal ? `<${priorityOf(level)}>` : ''}${line}\n`);
  };
}
