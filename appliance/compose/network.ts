import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostNote, Twin } from '#shared/contract/feed/index.ts';
import type { ApplianceConfig } from '../config.ts';
import type { OpenReplica } from '../io/config/index.ts';
import { sendNote } from '../io/edge/index.ts';
import { type Log, layBefore, requestFolder, startTimer, wantNetwork } from '../io/system/index.ts';
import { standing } from '../replica/index.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import { type AskedNetwork, initialProof, networkStep, stepProof } from '../site/index.ts';
import { clock } from './adapters.ts';
import { networkAlarm } from './network-alarm.ts';

/** The last request to root, in the folder of state. */
const ASKED = 'network-asked.json';
/** In the folder of the runtime; `carillon network adopt` takes it away and waits until it is there again. */
const PROOF = 'cloud-session';
const LOOK_MS = 1_000;
const AGAIN_MS = 60_000;
/** Exit code of what is missing on this host. */
const MISSING = 69;

interface NetworkParts {
  readonly data: string;
  readonly runFolder: string;
  /** Undefined: no service with root looks after this program. */
  readonly folder: string | undefined;
  /** The newest twin, as it was signed. */
  readonly signedTwin: () => string | undefined;
  /** How its key followed those before it; root may know an older one only. */
  readonly keyChain: () => readonly string[];
  /** A technician on site holds the network against the cloud. */
  readonly pinned: () => boolean;
  readonly session: () => string | undefined;
  readonly renewSession: (reason: string) => void;
  /** A fault of service `network` for the alarms of this host; undefined = it is over. */
  readonly fault: (message: string | undefined) => void;
  /** False: the note did not reach the cloud. */
  readonly tell: (note: HostNote) => Promise<boolean>;
  readonly wallMs: () => number;
  readonly startTimer: (delayMs: number, fire: () => void) => () => void;
  readonly log: Log;
  readonly run: (work: Promise<unknown>) => void;
}

export interface NetworkChanges {
  readonly twinChanged: (twin: Twin) => void;
  readonly stop: () => void;
}

/** The network changes with the ports of the daemon. */
export const openNetwork = (
  { data, runFolder }: ApplianceConfig,
  {
    log,
    run,
    site,
    replica,
    fault,
  }: Pick<NetworkParts, 'log' | 'run' | 'fault'> & {
    readonly site: SiteAgent;
    readonly replica: OpenReplica;
  },
): NetworkChanges =>
  openNetworkChanges({
    data,
    runFolder,
    folder: requestFolder(data),
    signedTwin: replica.twin,
    keyChain: () => longest(site.tenant.access.verifyKeys.map(({ chain = [] }) => chain)),
    pinned: () => standing(replica.overrides()).some(({ key, pinned }) => key === 'network' && pinned),
    session: () => site.session,
    renewSession: (reason) => site.renewSession(reason),
    fault,
    tell: async (note) => (await sendNote(data, note)).ok,
    wallMs: clock.wallMs,
    startTimer,
    log,
    run,
  });

/**
 * Addresses that a twin wishes: laid before root with their signature (`carillon maintenance`), and the proof that the cloud was
 * reached after the change, without which root takes it back.
 *
 *     twin ── wanted.json ── carillon-maintenance.path ── changed ── session made again ── stays, note
 *                                                            └── none within two minutes ── undone, note, alarm
 */
export function openNetworkChanges(parts: NetworkParts): NetworkChanges {
  const { data, runFolder, folder, signedTwin, log, run } = parts;
  const proofFile = join(runFolder, PROOF);
  const alarm = networkAlarm(parts);
  let proof = initialProof;
  let twin: Twin | undefined;
  let busy = false;
  let stopAgain = (): void => undefined;
  let stopLook = (): void => undefined;
  let stopped = false;

  const remember = (net: Twin['net']): Promise<void> => layBefore(data, ASKED, { net });

  async function follow(wish: Twin): Promise<void> {
    const compact = signedTwin();
    const step = networkStep(wish, askedIn(join(data, ASKED)), parts.pinned());
    if (wish.net === null) await alarm.withdrawn();
    if (step === 'nothing' || compact === undefined) return;
    if (step === 'remember' || (folder === undefined && wish.net === null)) return remember(wish.net);
    if (folder !== undefined) {
      await wantNetwork(folder, {
        v: 1,
        kind: 'network',
        twin: compact,
        keys: parts.keyChain(),
        at: parts.wallMs(),
      });
      if (wish.net !== null)
        log(
          'info',
          'network_request.submitted',
          'Asked root to set the addresses of the control plane',
          wish.net,
        );
      return remember(wish.net);
    }
    const { ifs = [], prefix = 0 } = wish.net ?? {};
    const sentence = 'This program is not run by its unit: whoever started it sets its addresses.';
    log(
      'warn',
      'network_request.not_applied',
      'Could not set the addresses of the control plane: the program does not run under its unit',
      { ifs, prefix },
    );
    const { twinRev } = wish;
    const what = { kind: 'network', twinRev, networkInterfaces: ifs, networkPrefixLength: prefix } as const;
    if (!(await parts.tell({ ...what, code: MISSING, sentence }))) throw new Error('nobody heard it');
    await remember(wish.net);
  }

  /** One at a time, and the newest wish last. */
  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    try {
      for (let done: Twin | undefined; twin !== undefined && done !== twin && !stopped; ) {
        done = twin;
        await follow(done);
      }
    } catch (cause) {
      log('warn', 'network_request.postponed', 'Postponed the addresses of the control plane', {
        cause: String(cause),
      });
      if (!stopped) stopAgain = parts.startTimer(AGAIN_MS, () => run(work()));
    } finally {
      busy = false;
    }
  }

  async function look(): Promise<void> {
    const { state, effect } = stepProof(proof, { session: parts.session(), present: existsSync(proofFile) });
    proof = state;
    if (effect === 'renew') parts.renewSession('made anew over the network as it is now');
    else if (effect === 'write') await writeFile(proofFile, `${parts.session() ?? ''}\n`, { mode: 0o600 });
    await alarm.look();
  }
  const looks = (): void => {
    const again = (): void => {
      if (!stopped) stopLook = parts.startTimer(LOOK_MS, looks);
    };
    run(look().finally(again));
  };
  // A file that is there comes from a former run.
  if (folder !== undefined) run(rm(proofFile, { force: true }).then(looks));

  return {
    twinChanged: (wish) => {
      twin = wish;
      stopAgain();
      run(work());
    },
    stop: () => {
      stopped = true;
      stopAgain();
      stopLook();
    },
  };
}

/** That of the newest key holds those of the keys before it. */
const longest = (chains: readonly (readonly string[])[]): readonly string[] =>
  chains.reduce((longer, chain) => (chain.length > longer.length ? chain : longer), []);

/** A record that cannot be read is none: the wish is laid before root once more, which finds it in force. */
function askedIn(file: string): AskedNetwork | undefined {
  try {
    const { net } = JSON.parse(readFileSync(file, 'utf8')) as Partial<AskedNetwork>;
    return net === undefined ? undefined : { net };
  } catch {
    return undefined;
  }
}
