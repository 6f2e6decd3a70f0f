export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

const RANK: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };

export type Log = (level: LogLevel, text: string, detail?: Readonly<Record<string, unknown>>) => void;

/** `lowest` may change while the program runs. Writes what happens to stderr: a line for a person at a terminal, a JSON object for everything else. */
export function openLog(lowest: () => LogLevel): Log {
  const person = process.stderr.isTTY === true;
  return (level, text, detail = {}) => {
    if (RANK[level] > RANK[lowest()]) return;
    const time = new Date().toISOString();
    const line = person
      ? `${time.slice(11, 23)} ${level.padEnd(5)} ${text}${Object.keys(detail).length === 0 ? '' : ` ${JSON.stringify(detail)}`}`
      : JSON.stringify({ time, level, text, ...detail });
    process.stderr.write(`${line}\n`);
  };
}
