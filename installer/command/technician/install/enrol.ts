import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import type { Command } from 'commander';
import {
  certificateNames,
  claimCodeFault,
  type ReachedHost,
  typedClaimCode,
} from '#shared/contract/site/index.ts';
import { hostPort } from '#shared/host-port.ts';
import { exitCode, Stop } from '../../../exit-code.ts';
import { firstTrust, forgetTrust, keepTrust } from '../../../io/file/platform-trust.ts';
import { serviceState, textOf } from '../../../io/host/appliance-unit.ts';
import { asAppliance } from '../../../io/host/as-appliance.ts';
import { ownVersion } from '../../../io/release.ts';
import { codePicture } from '../../../io/terminal/code-picture.ts';
import {
  type Action,
  claimOfText,
  configurePlan,
  layout,
  merged,
  SERVICE,
  type Written,
} from '../../../plan/index.ts';
import type { Programs } from '../../../program.ts';
import type { HostOfSite } from '../../../technician-program.ts';
import { conduct, takeBackUnfinished } from '../terminal/conduct.ts';
import { type CommonFlags, type Person, personOf, withCommonFlags } from '../terminal/person.ts';
import { type ApplianceSettings, configured, judged } from '../terminal/settings.ts';
import { configureActs } from './install.ts';

interface EnrolFlags extends CommonFlags {
  readonly cloud?: string;
  readonly claim?: string;
  readonly file?: string;
  readonly qr?: string;
  readonly hostId?: string;
}

/** Where to go, and by which leave. */
interface Claim {
  readonly cloud: string;
  readonly code: string;
  readonly hostId: string | undefined;
  /** PEM of the root to pin; undefined: the ones already trusted. */
  readonly ca: string | undefined;
  /** The site and the key of a claim file. */
  readonly of?: {
    readonly siteId: string;
    readonly domain: string;
    readonly kid: string;
    /** The file itself: the service checks it against its signer when the line is up. */
    readonly text: string;
  };
}

const PINNED = `${layout.etc}/cloud-ca.pem`;

/** `carillon enrol`: a code typed, the text of a QR code, or a claim file. */
export function enrolCommand(root: Command, programs: Programs): void {
  withCommonFlags(root.command('enrol').summary('make this host one of a site'))
    .description(
      'Sends a claim code to the control plane. Without a connection the host stores the code and keeps trying.',
    )
    .argument('[code]', 'claim code; case, spaces and hyphens do not matter')
    .option('--claim <code>', 'the same as a flag (or CARILLON_CLAIM)')
    .option('--file <file>', 'claim file of the console, also from a stick')
    .option('--qr <text>', 'text of the QR code of the console')
    .option('--cloud <url>', 'address of the control plane')
    .option('--host-id <name>', 'name of this host in its site')
    .addHelpText('after', '\nExample:\n  carillon enrol 4F7K2-M9QXT --cloud https://cloud.example')
    .action((code: string | undefined, flags: EnrolFlags) => enrol(code, flags, programs));
}

