import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Stop } from '../exit-code.ts';
import { ownKeys } from '../io/release-file.ts';
import { bill, type LockEntry } from './bill.ts';
import { seaBlob, writeBinary } from './binary.ts';
import { type BuildOptions, buildOptions } from './build-option.ts';
import { bundle } from './bundle.ts';
import { buildConsole } from './console.mjs';
import { type Cpu, DEBIAN_CPU } from './cpu.ts';
import { debianPackage } from './debian-package.ts';
import { publicKeyText, type SigningKey, signatureText } from './minisign.ts';
import { nodeProgram } from './node-program.ts';
import { buildHash, type Content, contentFor, releaseContent } from './release-content.ts';
import { runFile } from './run-file.ts';

/** `npm run build`: everything that is handed out, into `dist/`. README.md says what and how. */
const begun = performance.now();
const root = join(import.meta.dirname, '..', '..');
const { cpus, out, binaryOnly, signing, channel, compression } = optionsOrEnd();
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
mkdirSync(out, { recursive: true });

await buildConsole();
buildDocumentation();
const bundles = await bundle(root);
const blob = seaBlob(bundles.start);
const content = releaseContent(root, bundles);
const made: string[] = [];
for (const cpu of cpus) {
  const file = note(`carillon-linux-${cpu}`);
  await writeBinary(file, nodeProgram(root, cpu), blob, contentFor(root, content, version, cpu));
}
if (!binaryOnly) {
  await Promise.all(cpus.map(writePackages));
  writeBill(content);
  if (ownKeys().length === 0)
    say(
      'warning: installer/io/release-keys.pub holds no key, so what is installed from here takes no upgrade; make one by installer/build/release-key.ts',
    );
  if (signing !== undefined) for (const file of [...made]) writeSignature(file, signing);
  writeSums();
}
for (const file of made)
  say(`${basename(file).padEnd(40)} ${(readFileSync(file).length / 1e6).toFixed(1)} MB`);
say(`built in ${((performance.now() - begun) / 1000).toFixed(1)} s`);

/** A program of its own: it loads the whole control plane, which the build bundles and never runs. */
function buildDocumentation(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'installer', 'documentation', 'write.ts')], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

function optionsOrEnd(): BuildOptions {
  try {
    return buildOptions(process.argv.slice(2), root);
  } catch (cause) {
    if (!(cause instanceof Stop)) throw cause;
    if (cause.message !== '') console.error(cause.message);
    process.exit(cause.code);
  }
}

function note(name: string): string {
  const file = join(out, name);
  made.push(file);
  return file;
}

async function writePackages(cpu: Cpu): Promise<void> {
  const binary = join(out, `carillon-linux-${cpu}`);
  const [run, debian] = [
    note(`carillon-${version}-${cpu}.run`),
    note(`carillon_${version}_${DEBIAN_CPU[cpu]}.deb`),
  ];
  const licences = Buffer.from(content.get('licences.txt') ?? []).toString();
  await debianPackage(root, binary, debian, { version, cpu, licences, compression });
  writeFileSync(run, runFile(readFileSync(binary), readFileSync(debian), version, cpu), { mode: 0o755 });
}

function writeBill(shared: Content): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const runtimes = cpus.map((cpu) => `node_modules/node-linux-${cpu}`);
  const text = bill(packages, [...bundles.packages, ...runtimes], { version, build: buildHash(shared) });
  writeFileSync(note(`carillon-${version}.cdx.json`), text);
}

function writeSignature(file: string, signingKey: SigningKey): void {
  const name = basename(file);
  const cpu = cpus.find((one) => name.includes(one) || name.includes(`_${DEBIAN_CPU[one]}.`)) ?? 'any';
  const comment = `version=${version} cpu=${cpu} channel=${channel} file=${name}`;
  writeFileSync(note(`${name}.minisig`), signatureText(readFileSync(file), comment, signingKey));
  writeFileSync(join(out, 'carillon.pub'), publicKeyText(signingKey));
}

function writeSums(): void {
  const lines = made
    .map((file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`)
    .toSorted((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
  writeFileSync(note('SHA256SUMS'), lines.join(''));
}

function say(line: string): void {
  console.log(line);
}
