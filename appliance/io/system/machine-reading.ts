import { execFile } from 'node:child_process';
import { readdir, readFile, statfs } from 'node:fs/promises';
import type { DiskReading, MemoryReading } from '../../site/index.ts';

const KIB = 1_024;
const TIME_LIMIT_MS = 3_000;
/** Kernel drivers whose first sensor is the package of the processor. */
const PROCESSOR_SENSORS = ['coretemp', 'k10temp', 'zenpower', 'cpu_thermal'];
const PROCESSOR_ZONE = /cpu|pkg|soc/i;
/** What makers leave in the field, and what root alone may read is not there at all. */
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

/**
 * Temperature of the processor in °C by `/sys/class/hwmon`, else `/sys/class/thermal`; undefined where there is none. Read
 * as files, as everything here: a container may hold neither a shell nor any other program.
 */
export async function readTemperature(sys = '/sys'): Promise<number | undefined> {
  const sensor = await firstNamed(`${sys}/class/hwmon`, 'name', (name) => PROCESSOR_SENSORS.includes(name));
  const zone =
    sensor === undefined
      ? await firstNamed(`${sys}/class/thermal`, 'type', (type) => PROCESSOR_ZONE.test(type))
      : undefined;
  const file =
    sensor !== undefined ? `${sensor}/temp1_input` : zone !== undefined ? `${zone}/temp` : undefined;
  const said = file === undefined ? undefined : await lineOf(file);
  const milli = said === undefined || said === '' ? Number.NaN : Number(said);
  return Number.isFinite(milli) ? Math.round(milli / 100) / 10 : undefined;
}

/** Serial number of the machine by SMBIOS or the device tree. */
export async function readSerial(sys = '/sys'): Promise<string | undefined> {
  for (const file of ['devices/virtual/dmi/id/product_serial', 'firmware/devicetree/base/serial-number']) {
    const said = await lineOf(`${sys}/${file}`);
    if (said !== undefined && !NO_SERIAL.test(said)) return said;
  }
  return undefined;
}

/** The first folder below that calls itself so. */
async function firstNamed(
  folder: string,
  file: string,
  fits: (name: string) => boolean,
): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.toSorted()) {
    const said = await lineOf(`${folder}/${name}/${file}`);
    if (said !== undefined && fits(said)) return `${folder}/${name}`;
  }
  return undefined;
}

/** The device tree ends its texts with a zero byte. */
const lineOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').then(
    (text) => text.replaceAll('\0', '').trim(),
    () => undefined,
  );

/** Whether the kernel holds the clock for synchronised (adjtimex STA_UNSYNC); undefined: nobody can say. */
export function readClockSync(): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const words = ['show', '--property=NTPSynchronized', '--value'];
    execFile('timedatectl', words, { timeout: TIME_LIMIT_MS }, (error, stdout) => {
      const said = stdout.trim();
      resolve(error !== null || (said !== 'yes' && said !== 'no') ? undefined : said === 'yes');
    });
  });
}
