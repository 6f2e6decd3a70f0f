type Details = Readonly<Record<string, unknown>>;

/** A field of a configuration that a host refused. */
interface Fault {
  /** Empty: the configuration as a whole. */
  readonly path: string;
  readonly text: string;
}

/** The facts beside the sentence of an incident. */
export interface AlarmFacts {
  readonly severity: string | undefined;
  /** Last heartbeat of the host, epoch ms. */
  readonly lastSeen: number | undefined;
  /** Hosts of a site that cannot be reached. */
  readonly hosts: readonly string[];
  /** Revision that a host refused. */
  readonly revision: number | undefined;
  readonly faults: readonly Fault[];
  /** Room on the disk, bytes. */
  readonly freeBytes: number | undefined;
}

/** Takes them from `errorDetails`; a value of another form is left out, for a later release may have more. */
export function alarmFacts(details: Details): AlarmFacts {
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  return {
    severity: typeof details.severity === 'string' ? details.severity : undefined,
    lastSeen: number(details.lastSeen),
    hosts: list(details.hosts).filter((host) => typeof host === 'string'),
    revision: number(details.revision),
    faults: list(details.errors).flatMap(faultOf),
    freeBytes: number(details.freeBytes),
  };
}

function faultOf(value: unknown): readonly Fault[] {
  const { path = '', msg } = (value ?? {}) as { readonly path?: unknown; readonly msg?: unknown };
  return typeof path === 'string' && typeof msg === 'string' ? [{ path, text: msg }] : [];
}

/** Some causes are written as parts of a sentence. A name with a digit or a sign in it stays as it is. */
export const sentenceOf = (text: string): string =>
  text.replace(/^\p{Ll}+(?= )/u, (word) => word.charAt(0).toUpperCase() + word.slice(1));
