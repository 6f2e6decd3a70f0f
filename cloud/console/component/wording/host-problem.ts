import { plural, t } from '@lingui/core/macro';

/** A fault of a host, in words. */
export interface HostProblem {
  /** The word of the API, such as `CfgBehind:3`; of a state that has none, the state. */
  readonly key: string;
  /** The condition of the host with the details, by its name in the API. */
  readonly condition?: string;
  readonly title: string;
  /** The next step of a person. */
  readonly next: string;
}

/** The parts of a host that its faults follow from. */
export interface TroubledHost {
  readonly status: string;
  readonly vendorSpecificDistressString: string;
  /** Absent: not asked for. */
  readonly connectivity?: string;
}

/** Everything that is wrong with a host, the worst first; empty: nothing is. */
export function problemsOf(host: TroubledHost): readonly HostProblem[] {
  const words = host.vendorSpecificDistressString.split(';').filter(Boolean).map(ofWord);
  const ofState = stateProblem(host, words.length > 0);
  return ofState === undefined ? words : [ofState, ...words];
}

/** A state is a fault of its own where no word says why the host is in it. */
function stateProblem({ status, connectivity }: TroubledHost, hasWords: boolean): HostProblem | undefined {
  switch (status) {
    case 'offline':
      return connectivity === 'never'
        ? {
            key: status,
            title: t`It has never connected`,
            next: t`Enrol the machine with its claim code, and open the ports to the control plane.`,
          }
        : {
            key: status,
            title: t`No heartbeat arrives`,
            next: t`Check power and network of the machine. It may still take alarms: ask the site, or look at it from another host.`,
          };
    case 'unstable':
      return {
        key: status,
        title: t`Its connection is lost again and again`,
        next: t`Check the line and the router of the site. Losses are counted and not notified one by one.`,
      };
    case 'quarantined':
      return {
        key: status,
        title: t`It is in quarantine`,
        next: t`It serves with its last configuration. Release it for a new enrolment once it is trusted again.`,
      };
    case 'degraded':
      return hasWords
        ? undefined
        : {
            key: status,
            title: t`A heartbeat is late`,
            next: t`The control plane asks it now. Within a minute the host is online again, or offline with an incident.`,
          };
    default:
      return undefined;
  }
}

/** `CfgBehind:3` as a sentence; a word of a later release as the API spells it. */
function ofWord(word: string): HostProblem {
  const [name = '', first = '', second = ''] = word.split(':');
  const at = (condition: string, title: string, next: string): HostProblem => ({
    key: word,
    condition,
    title,
    next,
  });
  switch (name) {
    case 'DiskPressure':
      return at(name, t`Its disk fills up`, t`Free space, or give the machine a larger disk.`);
    case 'MemoryPressure':
      return at(
        name,
        t`It has little memory left`,
        t`Look at its services, and start the largest one again.`,
      );
    case 'ServiceNotReady':
      return at(
        'ServicesReady',
        t`Its service ${first} is not ready`,
        t`Run the self-test; it says what fails. Then start the service again.`,
      );
    case 'CfgRejected':
      return at(
        'ConfigInSync',
        t`It refused a configuration`,
        t`Its tab Configuration names the field. Correct it: the next revision is offered by itself.`,
      );
    case 'CfgBehind':
      return at(
        'ConfigInSync',
        plural(Number(first), {
          one: 'It lacks # revision of its configuration',
          other: 'It lacks # revisions of its configuration',
        }),
        t`It applies them by itself while it is connected. Its tab Configuration shows what is missing.`,
      );
    case 'CertExpiring':
      return at(
        'CertValid',
        t`Its certificate ends soon`,
        t`Press "Renew its certificate" in its tab Diagnosis.`,
      );
    case 'ClockUnsynchronised':
      return at(
        'ClockSynced',
        t`Its clock has no time source`,
        t`Give it a time server it can reach. Until then its times are estimates.`,
      );
    case 'PeersUnreachable':
      return at(
        'PeersReachable',
        t`It does not see ${first}`,
        t`Check the network between the hosts of the site.`,
      );
    case 'DrainBlocked':
      return at(name, t`Its drain cannot go on`, t`Its tab Service says what it waits for.`);
    case 'ChecksFailed':
      return {
        key: word,
        title: t`Its checks before service were not passed`,
        next: t`Run the self-test in its tab Diagnosis.`,
      };
    case 'CommissioningOverdue':
      return {
        key: word,
        title: t`It comes into service for too long`,
        next: t`Run the self-test in its tab Diagnosis, and look at its log.`,
      };
    default:
      return { key: word, title: second === '' ? word : `${name} ${first} ${second}`, next: '' };
  }
}
