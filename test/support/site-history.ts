/** The alarms that were acknowledged to the devices (snu 0), each by its reference. */
export interface DeviceLog {
  /** Undefined: the devices were ended before they could say. */
  readonly sent: number | undefined;
  readonly acknowledged: readonly string[];
}

/** One callback for an alarm, as the application got it. */
export interface Delivery {
  readonly reference: string;
  /** Idempotency-Key. */
  readonly key: string;
}

/** The alarms that the appliance has on disk. */
export interface JournalLog {
  /** References of stored events. */
  readonly stored: ReadonlySet<string>;
  /** Outbox ids of the callbacks for each reference. */
  readonly callbacks: ReadonlyMap<string, readonly string[]>;
  /** References whose callback still waits for delivery. */
  readonly waiting: readonly string[];
}

export interface History {
  readonly devices: DeviceLog;
  readonly journal: JournalLog;
  /** Undefined: the application is not asked, only the disk. */
  readonly application?: readonly Delivery[];
}

/** `same id`: at least once, as after a crash. `never`: nothing broke, so nothing may come again. */
export type Repeats = 'same id' | 'never';

export interface Verdict {
  readonly figures: Readonly<Record<string, number>>;
  /** One sentence for each broken promise; empty = kept. */
  readonly violations: readonly string[];
}

const SHOWN = 5;

/**
 * Compares device log, journal and application log. The promises: an acknowledged alarm is on disk and reaches the
 * application; whatever comes again carries the same id; nothing is delivered that was not stored.
 */
export function judge(history: History, repeats: Repeats): Verdict {
  const { devices, journal } = history;
  const acknowledged = new Set(devices.acknowledged);
  const notStored = [...acknowledged].filter((reference) => !journal.stored.has(reference));
  const disk: Record<string, number> = {
    ...(devices.sent === undefined ? {} : { sent: devices.sent }),
    acknowledged: acknowledged.size,
    stored: journal.stored.size,
    'lost on disk': notStored.length,
  };
  const violations = sentences('acknowledged, but not in the journal', notStored);
  if (history.application === undefined) return { figures: disk, violations };

  const keysOf = new Map<string, string[]>();
  for (const { reference, key } of history.application) {
    keysOf.set(reference, [...(keysOf.get(reference) ?? []), key]);
  }
  const lost = [...acknowledged].filter((reference) => !keysOf.has(reference));
  const twoIds = having(keysOf, (keys) => new Set(keys).size > 1);
  const repeated = having(keysOf, (keys) => new Set(keys).size < keys.length);
  const strange = having(keysOf, (keys, reference) => {
    const ours = journal.callbacks.get(reference) ?? [];
    return keys.some((key) => !ours.includes(key));
  });
  return {
    figures: {
      ...disk,
      delivered: keysOf.size,
      lost: lost.length,
      'repeated, same id': repeated.length,
      'twice, other id': twoIds.length,
      'still waiting': journal.waiting.length,
    },
    violations: [
      ...violations,
      ...sentences('acknowledged, but never at the application', lost),
      ...sentences('delivered twice under different ids', twoIds),
      ...sentences('delivered under an id that is not in the journal', strange),
      ...sentences('not delivered when all was quiet', journal.waiting),
      ...(repeats === 'never' ? sentences('delivered twice although nothing broke', repeated) : []),
    ],
  };
}

const having = (
  keysOf: ReadonlyMap<string, readonly string[]>,
  is: (keys: readonly string[], reference: string) => boolean,
): string[] => [...keysOf].filter(([reference, keys]) => is(keys, reference)).map(([reference]) => reference);

function sentences(fault: string, references: readonly string[]): string[] {
  if (references.length === 0) return [];
  const shown = references.slice(0, SHOWN).join(' ');
  return [`${references.length} ${fault}: ${shown}${references.length > SHOWN ? ' …' : ''}`];
}

/** Ids of the events that a host keeps for its cloud, in the host's order, and of those the cloud has, as they came. */
export interface UplinkLog {
  readonly host: readonly string[];
  readonly cloud: readonly string[];
  /** Events the host still holds back, since no acknowledgement has come. */
  readonly unacknowledged: readonly string[];
}

/** The cloud has every event of the host once, in the host's order, and has said so. */
export function judgeUplink({ host, cloud, unacknowledged }: UplinkLog): Verdict {
  const known = new Set(cloud);
  const missing = host.filter((id) => !known.has(id));
  const expected = host.filter((id) => known.has(id));
  const disordered = cloud.filter((id, index) => id !== expected[index]);
  return {
    figures: {
      'events for the cloud': host.length,
      'in the cloud': known.size,
      'missing in the cloud': missing.length,
    },
    violations: [
      ...sentences('events never came to the cloud', missing),
      ...sentences('events came to the cloud twice, or out of their order', disordered),
      ...sentences('events were not acknowledged to the host', unacknowledged),
    ],
  };
}
