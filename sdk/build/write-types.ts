import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApi } from '#installer/build/openapi.ts';
import { sdkTexts } from './sdk-text.ts';

/**
 * Writes the types of the JavaScript SDK from the document of a running control plane:
 * `node sdk/build/write-types.ts http://127.0.0.1:8080`.
 */
const [base = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const folder = join(import.meta.dirname, '..', 'js', 'src', 'contract');
const document = (await (await fetch(`${base}/openapi.json`)).json()) as OpenApi;
for (const [name, text] of Object.entries(sdkTexts(document))) writeFileSync(join(folder, name), text);
execFileSync('npx', ['biome', 'check', '--write', folder], { stdio: 'inherit' });
