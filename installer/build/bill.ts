/** The entry of a package in `package-lock.json`. */
export interface LockEntry {
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly entry: LockEntry;
}

/** The Node that the binary is. */
const RUNTIME = /^node-linux-/;

/**
 * The bill of materials as CycloneDX 1.6 JSON: what went into the binaries, as the lock file names it. `packages` are
 * folders from the root. No date and no random number: the same release has the same bill.
 */
export function bill(
  lock: Readonly<Record<string, LockEntry>>,
  packages: readonly string[],
  release: { readonly version: string; readonly build: string },
): string {
  const components = packages
    .map((folder): Component => {
      const entry = lock[folder];
      if (entry === undefined) throw new Error(`package-lock.json does not name ${folder}`);
      return {
        name: folder.slice(folder.lastIndexOf('node_modules/') + 13),
        version: entry.version,
        folder,
        entry,
      };
    })
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
  const carillon = {
    type: 'application',
    'bom-ref': 'carillon',
    name: 'carillon',
    version: release.version,
    licenses: [{ license: { id: 'Apache-2.0' } }],
    properties: [{ name: 'carillon:build', value: release.build }],
  };
  const text = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: carillon },
    components: components.map(({ name, version, folder, entry }) => ({
      type: RUNTIME.test(name) ? 'platform' : 'library',
      'bom-ref': folder,
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      ...(entry.license === undefined ? {} : { licenses: [{ expression: entry.license }] }),
      ...(entry.integrity === undefined ? {} : { hashes: hashes(entry.integrity) }),
    })),
    dependencies: [{ ref: 'carillon', dependsOn: components.map(({ folder }) => folder) }],
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/** npm writes `sha512-<base64>`, CycloneDX hexadecimal digits. */
const hashes = (integrity: string): { alg: string; content: string }[] =>
  integrity.split(' ').flatMap((one) => {
    const [, bits, value] = /^sha(256|384|512)-(.+)$/.exec(one) ?? [];
    return bits === undefined || value === undefined
      ? []
      : [{ alg: `SHA-${bits}`, content: Buffer.from(value, 'base64').toString('hex') }];
  });
