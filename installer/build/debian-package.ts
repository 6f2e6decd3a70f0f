import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Cpu, DEBIAN_CPU } from './cpu.ts';
import { controlFiles } from './debian-control.ts';

const run = promisify(execFile);

/** Every file has this date, so that the same release gives the same bytes: 1980, as archives without a date say. */
const DATE = 315_532_800;

const UNITS = [
  'carillon-appliance.service',
  'carillon-rollback.service',
  'carillon-maintenance.path',
  'carillon-maintenance.service',
  'carillon-maintenance.timer',
  'carillon-network-undo.service',
];

/** The folder that Prometheus and Grafana read. */
const MONITORING = 'systemd/monitoring';

/**
 * `carillon_<version>_<cpu>.deb`. dpkg owns its files: there is one release, and apt is the way to the next.
 *
 *   /opt/carillon/releases/<version>/carillon   current → releases/<version>   libexec/rollback
 *   /usr/bin/carillon → /opt/carillon/current/carillon   /usr/lib/{systemd/system,sysusers.d}   /usr/share/doc/carillon
 */
export async function debianPackage(
  root: string,
  binary: string,
  file: string,
  release: {
    readonly version: string;
    readonly cpu: Cpu;
    readonly licences: string;
    /** Level of xz, 0 to 9. */
    readonly compression: number;
  },
): Promise<void> {
  const { version, cpu } = release;
  const tree = mkdtempSync(join(tmpdir(), 'carillon-deb-'));
  const sums: string[] = [];
  let bytes = 0;
  const put = (path: string, content: Buffer | string, mode = 0o644): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true, mode: 0o755 });
    writeFileSync(join(tree, path), content);
    chmodSync(join(tree, path), mode);
    sums.push(`${createHash('md5').update(content).digest('hex')}  ${path}`);
    bytes += content.length;
  };
  const link = (path: string, target: string): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true, mode: 0o755 });
    symlinkSync(target, join(tree, path));
  };
  const systemd = (name: string): Buffer => readFileSync(join(root, 'systemd', name));
  try {
    chmodSync(tree, 0o755);
    put(`opt/carillon/releases/${version}/carillon`, readFileSync(binary), 0o755);
    put('opt/carillon/libexec/rollback', systemd('rollback.sh'), 0o755);
    put('opt/carillon/libexec/vip-check', systemd('vip/vip-check.sh'), 0o755);
    for (const unit of UNITS) put(`usr/lib/systemd/system/${unit}`, systemd(unit));
    put('usr/lib/systemd/system/carillon-cloud.service', systemd('cloud/carillon-cloud.service'));
    put('usr/lib/sysusers.d/carillon.conf', systemd('carillon.sysusers'));
    put('usr/lib/sysusers.d/carillon-cloud.conf', systemd('cloud/carillon-cloud.sysusers'));
    put(
      'usr/share/doc/carillon/copyright',
      `${readFileSync(join(root, 'LICENSE'), 'utf8')}\n${release.licences}`,
    );
    put('usr/share/doc/carillon/keepalived.conf', systemd('vip/keepalived.conf'));
    for (const name of globSync('**/*.{md,json,yml}', { cwd: join(root, MONITORING) }).toSorted())
      put(`usr/share/doc/carillon/monitoring/${name}`, readFileSync(join(root, MONITORING, name)));
    link('opt/carillon/current', `releases/${version}`);
    link('usr/bin/carillon', '/opt/carillon/current/carillon');
    const control = controlFiles({ version, cpu: DEBIAN_CPU[cpu], installedKib: Math.ceil(bytes / 1024) });
    const md5sums = `${sums.join('\n')}\n`;
    for (const [name, { text, mode }] of Object.entries({
      ...control,
      md5sums: { text: md5sums, mode: 0o644 },
    })) {
      mkdirSync(join(tree, 'DEBIAN'), { recursive: true, mode: 0o755 });
      writeFileSync(join(tree, 'DEBIAN', name), text);
      chmodSync(join(tree, 'DEBIAN', name), mode);
    }
    const packing = ['-Zxz', `-z${release.compression}`, '--threads-max=1', '--root-owner-group'];
    await run('dpkg-deb', [...packing, '--build', tree, file], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(DATE) },
    });
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}
