/** Text for a person goes to stdout; errors go to stderr. Colour only on a terminal. */
const colour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;

const paint = (code: number) => (text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = paint(1);
export const dim = paint(2);
export const red = paint(31);
export const green = paint(32);
export const cyan = paint(36);

export const say = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

export const complain = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** How far long work is: one line of a terminal that each call writes over. A file or a pipe gets nothing of it. */
export const progress = (text: string): void => {
  if (process.stderr.isTTY === true) process.stderr.write(`\r\u001b[K${text}\r`);
};

/** Resolves when the person or the service manager wants the program to end. */
export const asked = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
