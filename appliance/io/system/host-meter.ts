import { loadavg, networkInterfaces, release, uptime } from 'node:os';
import { readDisk, readMemory, readSerial, readTemperature } from './machine-reading.ts';

const MIB = 1_048_576;
const MEASURE_EVERY_MS = 60_000;

/** The last measurement of the machine; absent = the machine does not give it. */
interface Measured {
  readonly memFreeMb: number;
  readonly memPct: number;
  readonly ramMb: number;
  readonly diskPct?: number;
  readonly diskMb?: number;
  readonly tempC?: number;
  readonly serial?: string;
}

/** Facts of the machine for births and heartbeats; measured each minute, read at any time. */
export interface HostMeter {
  readonly facts: () => {
    readonly upS: number;
    readonly os: string;
    readonly hw: { readonly ramMb?: number; readonly diskMb?: number; readonly serial?: string };
    readonly net: { readonly ifs: string[] };
    readonly m: Readonly<Record<string, number>>;
  };
  readonly stop: () => void;
}

/** `folder` is the one whose disk counts. Resolves after the first measurement. */
export async function openHostMeter(folder: string): Promise<HostMeter> {
  let measured = await measure(folder);
  const timer = setInterval(() => {
    void measure(folder).then((next) => {
      measured = next;
    });
  }, MEASURE_EVERY_MS);
  timer.unref();
  return {
    stop: () => clearInterval(timer),
    facts: () => {
      const { ramMb, diskMb, serial, ...m } = measured;
      const load1 = Math.round((loadavg()[0] ?? 0) * 100) / 100;
      return {
        upS: Math.round(uptime()),
        os: release(),
        hw: { ramMb, ...(diskMb !== undefined && { diskMb }), ...(serial !== undefined && { serial }) },
        net: { ifs: ownAddresses() },
        m: { ...m, load1 },
      };
    },
  };
}

/** Never rejects: a machine that does not tell its temperature is still a host. */
async function measure(folder: string): Promise<Measured> {
  const [memory, disk, temperature, serial] = await Promise.all([
    readMemory(),
    readDisk(folder),
    readTemperature(),
    readSerial(),
  ]);
  return {
    memFreeMb: Math.round((memory?.availableBytes ?? 0) / MIB),
    memPct: memory === undefined ? 0 : Math.round(100 * (1 - memory.availableBytes / memory.totalBytes)),
    ramMb: Math.round((memory?.totalBytes ?? 0) / MIB),
    ...(disk !== undefined && {
      diskPct: Math.round(100 * (1 - disk.freeBytes / disk.totalBytes)),
      diskMb: Math.round(disk.totalBytes / MIB),
    }),
    ...(temperature !== undefined && { tempC: temperature }),
    ...(serial !== undefined && { serial }),
  };
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((each) => !each.internal)
    .map((each) => each.address);
