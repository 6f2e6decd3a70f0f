import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text that the demo of this folder has written about itself (`demo/ready.json`), by name; one that cannot be read is no demo. */
export function demoFact(
  { CARILLON_DATA }: Readonly<Record<string, string | undefined>>,
  name: 'api' | 'token' | 'domain' | 'telephonePassword',
): string | undefined {
  try {
    const facts = JSON.parse(readFileSync(join(CARILLON_DATA ?? '.carillon', 'demo', 'ready.json'), 'utf8'));
    return typeof facts[name] === 'string' ? facts[name] : undefined;
  } catch {
    return undefined;
  }
}
