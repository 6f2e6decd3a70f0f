import { execFile } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { readdir, readFile, statfs } from 'node:fs/promises';
import { fromOutside, TRACKING, type Tracking, trackingIn } from '#shared/time-source/index.ts';
import type { DiskReading, MemoryReading } from '../../site/index.ts';

const KIB = 1_024;
const TIME_LIMIT_MS = 3_000;
/** The texts that makers leave in the field; a serial that root alone may read is absent. */
const NO_SERIAL =
  /^(|-|0+|none|n\/a|not (specified|applicable|available)|default string|to be filled.*|system serial.*)$/i;

/** `MemAvailable` and the stall of PSI; undefined where there is no /proc. */
export async function readMemory(proc = '/proc'): Promise<MemoryReading | undefined> {
  const text = await readFile(`${proc}/meminfo`, 'utf8').catch(() => undefined);
  const availableBytes = kib(text, 'MemAvailable');
  const totalBytes = kib(text, 'MemTotal');
  if (availableBytes === undefined || totalBytes === undefined || totalBytes === 0) return undefined;
  const pressure = await readFile(`${proc}/pressure/memory`, 'utf8').catch(() => '');
  const stall = /^some .*\bavg60=([\d.]+)/m.exec(pressure)?.[1];
  return { availableBytes, totalBytes, stallPct: stall === undefined ? undefined : Number(stall) };
}

function kib(text: string | undefined, name: string): number | undefined {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text ?? '')?.[1];
  return found === undefined ? undefined : Number(found) * KIB;
}

/** The file system of a folder, as a program without special rights may use it. */
export async function readDisk(folder: string): Promise<DiskReading | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  if (found === undefined) return undefined;
  const usedBlocks = found.blocks - found.bfree;
  return { freeBytes: found.bavail * found.bsize, totalBytes: (usedBlocks + found.bavail) * found.bsize };
}

/** Free bytes of the file system of a folder, at once: statfs asks no disk. */
export function freeBytesOf(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Serial number of the machine by SMBIOS or the device tree. */
export async function readSerial(sys = '/sys'): Promise<string | undefined> {
  for (const file of ['devices/virtual/dmi/id/product_serial', 'firmware/devicetree/base/serial-number']) {
    const said = await lineOf(`${sys}/${file}`);
    if (said !== undefined && !NO_SERIAL.test(said)) return said;
  }
  return undefined;
}

/** Drivers of hwmon whose first sensor is the processor's (Linux, Documentation/hwmon). */
const PROCESSOR_SENSOR = /^(coretemp|k10temp|zenpower|cpu_thermal|soc_thermal)$/;
/** Thermal zones of the processor (Linux, Documentation/driver-api/thermal). */
const PROCESSOR_ZONE = /^(x86_pkg_temp|cpu.*|soc.*)$/;

/**
 * Temperature of the processor, °C; undefined: no sensor shows it, as in most virtual machines. Chosen: from /sys and without a
 * package, which loads ten megabytes and starts programs for it.
 */
export async function readTemperature(sys = '/sys'): Promise<number | undefined> {
  return (
    (await sensor(`${sys}/class/hwmon`, { name: 'name', value: 'temp1_input', wanted: PROCESSOR_SENSOR })) ??
    (await sensor(`${sys}/class/thermal`, { name: 'type', value: 'temp', wanted: PROCESSOR_ZONE }))
  );
}

interface Sensor {
  /** Files of its folder. */
  readonly name: string;
  readonly value: string;
  readonly wanted: RegExp;
}

/** The kernel writes thousandths of a degree. */
async function sensor(folder: string, { name, value, wanted }: Sensor): Promise<number | undefined> {
  const entries = await readdir(folder).catch(() => []);
  for (const entry of entries.toSorted()) {
    if (!wanted.test((await lineOf(`${folder}/${entry}/${name}`)) ?? '')) continue;
    const thousandths = Number((await lineOf(`${folder}/${entry}/${value}`)) || Number.NaN);
    if (Number.isFinite(thousandths)) return Math.round(thousandths / 1_000);
  }
  return undefined;
}

/** The device tree ends its texts with a zero byte. */
const lineOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').then(
    (text) => text.replaceAll('\0', '').trim(),
    () => undefined,
  );

/** Server that chrony or systemd-timesyncd follows now; undefined: none, or something else keeps the clock. */
export async function readTimeServer(): Promise<string | undefined> {
  const tracking = await readTracking();
  return tracking === undefined
    ? said('timedatectl', 'show-timesync', '--property=ServerName', '--value')
    : tracking.server;
}

/**
 * Whether the clock has a source outside of the site; undefined: unknown. The kernel holds it for synchronised (adjtimex, error
 * below 16 s) also on a host that follows another host of a site without a line: chrony knows better.
 */
export async function readClockSync(): Promise<boolean | undefined> {
  const word = await said('timedatectl', 'show', '--property=NTPSynchronized', '--value');
  if (word !== 'yes') return word === 'no' ? false : undefined;
  const tracking = await readTracking();
  return tracking === undefined || fromOutside(tracking);
}

/** The answer of chronyd; undefined: it is not there, or does not run. */
async function readTracking(): Promise<Tracking | undefined> {
  const [program, ...words] = TRACKING;
  return trackingIn((await said(program, ...words)) ?? '');
}

/** The output of a program, trimmed; undefined: nothing, or it fails. */
const said = (program: string, ...words: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(program, words, { timeout: TIME_LIMIT_MS }, (error, stdout) =>
      resolve(error === null && stdout.trim() !== '' ? stdout.trim() : undefined),
    );
  });
