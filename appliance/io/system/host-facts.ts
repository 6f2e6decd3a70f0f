import { freemem, loadavg, networkInterfaces, release, totalmem, uptime } from 'node:os';

const MIB = 1_048_576;

/** What the machine says of itself now: for births and heartbeats. */
export function hostFacts() {
  const freeMb = Math.round(freemem() / MIB);
  const ramMb = Math.round(totalmem() / MIB);
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((each) => !each.internal)
    .map((each) => each.address);
  return {
    upS: Math.round(uptime()),
    os: release(),
    hw: { ramMb },
    net: { ifs: addresses },
    m: {
      memFreeMb: freeMb,
      memPct: Math.round(100 * (1 - freeMb / ramMb)),
      load1: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    },
  };
}
