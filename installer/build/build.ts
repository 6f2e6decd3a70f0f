import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seaBlob, writeBinary } from './binary.ts';
import { bundle } from './bundle.ts';
import { CPUS, type Cpu } from './cpu.ts';
import { nodeProgram } from './node-program.ts';
import { releaseContent } from './release-content.ts';

/** `npm run build`: everything that is handed out, into `dist/`. */
const { values } = parseArgs({
  options: {
    cpu: { type: 'string', multiple: true, default: [...CPUS] },
    out: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '..', '..');
const out = values.out ?? join(root, 'dist');

const cpus = values.cpu.map((name): Cpu => {
  const cpu = CPUS.find((one) => one === name);
  if (cpu === undefined) throw new Error(`--cpu ${name} is none of ${CPUS.join(', ')}`);
  return cpu;
});

mkdirSync(out, { recursive: true });
const bundles = await bundle(root);
const blob = seaBlob(bundles.start);
for (const cpu of cpus) {
  const file = join(out, `carillon-linux-${cpu}`);
  await writeBinary(file, nodeProgram(root, cpu), blob, releaseContent(root, bundles, cpu));
  console.log(file);
}
