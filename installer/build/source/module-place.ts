/** Packages that others ask for and do without when they are missing; the last is for a better sound of Opus than a telephone's. */
export const ABSENT_PACKAGES = ['pg-native', 'bufferutil', 'utf-8-validate', '@wasm-audio-decoders/opus-ml'];

/** Node's own words for what lies beside a module. */
const FILE = /new URL\(\s*'([^']+)'\s*,\s*import\.meta\.url\s*,?\s*\)/g;

/** Where a module and the things that it asks for will be, for the program that it is bundled into. Places are URLs. */
export interface ModulePlace {
  /** A file beside it, by its relative path; undefined: its words stay, and Node finds the file. */
  readonly file: (path: string) => string | undefined;
  /** A file of a package. */
  readonly packageFile: (specifier: string) => string;
  /** Values of `import.meta`. */
  readonly dirname: string;
  readonly filename: string;
  readonly url: string;
}

/** The relative paths of files that a module asks for. */
export const filesNamedIn = (text: string): string[] => [...text.matchAll(FILE)].map(([, path = '']) => path);

/** The text of a module with every word about its own place replaced by that place. */
export function placed(text: string, place: ModulePlace): string {
  const literal = (value: string): string => JSON.stringify(value);
  return (
    text
      // Both mean the same. The bundler leaves out unused parts of a namespace: languages, other styles, JSON Schema.
      .replace("import { z } from 'zod';", "import * as z from 'zod';")
      .replace(FILE, (words: string, path: string) => {
        const url = place.file(path);
        return url === undefined ? words : `new URL(${literal(url)})`;
      })
      .replace(/import\.meta\.resolve\(\s*'([^']+)'\s*\)/g, (_, specifier: string) =>
        literal(place.packageFile(specifier)),
      )
      .replaceAll('import.meta.dirname', literal(place.dirname))
      .replaceAll('import.meta.filename', literal(place.filename))
      .replaceAll('import.meta.url', literal(place.url))
  );
}
