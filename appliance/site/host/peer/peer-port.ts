import type { Hello } from '#shared/contract/peer/index.ts';
import type { Journal } from '../../../delivery/outbox/index.ts';
import type { Member } from '../../peer/index.ts';
import type { SitePorts } from '../site-port.ts';
import type { Adoption } from './site-adoption.ts';

export type PeerPath = 'hello' | 'copy' | 'state' | 'operation' | 'feed';

export interface PeerPorts extends Pick<SitePorts, 'clock' | 'log' | 'run' | 'startTimer'> {
  /** uid of this host. */
  readonly self: string;
  readonly journal: Journal;
  /** Everybody of the site, this host included, as the configuration in force says. */
  readonly members: () => readonly Member[];
  /** The answer; undefined: the host did not answer within `withinMs`, or its answer was not valid. */
  readonly call: (to: Member, path: PeerPath, body: unknown, withinMs: number) => Promise<unknown>;
  readonly standing: () => Pick<Hello, 'ready' | 'serving' | 'vip' | 'cfg' | 'labels' | 'memory' | 'sick'> & {
    /** Names of our services that want another place; empty or absent: none does. */
    readonly moving?: readonly string[];
  };
  /** Gets every hello of another host. */
  readonly onHello: (hello: Hello) => void;
  /** The site has another term. */
  readonly onEpoch: (epoch: number) => void;
  /** Sessions in this host's hands. */
  readonly running: () => ReadonlySet<string>;
  /** Our id of the callback that another host calls `id` and made at `atMs` (epoch ms). */
  readonly twinOf: (id: string, atMs: number) => string | undefined;
  /** Alarms of a lost host are in our hands from this moment on; they are on their way to our disk. */
  readonly onLeft: (left: Adoption['left']) => void;
  /** Its rows are ours to deliver, and all of it is on our disk, if that can be written. */
  readonly onAdopted: (adoption: Adoption) => void;
  /** Nothing was heard of this host for 5 s. */
  readonly onSilent: (uid: string) => void;
  readonly onBack: (uid: string) => void;
  /** Another host delivers these; gives up what is not under way. */
  readonly withdraw: (ids: ReadonlySet<string>) => void;
  readonly isInFlight: (id: string) => boolean;
  /** `OutboxRow.deadline` of a row that is made now. */
  readonly deadline: () => number;
  /** Two hosts hold the VIP, or not any more. */
  readonly onVipTwice: (twice: boolean) => void;
}
