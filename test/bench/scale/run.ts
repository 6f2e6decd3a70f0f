import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Assumptions, OPTIONS } from './assumptions.ts';
import { modelText, SIZES, withModel } from './page.ts';

/** `npm run scale`: the model of docs/scale.md; `--write` puts it there. */
const { values } = parseArgs({
  options: {
    hosts: { type: 'string' },
    write: { type: 'boolean' },
    ...Object.fromEntries(OPTIONS.map(({ name }) => [name, { type: 'string' as const }])),
  },
});
const given = values as Readonly<Record<string, string | boolean | undefined>>;

function numberOf(name: string, otherwise: number): number {
  const text = given[name];
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0 && text !== '') return value;
  console.error(`--${name} must be a number of 0 or more, and not ${text}`);
  process.exit(64);
}

const assumed = Object.fromEntries(
  OPTIONS.map(({ name, field, value }) => [field, numberOf(name, value)]),
) as unknown as Assumptions;
const sizes = given.hosts === undefined ? SIZES : [Math.max(1, Math.round(numberOf('hosts', 1)))];
const section = modelText(sizes, assumed);
if (given.write === true) {
  const file = join(import.meta.dirname, '../../../docs/scale.md');
  writeFileSync(file, withModel(readFileSync(file, 'utf8'), section));
} else console.log(section);
