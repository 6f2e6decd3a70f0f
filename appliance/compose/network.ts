import { existsSync, readFileSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { networkOutcomeSchema } from '#shared/contract/feed/index.ts';
import type { ApplianceConfig } from '../config.ts';
import type { OpenReplica } from '../io/config/index.ts';
import { sendNote } from '../io/edge/index.ts';
import { layBefore, requestFolder, wantNetwork } from '../io/system/index.ts';
import { isHeldOnSite } from '../replica/index.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import {
  type AskedNetwork,
  longestChain,
  NetworkAlarm,
  type NetworkAlarmPorts,
  NetworkChanges,
  type NetworkChangesPorts,
} from '../site/system/index.ts';
import { clock } from './adapters.ts';

/** The last request to root, in the folder of state. */
const ASKED = 'network-asked.json';
/** In the folder of the runtime; `carillon network adopt` takes it away and waits until it is there again. */
const PROOF = 'cloud-session';
/** The outcome that root leaves in the folder of state (`networkOutcomeSchema`). */
const OUTCOME = 'network-outcome.json';
/** The raised alarm. */
const RAISED = 'network-alarm.json';

interface NetworkParts
  extends Omit<NetworkChangesPorts, 'asked' | 'keepAsked' | 'askRoot' | 'proof' | 'alarm'>,
    Pick<NetworkAlarmPorts, 'fault'> {
  readonly data: string;
  readonly runFolder: string;
  /** Undefined: no service with root looks after this program. */
  readonly folder: string | undefined;
}

/** The network changes with the ports of the daemon. */
export const openNetwork = (
  { data, runFolder }: ApplianceConfig,
  {
    log,
    run,
    startTimer,
    site,
    replica,
    fault,
  }: Pick<NetworkParts, 'log' | 'run' | 'startTimer' | 'fault'> & {
    readonly site: SiteAgent;
    readonly replica: OpenReplica;
  },
): NetworkChanges =>
  openNetworkChanges({
    data,
    runFolder,
    folder: requestFolder(data),
    signedTwin: replica.twin,
    keyChain: () => longestChain(site.tenant.access.verifyKeys.map(({ chain = [] }) => chain)),
    pinned: () => isHeldOnSite(replica.overrides(), 'network'),
    session: () => site.session,
    renewSession: (reason) => site.renewSession(reason),
    fault,
    tell: async (note) => (await sendNote(data, note)).ok,
    wallMs: clock.wallMs,
    startTimer,
    log,
    run,
  });

/** The network changes over the files of these folders. */
export function openNetworkChanges(parts: NetworkParts): NetworkChanges {
  const { data, runFolder, folder, fault, log } = parts;
  const askedFile = join(data, ASKED);
  const proofFile = join(runFolder, PROOF);
  const outcomeFile = join(data, OUTCOME);
  const raisedFile = join(data, RAISED);
  const alarm = new NetworkAlarm({
    outcomeFile,
    mark: () => markOf(outcomeFile),
    outcome: () => networkOutcomeSchema.safeParse(jsonIn(outcomeFile)).data,
    dropOutcome: () => rm(outcomeFile, { force: true }),
    raised: () => messageIn(raisedFile),
    keepRaised: (message) => layBefore(data, RAISED, { message }),
    dropRaised: () => rm(raisedFile, { force: true }),
    fault,
    log,
  });
  const changes = new NetworkChanges({
    ...parts,
    asked: () => askedIn(askedFile),
    keepAsked: (asked) => layBefore(data, ASKED, asked),
    askRoot: folder === undefined ? undefined : (request) => wantNetwork(folder, request),
    proof: {
      present: () => existsSync(proofFile),
      write: (session) => writeFile(proofFile, `${session}\n`, { mode: 0o600 }),
      remove: () => rm(proofFile, { force: true }),
    },
    alarm,
  });
  changes.start();
  return changes;
}

function askedIn(file: string): AskedNetwork | undefined {
  const { net } = (jsonIn(file) ?? {}) as Partial<AskedNetwork>;
  return net === undefined ? undefined : { net };
}

/** Changes whenever root writes: it writes a second file, then renames it. */
function markOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.mtimeMs}`;
}

function messageIn(file: string): string | undefined {
  const { message } = (jsonIn(file) ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}
