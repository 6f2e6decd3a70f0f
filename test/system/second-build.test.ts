import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { done, run } from './support/program.ts';

/** The one file that is handed out, built again: the same bytes from another folder, and for the other processor. */
const release = inject('release');
const folder = mkdtempSync(join(tmpdir(), 'carillon-second-build-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a second build', () => {
  const out = join(folder, 'arm64');

  test('in another folder gives the same bytes', { timeout: 420_000 }, async () => {
    const copy = join(folder, 'copy');
    const tracked = (await done(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']))
      .split('\0')
      .filter((file) => file !== '' && existsSync(file));
    for (const file of tracked) cpSync(file, join(copy, file));
    await done(['cp', '-al', 'node_modules', copy]);
    // The documentation is built from the same sources for minutes; its stamp says whether it is of these.
    const packed = 'docs/site/dist/packed';
    if (existsSync(packed)) cpSync(packed, join(copy, packed), { recursive: true });
    const build = ['installer/build/build.ts', '--cpu', process.arch, '--binary-only', '--out', folder];
    await done([process.execPath, ...build], { cwd: copy, withinMs: 400_000 });
    const [first, second] = [release.binary, join(folder, `carillon-linux-${process.arch}`)].map((file) =>
      readFileSync(file),
    );
    expect(second?.equals(first ?? Buffer.alloc(0))).toBe(true);
  });

  test('for arm64 with a key is signed as minisign wants it', { timeout: 420_000 }, async () => {
    const build = ['installer/build/build.ts', '--cpu', 'arm64', '--out', out, '--key', release.secretKey];
    // No stick carries these packages: packing them as small as can be is a minute.
    await done([process.execPath, ...build, '--compression', '0'], { withinMs: 400_000 });
    const signed = readdirSync(out).filter((name) => existsSync(join(out, `${name}.minisig`)));
    expect(signed.map((name) => name.replace(/.*(\.run|\.deb|\.json|arm64)$/, '$1')).toSorted()).toEqual([
      '.deb',
      '.json',
      '.run',
      'arm64',
    ]);
    for (const name of signed) {
      const said = await done(['minisign', '-V', '-m', join(out, name), '-p', release.publicKey]);
      expect(said).toContain(
        `version=${release.version} cpu=${name.endsWith('.json') ? 'any' : 'arm64'} channel=stable`,
      );
    }
    await done(['sha256sum', '--check', 'SHA256SUMS'], { cwd: out });
  });

  const foreign = process.arch === 'arm64' ? [] : ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu'];

  test('runs on arm64', async () => {
    const said = await done([...foreign, join(out, 'carillon-linux-arm64'), 'version', '--json']);
    expect(JSON.parse(said)).toMatchObject({ version: release.version, cpu: 'arm64' });
  });

  // One of fourteen emulated appliances ended without a word; what it had said is shown.
  test('takes an alarm to its application on arm64', { retry: 1 }, async () => {
    const script = join(folder, 'loop.sh');
    writeFileSync(script, LOOP);
    const ran = await run([
      'unshare',
      '--net',
      'sh',
      script,
      release.binary,
      folder,
      ...foreign,
      join(out, 'carillon-linux-arm64'),
    ]);
    expect(ran.code, ran.err + ran.out).toBe(0);
    expect(ran.out).toContain('"verified":true');
  });
});

/** In a network of its own: a control plane of this CPU, the appliance of the other, a device. $1 binary, $2 folder, rest appliance. */
const LOOP = `set -eu
binary=$1; folder=$2/loop; shift 2
ip link set lo up
mkdir -p "$folder"
node test/system/support/control-plane.ts "$folder" >"$folder/cloud.log" & cloud=$!
appliance=
# What still ends writes into the folder, which is removed next.
trap 'kill $cloud $appliance || :; wait || :' EXIT
until grep -q claimCode "$folder/cloud.log"; do kill -0 $cloud; sleep 0.1; done
field() { grep claimCode "$folder/cloud.log" | sed "s/.*\\"$1\\":\\"\\([^\\"]*\\).*/\\1/"; }
export CARILLON_DATA="$folder/appliance" CARILLON_CLOUD=http://127.0.0.1:8080 CARILLON_CLAIM="$(field claimCode)"
export CARILLON_TRUST="$(field ca)" CARILLON_ADDRESS=127.0.0.1 CARILLON_HOST_ID=foreign CARILLON_ALLOW_PRIVATE=127.0.0.0/8
"$@" appliance >"$folder/appliance.log" 2>&1 & appliance=$!
tries=0
until "$binary" simulate scaip --to 127.0.0.1:5060 --domain "$(field domain)" >"$folder/device.log" 2>&1; do
  tries=$((tries + 1))
  [ $tries -lt 60 ] || { cat "$folder"/*.log; exit 1; }
  kill -0 $appliance || { cat "$folder"/*.log; exit 1; }
  sleep 1
done
cat "$folder/cloud.log"
`;