async function enrol(code: string | undefined, flags: EnrolFlags, programs: Programs): Promise<void> {
  const person = personOf(flags);
  if ((await serviceState()).active === 'none') throw new Stop(exitCode.missing, person.text('service.none'));
  // A command that was cut had written a configuration that was never seen to work.
  if (process.getuid?.() === 0) await takeBackUnfinished(person);
  const written = configured();
  const settings = judged(merged(written));
  const folder = settings.data ?? layout.state;
  const named = code ?? flags.claim ?? flags.file ?? flags.qr ?? process.env.CARILLON_CLAIM;
  const already = await programs.hostOfSite(folder);
  const fromFile = await fileClaim(flags, programs, person);
  demandSite(fromFile, already?.siteId ?? settings.siteId, already?.domain, flags, person);
  // Without an address of its control plane its enrolment was cut before the service had heard of it.
  if (already !== undefined && (written.cloud !== undefined || named === undefined))
    return reportDone(
      already,
      'enrol.already',
      person,
      await asAppliance(() => programs.keyFingerprint(folder)),
    );
  const claim =
    fromFile ?? claimOf(code ?? flags.claim ?? process.env.CARILLON_CLAIM, flags, written, person);
  const hostId = flags.hostId ?? claim.hostId ?? settings.hostId ?? firstLabel(hostname());
  const { claim: _, claim_file: __, ...others } = merged(written);
  const kept = merged(others, {
    cloud: claim.cloud,
    ...(claim.of === undefined ? { claim: claim.code } : { claim_file: layout.claimFile }),
    host_id: hostId,
    ...(claim.ca !== undefined && { trust: PINNED }),
  });
  judged(kept);
  const address = settings.address ?? firstAddress();
  const webPort = settings.applianceHttp?.port ?? 8443;
  const siteBaseUrl = settings.siteBaseUrl ?? `https://${hostPort(address, webPort)}`;
  const trustPem = claim.ca ?? (settings.trust === undefined ? undefined : textOf(settings.trust));
  const outcome =
    already === undefined
      ? await asAppliance(() =>
          programs.enrolHost({
            folder,
            cloud: claim.cloud,
            claimCode: claim.code,
            hostId,
            names: namesOf(settings, { address, siteBaseUrl, hostId }),
            version: ownVersion(),
            siteBaseUrl,
            trustPem,
            expected: claim.of,
          }),
        )
      : ({ kind: 'enrolled', identity: already } as const);
  // By root, and straight from the control plane: whose requests root follows from now on.
  if (process.getuid?.() === 0) {
    if (outcome.kind === 'enrolled') keepTrust(firstTrust(outcome.identity));
    else if (outcome.kind !== 'refused') forgetTrust();
  }
  person.record({ enrolment: outcome.kind });
  if (outcome.kind === 'refused') {
    throw new Stop(exitCode.refused, person.text('enrol.refused', { reason: outcome.reason }));
  }
  await takeUp(kept, claim, person);
  if (outcome.kind === 'unreachable') {
    throw new Stop(exitCode.tryAgain, person.text('enrol.unreachable', { reason: outcome.reason }));
  }
  const fingerprint = await asAppliance(() => programs.keyFingerprint(folder));
  if (outcome.kind === 'enrolled') reportDone(outcome.identity, 'enrol.done', person, fingerprint);
  else tellWaiting(outcome, claim.cloud, fingerprint, person);
}

/** A person compares the fingerprint before the machine comes into service, and finds the page by its code. */
function tellWaiting(
  { siteId, hostId }: { readonly siteId: string; readonly hostId: string },
  cloud: string,
  fingerprint: string | undefined,
  person: Person,
): void {
  const page = `${cloud}/console/#/fleet/${encodeURIComponent(`${siteId}/${hostId}`)}`;
  person.record({ state: 'waiting', hostId, siteId, page, keyFingerprint: fingerprint });
  person.line(person.text('enrol.waiting', { host: hostId }));
  if (fingerprint !== undefined) person.line(person.text('enrol.key', { fingerprint }));
  person.line(person.text('enrol.page', { page }));
  if (process.stdout.isTTY === true) person.line(codePicture(page));
}

/** Configuration and service follow: an enrolled host starts as one, another one goes on trying. */
async function takeUp(kept: Written, claim: Claim, person: Person): Promise<void> {
  const plan = configurePlan(kept, true);
  const ours = (path: string, text: string): Action => ({
    kind: 'file',
    path,
    text,
    mode: 0o640,
    owner: 'root:carillon',
  });
  const brought: Action[] = [
    ...(claim.ca === undefined ? [] : [ours(PINNED, claim.ca)]),
    ...(claim.of === undefined ? [] : [ours(layout.claimFile, claim.of.text)]),
  ];
  const restart = { kind: 'command', argv: ['systemctl', 'restart', SERVICE] } as const;
  const steps = plan.steps.map((step) => {
    if (step.id === 'configuration') return { ...step, actions: [...brought, ...step.actions] };
    return step.id === 'service' ? { ...step, actions: [restart] } : step;
  });
  await conduct({ ...plan, steps }, configureActs(person), person, { yes: true });
}

function reportDone(
  { hostId, siteId, domain }: HostOfSite,
  key: 'enrol.done' | 'enrol.already',
  person: Person,
  fingerprint: string | undefined,
): void {
  person.record({ state: 'enrolled', hostId, siteId, domain, keyFingerprint: fingerprint });
  person.line(person.text(key, { host: hostId, site: siteId, domain }));
  if (fingerprint !== undefined) person.line(person.text('enrol.key', { fingerprint }));
}

