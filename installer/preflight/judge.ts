import type { HostFacts } from './host-info.ts';

/** `skipped`: it could not be measured, and the text says why. */
export type Verdict = 'ok' | 'warning' | 'failure' | 'skipped';

/** One point of the preflight. Texts: `check.<text>.what` and `check.<text>.do`, filled with `words`. */
export interface Finding {
  readonly id: string;
  readonly verdict: Verdict;
  /** The value found, short. */
  readonly found: string;
  readonly text: string;
  readonly words: Readonly<Record<string, string>>;
}

/** Chosen: room for two releases beside the running one, for the journal of months, and for a machine that breathes. */
const OPT_MB = 400;
const STATE_MB = 2_048;
const MEMORY_MB = 1_000;
const GLIBC = [2, 34] as const;
const SYSTEMD = 252;
const SLOW_DISK_MS = 100;
const CLOCK_MS = 2_000;
const CERTIFICATE_DAYS = 14;

/** Judges every point, in the order in which a person would mend them. */
export function judge(facts: HostFacts): readonly Finding[] {
  return [
    ...needed(facts),
    ...room(facts),
    ...ports(facts),
    ...surroundings(facts),
    ...network(facts),
    gateway(facts.gateway),
  ];
}

function point(
  id: string,
  verdict: Verdict,
  found: string,
  words: Readonly<Record<string, string>> = {},
  text = id,
): Finding {
  return { id, verdict, found, text, words: { found, ...words } };
}

const when = (bad: boolean, verdict: Verdict): Verdict => (bad ? verdict : 'ok');

function needed(facts: HostFacts): readonly Finding[] {
  const { uid, machineCpu, programCpu, glibc, systemd } = facts;
  const wrongCpu = machineCpu !== programCpu;
  const version = systemd.version;
  return [
    point('root', when(uid !== 0, 'failure'), uid === 0 ? 'root' : `uid ${uid}`),
    point('cpu', when(wrongCpu, 'failure'), machineCpu, { program: programCpu }),
    point('glibc', when(!recent(glibc), 'failure'), glibc ?? 'none', { least: GLIBC.join('.') }),
    point(
      'systemd',
      when(!systemd.running || (version !== undefined && version < SYSTEMD), 'failure'),
      systemd.running ? String(version ?? '?') : 'none',
      { least: String(SYSTEMD) },
    ),
  ];
}

function recent(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? '0').split('.').map(Number);
  return major > GLIBC[0] || (major === GLIBC[0] && minor >= GLIBC[1]);
}

function room({ freeOptMb, freeStateMb, memoryMb, fsyncP99Ms }: HostFacts): readonly Finding[] {
  const disk = (text: string, free: number | undefined, least: number): readonly Finding[] =>
    free === undefined
      ? []
      : [point('disk', when(free < least, 'failure'), `${free} MB`, { least: `${least} MB` }, text)];
  return [
    ...disk('disk-program', freeOptMb, OPT_MB),
    ...disk('disk-state', freeStateMb, STATE_MB),
    point('memory', when(memoryMb < MEMORY_MB, 'failure'), `${memoryMb} MB`, { least: `${MEMORY_MB} MB` }),
    ...(fsyncP99Ms === undefined
      ? []
      : [point('fsync', when(fsyncP99Ms > SLOW_DISK_MS, 'warning'), `${fsyncP99Ms.toFixed(1)} ms`)]),
  ];
}

function ports({ portChecks, portsTaken }: HostFacts): readonly Finding[] {
  return portChecks.map((check) => {
    const taken = portsTaken.filter((each) => each.check === check);
    const [first] = taken;
    if (first === undefined) return point(check, 'ok', 'free', {}, 'port');
    const holder = first.holder ?? '?';
    const found = `${first.port}/${first.transport}: ${holder}`;
    const words = { port: String(first.port), transport: first.transport, holder };
    return point(check, 'failure', found, words, 'port');
  });
}

function surroundings(facts: HostFacts): readonly Finding[] {
  const { folders, espeak, installed, clock } = facts;
  const shut = folders.filter(({ executable }) => !executable).map(({ path }) => path);
  const none = folders.length > 0 && shut.length === folders.length;
  const offset = clock.offsetMs;
  const wrongClock = (offset !== undefined && Math.abs(offset) > CLOCK_MS) || clock.synchronised === false;
  return [
    point(
      'noexec',
      none ? 'failure' : when(shut.length > 0, 'warning'),
      shut.length === 0 ? '-' : shut.join(', '),
      {},
      none ? 'noexec-all' : 'noexec',
    ),
    point(
      'clock',
      when(wrongClock, 'warning'),
      offset === undefined ? (clock.synchronised === true ? 'NTP' : '?') : `${Math.round(offset)} ms`,
    ),
    point('tts', when(!espeak, 'warning'), espeak ? 'espeak-ng' : 'flite'),
    ...(installed === undefined
      ? []
      : [
          point(
            'old-install',
            'warning',
            installed.version,
            {},
            installed.packaged ? 'old-install-deb' : 'old-install',
          ),
        ]),
  ];
}

function network({ dns, cloud, interfaces, sshInterface }: HostFacts): readonly Finding[] {
  const findings: Finding[] = [];
  if (dns.name !== undefined) {
    const { name, error } = dns;
    findings.push(point('dns', when(error !== undefined, 'warning'), error ?? 'ok', { name }));
  }
  if (cloud.kind === 'reached') {
    const days = cloud.certificateDays;
    const short = days !== undefined && days < CERTIFICATE_DAYS;
    findings.push(
      point('cloud', when(short, 'warning'), days === undefined ? 'ok' : `${days} d`, {}, 'cloud-expiring'),
    );
  } else if (cloud.kind !== 'none') {
    findings.push(point('cloud', 'warning', cloud.reason, {}, `cloud-${cloud.kind}`));
  }
  for (const { name, owners } of interfaces) {
    if (owners.length === 1) continue;
    const found = owners.length === 0 ? '-' : owners.join(', ');
    findings.push(
      point(
        'interface',
        'warning',
        found,
        { name },
        owners.length === 0 ? 'interface-none' : 'interface-two',
      ),
    );
  }
  if (sshInterface !== undefined) findings.push(point('ssh-interface', 'warning', sshInterface));
  return findings;
}

/** Where devices and trunks are spoken to in the open, a router that rewrites SIP breaks calls in ways that look like ours. */
function gateway(fact: HostFacts['gateway']): Finding {
  switch (fact.kind) {
    case 'untouched':
      return point('sip-alg', 'ok', fact.found);
    case 'rewritten':
      return point('sip-alg', 'warning', fact.found);
    case 'unmeasured': {
      const { asked } = fact;
      const text = asked === undefined ? 'sip-alg-unknown' : 'sip-alg-silent';
      return point('sip-alg', 'skipped', asked ?? '-', {}, text);
    }
  }
}

/** Points that stop an installation: failures that were not accepted by name. */
export const obstacles = (findings: readonly Finding[], ignored: readonly string[]): readonly Finding[] =>
  findings.filter(({ id, verdict }) => verdict === 'failure' && !ignored.includes(id));
