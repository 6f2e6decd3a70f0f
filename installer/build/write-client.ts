import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientText } from './client-text.ts';
import { type OpenApi, reliedOn } from './openapi.ts';

/**
 * Writes the generated part of `shared/client` from the document of a running control plane:
 * `node installer/build/write-client.ts http://127.0.0.1:8080`.
 */
const [base = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const folder = join(import.meta.dirname, '..', '..', 'shared', 'client');
const document = (await (await fetch(`${base}/openapi.json`)).json()) as OpenApi;
writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(reliedOn(document))}\n`);
writeFileSync(join(folder, 'operation.codes.ts'), clientText(document));
execFileSync('npx', ['biome', 'check', '--write', folder], { stdio: 'inherit' });