function claimOf(code: string | undefined, flags: EnrolFlags, written: Written, person: Person): Claim {
  const fromQr = flags.qr === undefined ? undefined : claimOfText(flags.qr);
  const cloud = flags.cloud ?? fromQr?.cloud ?? process.env.CARILLON_CLOUD ?? written.cloud;
  const claim = code ?? fromQr?.code ?? flags.qr;
  if (claim === undefined) throw new Stop(exitCode.wrongUse, person.text('enrol.no-claim'));
  if (cloud === undefined) throw new Stop(exitCode.wrongUse, person.text('enrol.no-cloud'));
  const fault = claimCodeFault(claim);
  if (fault?.kind === 'length')
    throw new Stop(exitCode.wrongUse, person.text('enrol.code-length', { signs: String(fault.signs) }));
  if (fault?.kind === 'sign')
    throw new Stop(exitCode.wrongUse, person.text('enrol.code-sign', { sign: fault.sign }));
  return { cloud: cloud.replace(/\/+$/, ''), code: typedClaimCode(claim), hostId: undefined, ca: undefined };
}

/** Undefined: no file was given, neither by its name nor as the text of a QR code. */
async function fileClaim(flags: EnrolFlags, programs: Programs, person: Person): Promise<Claim | undefined> {
  const asQr = flags.file === undefined && flags.qr?.trim().startsWith('{') === true;
  const file = asQr ? '--qr' : flags.file;
  if (file === undefined) return undefined;
  const text = asQr ? (flags.qr ?? '') : fileText(file, person);
  const read = await programs.readClaimFile(text, Date.now());
  if (!read.ok) {
    const { code, reason } = read.error;
    if (code === 'over') {
      const words = { file, date: reason.slice(0, 10) };
      throw new Stop(exitCode.refused, person.text('enrol.expired-file', words));
    }
    const key = code === 'altered' ? 'enrol.altered-file' : 'enrol.bad-file';
    throw new Stop(exitCode.damagedFile, person.text(key, { file, reason }));
  }
  const { cloud, claimCode, hostId, ca, siteId, domain, key } = read.value;
  return { cloud, code: claimCode, hostId, ca, of: { siteId, domain, kid: key.kid, text } };
}

/** A stick for the house next door must not move a machine whose place is configured, or that is a host already. */
function demandSite(
  claim: Claim | undefined,
  own: string | undefined,
  ownDomain: string | undefined,
  { file = '--qr' }: EnrolFlags,
  person: Person,
): void {
  if (claim?.of === undefined || own === undefined) return;
  const { siteId, domain } = claim.of;
  if (siteId === own && (ownDomain === undefined || ownDomain === domain)) return;
  const words = {
    file,
    site: `${siteId} (${domain})`,
    own: ownDomain === undefined ? own : `${own} (${ownDomain})`,
  };
  throw new Stop(exitCode.damagedFile, person.text('enrol.other-site', words));
}

function fileText(file: string, person: Person): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new Stop(exitCode.damagedFile, person.text('enrol.bad-file', { file, reason }));
  }
}

const firstLabel = (name: string): string =>
  (name.split('.')[0] ?? '').toLowerCase().replaceAll(/[^a-z0-9-]/g, '-') || 'host';

/** As the service chooses it: IPv4 before IPv6. */
function firstAddress(): string {
  const all = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return (all.find(({ family }) => family === 'IPv4') ?? all[0])?.address ?? '127.0.0.1';
}

/** The names of the certificate, by the settings that the service will have. */
function namesOf(
  settings: ApplianceSettings,
  known: Pick<ReachedHost, 'address' | 'siteBaseUrl' | 'hostId'>,
): readonly string[] {
  const { sipUdp, sipTcp, sipTls, sipWss, applianceHttp, dc09, commandQueue, peer, vip } = settings;
  const listens = [sipUdp, sipTcp, sipTls, sipWss, applianceHttp, dc09, commandQueue, peer];
  return certificateNames({
    ...known,
    sharedAddress: vip === undefined || vip === 'off' ? undefined : vip.address,
    listening: listens.flatMap((each) =>
      each === undefined || each === 'off' ? [] : each.all.map(({ host }) => host),
    ),
    machine: Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .flatMap(({ internal, address }) => (internal ? [] : [address])),
  }).asked;
}
