import type { OutboxRow, SessionRow } from '#appliance/delivery/outbox/index.ts';
import type { siteJournal } from '#appliance/site/host/peer/site-journal.ts';
import type { SitePeers } from '#appliance/site/host/peer/site-peers.ts';
import { SimDisk } from './sim-disk.ts';

/** The rule that is left out to see whether the simulation notices. */
export interface Flaw {
  /** Holders say that they have a copy, and have none. */
  readonly forgetful?: boolean;
  /** A row that is taken over gets another id. */
  readonly renames?: boolean;
  /** The host that takes over does not look at its own rows. */
  readonly overwrites?: boolean;
}

export interface Life {
  alive: boolean;
  readonly journal: ReturnType<typeof siteJournal>;
  readonly peers: SitePeers;
  /** Rows that wait for their receiver. */
  readonly queue: Map<string, OutboxRow>;
  readonly inProgress: Set<string>;
  /** Alarms known, by the device's reference: what a repeat is answered from. */
  readonly sessions: Map<string, string>;
  /** Being heard now: a repeat waits for the answer to the first. */
  readonly hearing: Set<string>;
  /** Ids that this life gave. */
  readonly given: Set<string>;
  /** Alarms that go on here, by session: what they are at. */
  readonly running: Map<string, SessionRow>;
}

export class Host {
  readonly uid: string;
  readonly disk = new SimDisk();
  life: Life | undefined;

  constructor(uid: string) {
    this.uid = uid;
  }
}

export interface Alarm {
  /** Reference that the device gave it. */
  readonly reference: string;
  acknowledged: boolean;
  /** Ids of the callbacks that hosts made for it after they had promised one. */
  readonly ids: Set<string>;
}
