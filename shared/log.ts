/** From least to most severe. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Component and event in snake case, as `clock.check_failed`. An event never changes its name: programs search for it. */
export type LogEvent = `${string}.${string}`;

export type LogDetail = Readonly<Record<string, unknown>>;

/** `message` says in the past tense what happened; values belong into `detail`, so that the message is always the same. */
export type Log = (level: LogLevel, event: LogEvent, message: string, detail?: LogDetail) => void;

/** One line of the log, before it is written. */
export interface LogRecord {
  readonly atMs: number;
  readonly level: LogLevel;
  readonly event: LogEvent;
  readonly message: string;
  readonly detail: LogDetail;
}

/** Priorities of syslog, as the journal keeps them in its field PRIORITY and reads them before a line (sd-daemon(3)). */
const PRIORITY: Readonly<Record<LogLevel, string>> = { error: '3', warn: '4', info: '6', debug: '7' };

export const priorityOf = (level: LogLevel): string => PRIORITY[level];

export const isLogged = (level: LogLevel, lowest: LogLevel): boolean =>
  LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(lowest);

/** The line for a program: a JSON object. The message has the name `text`, as in all earlier versions. */
export function jsonLine({ atMs, level, event, message, detail }: LogRecord): string {
  const head = { time: new Date(atMs).toISOString(), level, event, text: message };
  // A detail may have one of these names; a reader counts on the head.
  return JSON.stringify({ ...head, ...detail, ...head });
}

/** The line for a person at a terminal. */
export function terminalLine({ atMs, level, event, message, detail }: LogRecord): string {
  const time = new Date(atMs).toISOString().slice(11, 23);
  const details = Object.keys(detail).length === 0 ? '' : ` ${JSON.stringify(detail)}`;
  return `${time} ${level.padEnd(5)} ${message} (${event})${details}`;
}
