import { createInterface } from 'node:readline/promises';

/** May a person be asked? Only at a terminal, for both directions. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/** One line of a person; the offered answer when it is empty. */
export async function question(text: string, offered = ''): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const hint = offered === '' ? '' : ` [${offered}]`;
    return (await reader.question(`${text}${hint}: `)).trim() || offered;
  } finally {
    reader.close();
  }
}
