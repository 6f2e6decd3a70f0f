/**
 * Stratum of the time that hosts of a site keep among themselves while no outside server answers. A host that follows such a
 * host is one above it; public servers end far below.
 */
export const ORPHAN_STRATUM = 10;

/** Asks chronyd, without special rights. `-c`: comma-separated values, `-n`: addresses. */
export const TRACKING = ['chronyc', '-h', '127.0.0.1,::1', '-c', '-n', 'tracking'] as const;

/** The source that chronyd follows now. */
export interface Tracking {
  /** Its address; undefined: the clock of this host itself, a device at it, or none. */
  readonly server: string | undefined;
  /** 0: not synchronised. */
  readonly stratum: number;
  readonly synchronised: boolean;
}

const FIELDS = 14;
/** Not the name of a device at the host (`GPS`, `PPS`). */
const ADDRESS = /^\d+(\.\d+){3}$|:/;

/**
 * The answer to `TRACKING` (chronyc(1), "tracking"): reference id, address, stratum, eleven figures, leap status. Undefined: that is none.
 *
 *     C0A80101,192.168.1.1,3,1763900000.1,0.000001,…,64.2,Normal        00000000,,0,0.0,…,Not synchronised
 */
export function trackingIn(text: string): Tracking | undefined {
  const fields = text.trim().split(',');
  const [, address = '', stratum = ''] = fields;
  if (fields.length < FIELDS || !/^\d{1,2}$/.test(stratum)) return undefined;
  return {
    server: ADDRESS.test(address) ? address : undefined,
    stratum: Number(stratum),
    synchronised: fields.at(-1) !== 'Not synchronised' && Number(stratum) > 0,
  };
}

/** False also for a host that follows another one of a site which has no line: they agree with each other only. */
export const fromOutside = ({ synchronised, stratum }: Tracking): boolean =>
  synchronised && stratum < ORPHAN_STRATUM;
