/** One rule of biome.json, sources that break it and sources that do not. `path` → text; imports lead to `part.ts`. */
export interface PlantedLint {
  readonly rule: string;
  readonly broken: string;
  readonly sound: string;
}

/** Files that the planted sources import; `ring.ts` and a broken one import each other. */
export const PART = `
export type Part = 'a' | 'b';
export const save = async (name: string): Promise<boolean> => name.length > 0;
`;

export const PLANTED_LINT: readonly PlantedLint[] = [
  {
    rule: 'lint/nursery/noFloatingPromises',
    broken: `import { save } from './part.ts';\nexport function run(): void {\n  save('a');\n}`,
    sound: `import { save } from './part.ts';\nexport async function run(): Promise<void> {\n  await save('a');\n}`,
  },
  {
    rule: 'lint/nursery/noMisusedPromises',
    broken: `import { save } from './part.ts';\nexport const run = (): number => {\n  if (save('a')) return 1;\n  return 0;\n};`,
    sound: `import { save } from './part.ts';\nexport const run = async (): Promise<number> => {\n  if (await save('a')) return 1;\n  return 0;\n};`,
  },
  {
    rule: 'lint/nursery/useExhaustiveSwitchCases',
    broken: `import type { Part } from './part.ts';\nexport function run(part: Part): void {\n  switch (part) {\n    case 'a':\n      break;\n  }\n}`,
    sound: `import type { Part } from './part.ts';\nexport function run(part: Part): void {\n  switch (part) {\n    case 'a':\n    case 'b':\n      break;\n  }\n}`,
  },
  {
    rule: 'lint/suspicious/noImportCycles',
    broken: `import { ring } from './ring.ts';\nexport const link = (): number => ring();`,
    sound: `import { save } from './part.ts';\nexport const link = (): Promise<boolean> => save('a');`,
  },
  {
    rule: 'lint/suspicious/noExplicitAny',
    broken: `export const run = (given: any): string => String(given);`,
    sound: `export const run = (given: unknown): string => String(given);`,
  },
  {
    rule: 'lint/style/noRestrictedImports',
    broken: `import { applyPatch } from 'fast-json-patch';\nexport const run = applyPatch;`,
    sound: `import patch, { type Operation } from 'fast-json-patch';\nexport const run = (operations: Operation[]) => patch.applyPatch({}, operations);`,
  },
  {
    rule: 'lint/style/noNonNullAssertion',
    broken: `export const run = (given: string | undefined): number => given!.length;`,
    sound: `export const run = (given: string | undefined): number => given?.length ?? 0;`,
  },
  {
    rule: 'lint/style/useImportType',
    broken: `import { Part } from './part.ts';\nexport const run = (part: Part): string => part;`,
    sound: `import type { Part } from './part.ts';\nexport const run = (part: Part): string => part;`,
  },
  {
    rule: 'lint/style/useNodejsImportProtocol',
    broken: `import { join } from 'path';\nexport const run = join;`,
    sound: `import { join } from 'node:path';\nexport const run = join;`,
  },
  {
    rule: 'lint/correctness/noUndeclaredDependencies',
    broken: `import pad from 'left-pad';\nexport const run = pad;`,
    sound: `import { z } from 'zod';\nexport const run = z.string();`,
  },
  {
    rule: 'lint/correctness/noUnusedImports',
    broken: `import { save } from './part.ts';\nexport const run = 1;`,
    sound: `import { save } from './part.ts';\nexport const run = save;`,
  },
  {
    rule: 'lint/correctness/noUnusedVariables',
    broken: `const left = 1;\nexport const run = 1;`,
    sound: `const left = 1;\nexport const run = left;`,
  },
];
