import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import {
  readClockSync,
  readDisk,
  readMemory,
  readSerial,
  readTemperature,
  readTimeServer,
} from '#appliance/io/system/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-proc-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('reads what is available, what there is, and how long programs wait for it', async () => {
  mkdirSync(join(folder, 'pressure'), { recursive: true });
  writeFileSync(
    join(folder, 'meminfo'),
    'MemTotal:        1000 kB\nMemFree:          10 kB\nMemAvailable:    250 kB\n',
  );
  writeFileSync(
    join(folder, 'pressure/memory'),
    'some avg10=1.00 avg60=21.50 avg300=0.10 total=9\nfull avg10=0.00 avg60=3.00 avg300=0.00 total=1\n',
  );
  expect(await readMemory(folder)).toEqual({
    availableBytes: 256_000,
    totalBytes: 1_024_000,
    stallPct: 21.5,
  });
});

it('leaves out what this kernel does not report', async () => {
  expect(await readMemory(folder)).toBeUndefined();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'meminfo'), 'MemTotal: 1000 kB\nMemAvailable: 250 kB\n');
  expect((await readMemory(folder))?.stallPct).toBeUndefined();
  expect(await readDisk(join(folder, 'nothing'))).toBeUndefined();
});

it('counts the disk as programs may use it', async () => {
  const disk = await readDisk(tmpdir());
  expect(disk?.freeBytes).toBeGreaterThan(0);
  expect(disk?.totalBytes).toBeGreaterThan(disk?.freeBytes ?? 0);
});

/** Files below the folder, as the kernel shows them in /sys. */
function sys(files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

it('takes the serial number from SMBIOS or the device tree, and not what a maker left there', async () => {
  expect(await readSerial(folder)).toBeUndefined();
  sys({ 'devices/virtual/dmi/id/product_serial': 'To be filled by O.E.M.\n' });
  expect(await readSerial(folder)).toBeUndefined();
  sys({ 'firmware/devicetree/base/serial-number': '10000000abcdef01\0' });
  expect(await readSerial(folder)).toBe('10000000abcdef01');
  sys({ 'devices/virtual/dmi/id/product_serial': 'PF2XYZ\n' });
  expect(await readSerial(folder)).toBe('PF2XYZ');
});

it('takes the temperature of the processor, and of nothing else', async () => {
  expect(await readTemperature(folder)).toBeUndefined();
  sys({
    'class/thermal/thermal_zone0/type': 'acpitz\n',
    'class/thermal/thermal_zone0/temp': '16800\n',
    'class/thermal/thermal_zone1/type': 'x86_pkg_temp\n',
    'class/thermal/thermal_zone1/temp': '41000\n',
  });
  expect(await readTemperature(folder)).toBe(41);
  sys({
    'class/hwmon/hwmon0/name': 'nvme\n',
    'class/hwmon/hwmon0/temp1_input': '33850\n',
    'class/hwmon/hwmon1/name': 'coretemp\n',
    'class/hwmon/hwmon1/temp1_input': 'not now\n',
  });
  expect(await readTemperature(folder)).toBe(41);
  sys({ 'class/hwmon/hwmon1/temp1_input': '52750\n' });
  expect(await readTemperature(folder)).toBe(53);
});

it('meters a host on which there is no program at all, without a word on stderr', () => {
  const entry = join(import.meta.dirname, '../../../../appliance/io/system/index.ts');
  const script = `import { openHostMeter } from ${JSON.stringify(entry)};
    const meter = await openHostMeter('/');
    console.log(JSON.stringify(meter.facts()));
    meter.stop();`;
  const words = ['--input-type=module', '--eval', script];
  const bare = spawnSync(process.execPath, words, { env: { PATH: '/nonexistent' }, encoding: 'utf8' });
  expect(bare.stderr).toBe('');
  const said = JSON.parse(bare.stdout);
  expect(said).toMatchObject({
    hw: { ramMb: expect.any(Number), diskMb: expect.any(Number) },
    m: { memPct: expect.any(Number), diskPct: expect.any(Number) },
  });
  expect(said.hw.ramMb).toBeGreaterThan(0);
});

/** A machine whose programs say these words. */
function machineThatSays(said: Readonly<Record<string, string>>): () => void {
  mkdirSync(folder, { recursive: true });
  for (const [program, words] of Object.entries(said))
    writeFileSync(join(folder, program), `#!/bin/sh\n${words}\n`, { mode: 0o755 });
  const before = process.env.PATH;
  process.env.PATH = folder;
  return () => {
    process.env.PATH = before;
  };
}
const tracking = (address: string, stratum: number) =>
  `echo C0A80101,${address},${stratum},1763900000.1,0.0,0.0,0.0,1.2,0.1,0.5,0.01,0.001,64.2,Normal`;
/** Output of `timedatectl show` and of `timedatectl show-timesync`. */
const kernel = (word: string) => `[ "$1" = show ] && echo ${word} || echo time.example`;

it.each<[string, Record<string, string>, boolean | undefined, string | undefined]>([
  ['systemd-timesyncd', { timedatectl: kernel('yes') }, true, 'time.example'],
  ['nobody', { timedatectl: kernel('no') }, false, 'time.example'],
  [
    'a server by chrony',
    { timedatectl: kernel('yes'), chronyc: tracking('192.0.2.1', 4) },
    true,
    '192.0.2.1',
  ],
  // The kernel takes it for synchronised: it follows a server that follows no source.
  [
    'a host of a site without a line',
    { timedatectl: kernel('yes'), chronyc: tracking('192.0.2.11', 11) },
    false,
    '192.0.2.11',
  ],
  ['itself', { timedatectl: kernel('no'), chronyc: tracking('', 10) }, false, undefined],
  ['a chrony that does not run', { timedatectl: kernel('yes'), chronyc: 'exit 1' }, true, 'time.example'],
  ['a machine that cannot say', {}, undefined, undefined],
])('a clock set by %s has a source outside, or has not', async (_, said, outside, server) => {
  const restore = machineThatSays(said);
  try {
    expect([await readClockSync(), await readTimeServer()]).toEqual([outside, server]);
  } finally {
    restore();
  }
});
