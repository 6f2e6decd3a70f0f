import { i18n } from '@lingui/core';

/** A line of a host's log, taken apart. */
export interface LogLine {
  /** Local time of day to the millisecond; empty where it says none. */
  readonly time: string;
  readonly level: string;
  readonly text: string;
  /** Its details, `name=value`. */
  readonly rest: string;
}

/** Many lines of a host are of one second. */
const CLOCK = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
} as const;

/** `{"time","level","text",…}`; what is something else is shown as it came. */
export function lineOf(line: string): LogLine {
  const said = parsed(line);
  if (said === undefined) return { time: '', level: '', text: line, rest: '' };
  const { time, level, text, ...details } = said;
  const at = Date.parse(String(time));
  return {
    time: Number.isNaN(at) ? '' : i18n.date(at, CLOCK),
    level: String(level ?? ''),
    text: String(text ?? ''),
    rest: Object.entries(details)
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' '),
  };
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
