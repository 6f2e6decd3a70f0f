import type { HostNote, NetworkRequest } from '#shared/contract/feed/index.ts';
import { type ExitCode, exitCode } from '../../../exit-code.ts';
import { keepFollowed, takeFollowed } from '../../../io/file/followed-request.ts';
import { oweNote } from '../../../io/file/owed-note.ts';
import { firstTrust, keepTrust, keptTrust } from '../../../io/file/platform-trust.ts';
import { asAppliance } from '../../../io/host/as-appliance.ts';
import { type Ran, run } from '../../../io/host/host-program.ts';
import { leaveOutcome } from '../../../io/network/network-outcome.ts';
import { takeWantedNetwork } from '../../../io/network/wanted-network.ts';
import { layout } from '../../../plan/index.ts';
import type { Programs } from '../../../program.ts';
import type { PlatformTrust } from '../../../technician-program.ts';
import type { Person } from '../terminal/person.ts';
import { configured, judged } from '../terminal/settings.ts';
import { tellPatiently } from './owed.ts';

/** Two minutes for the change, the tests before, and whoever works at the machine. */
const CHANGE_WITHIN_MS = 45 * 60_000;

/** `damaged`: what lay there was no request. */
export type FollowResult = 'none' | 'done' | 'damaged';

/**
 * The addresses that the control plane asks for for this host. The appliance brings them, and root does not trust it: neither
 * about their origin nor that they are new. The control plane gets the result; the journal of this machine has it in any case.
 */
export async function followPlatformRequest(programs: Programs, person: Person): Promise<FollowResult> {
  const wanted = await takeWantedNetwork();
  if (wanted.kind !== 'taken') return wanted.kind;
  const folder = judged(configured()).data ?? layout.state;
  const note = await followed(wanted.request, folder, programs, person);
  if (note === undefined) return 'done';
  await tell(note, folder, programs, person);
  return 'done';
}

/** The appliance first, which needs no line to hear of it. */
async function tell(note: NetworkNote, folder: string, programs: Programs, person: Person): Promise<void> {
  person.record(note);
  person.line(note.sentence);
  const { twinRev, networkInterfaces, code, sentence } = note;
  const outcome = { v: 1, kind: 'networkOutcome', twinRev, networkInterfaces, code, sentence } as const;
  if (!(await leaveOutcome({ ...outcome, at: Date.now() })))
    person.line(person.text('maintenance.not-told', { reason: layout.networkOutcome }));
  takeFollowed();
  await tellPatiently(note, folder, programs, person);
}

/**
 * A request whose command or machine was cut, once its change is taken back: the appliance raises its alarm by it, and the maintenance
 * tells the control plane when there is a line.
 */
export async function reportCutRequest(person: Person): Promise<void> {
  const request = takeFollowed();
  if (request === undefined) return;
  const sentence = person.text('network.cut');
  const { twinRev, networkInterfaces, networkPrefixLength = 0 } = request;
  oweNote({
    kind: 'network',
    twinRev,
    networkInterfaces: [...networkInterfaces],
    networkPrefixLength,
    code: exitCode.rolledBack,
    sentence,
  });
  const left = await leaveOutcome({
    v: 1,
    kind: 'networkOutcome',
    twinRev,
    networkInterfaces: [...networkInterfaces],
    code: exitCode.rolledBack,
    sentence,
    at: Date.now(),
  });
  person.line(left ? sentence : person.text('maintenance.not-told', { reason: layout.networkOutcome }));
}

type NetworkNote = Extract<HostNote, { kind: 'network' }>;

/** Undefined: the twin names no addresses, and there is nothing to say. */
async function followed(
  { twin: compact, keys }: NetworkRequest,
  folder: string,
  programs: Programs,
  person: Person,
): Promise<NetworkNote | undefined> {
  const { text } = person;
  const unread = (code: ExitCode, sentence: string): NetworkNote => ({
    kind: 'network',
    twinRev: null,
    networkInterfaces: [],
    networkPrefixLength: 0,
    code,
    sentence,
  });
  const kept = heldTrust();
  if (kept === 'damaged') return unread(exitCode.damagedFile, text('network.trust-damaged'));
  const trust = kept ?? (await claimedTrust(folder, programs));
  if (trust === undefined) return unread(exitCode.notPermitted, text('network.not-trusted'));
  const read = await programs.readTwin(compact, trust, keys);
  if (!read.ok) {
    return unread(exitCode.refused, text('network.twin-refused', { reason: read.error.reason }));
  }
  const { twinRev, net, life } = read.value.twin;
  keepTrust(read.value.trust);
  if (net === null || life === 'quarantined' || life === 'decommissioned') return undefined;
  keepFollowed({ twinRev, networkInterfaces: net.ifs, networkPrefixLength: net.prefix });
  const said = await changed(net.ifs, net.prefix);
  return { kind: 'network', twinRev, networkInterfaces: net.ifs, networkPrefixLength: net.prefix, ...said };
}

/** Half of a file gives no trust; the control plane that asked must still hear of it. */
function heldTrust(): PlatformTrust | 'damaged' | undefined {
  try {
    return keptTrust();
  } catch {
    return 'damaged';
  }
}

/**
 * A claim stands in the configuration, which only root writes: root sent this machine to enrol, and the identity that it got
 * then is taken once. The appliance asks right after its enrolment, so that there was no time to put another identity there.
 */
async function claimedTrust(folder: string, programs: Programs): Promise<PlatformTrust | undefined> {
  if (configured().claim === undefined) return undefined;
  const host = await asAppliance(() => programs.hostOfSite(folder));
  return host === undefined ? undefined : firstTrust(host);
}

/** A command of ours outside of the sandbox of maintenance, which has neither the network nor the files of whoever owns it. */
export function outside(...words: readonly string[]): Promise<Ran> {
  // Without a name of its own: the unit of a change just before may still be there.
  const unit = ['systemd-run', '--quiet', '--wait', '--pipe', '--collect'];
  return run([...unit, process.execPath, ...words], { withinMs: CHANGE_WITHIN_MS });
}

async function changed(
  addresses: readonly string[],
  prefix: number,
): Promise<{ readonly code: ExitCode; readonly sentence: string }> {
  const words = ['network', 'adopt', '--addresses', addresses.join(','), '--prefix', String(prefix)];
  const ran = await outside(...words);
  const said = (ran.code === 0 ? ran.out : ran.err).trim().split('\n').at(-1) ?? '';
  return { code: ran.code as ExitCode, sentence: said.slice(0, 1_000) };
}
