import type { Twin } from '#shared/contract/feed/index.ts';
import type { HostCondition, HostSummary } from '../../store/index.ts';
import { stateOf } from '../lifecycle/record.ts';

/** Conditions of a host (control plane, section 6), the third axis beside intent and connectivity. */
const CONDITIONS = [
  'ConfigInSync',
  'CertValid',
  'ClockSynced',
  'MemoryPressure',
  'DiskPressure',
  'ServicesReady',
  'PeersReachable',
  'UpdatePending',
  'OverrideActive',
  'DrainBlocked',
] as const;

export type ConditionName = (typeof CONDITIONS)[number];
export type Conditions = { readonly [N in ConditionName]: HostCondition };

const DISK_FULL_PERCENT = 80;
const MEMORY_FREE_PERCENT = 10;
const MEMORY_FREE_MB = 256;
const CERT_DAYS = 14;
const DAY_MS = 86_400_000;
/** Chosen: a host that fetches a change is not degraded by it; so long it may take. */
const SYNC_MS = 120_000;

/** A condition without its time. */
type Finding = Omit<HostCondition, 'since'>;

const holds = (reason = '', message = ''): Finding => ({ status: true, reason, message });
const fails = (reason: string, message: string): Finding => ({ status: false, reason, message });

/** Revisions that the twin names and the host has not applied, summed over the scopes. */
function revisionsBehind({ host, status }: HostSummary): number {
  const wanted = (host.twinBody as Partial<Twin> | null)?.cfg;
  if (wanted === undefined) return 0;
  const { revTenant, revSite, revHost, revPlatform } = status;
  const behind = (rev: number, applied: number): number => Math.max(0, rev - applied);
  return (
    behind(wanted.tenant.rev, revTenant) +
    behind(wanted.site.rev, revSite) +
    behind(wanted.host.rev, revHost) +
    behind(wanted.platform.rev, revPlatform)
  );
}

const FIND: { readonly [N in ConditionName]: (row: HostSummary, nowMs: number) => Finding } = {
  ConfigInSync: (row) => {
    const [scope, rev] = Object.entries(row.status.nacked)[0] ?? [];
    if (scope !== undefined)
      return fails(
        `Rejected:${scope}:${rev}`,
        row.status.refusals[scope]?.errors[0]?.msg ?? 'The host refused the configuration.',
      );
    const behind = revisionsBehind(row);
    return behind === 0
      ? holds()
      : fails(`Behind:${behind}`, `The host has not applied ${behind} revisions yet.`);
  },
  CertValid: ({ host }, nowMs) => {
    if (host.certExpires === null) return holds();
    const days = Math.floor((host.certExpires - nowMs) / DAY_MS);
    if (days >= CERT_DAYS) return holds();
    return fails(
      `Days:${Math.max(0, days)}`,
      days < 0 ? 'The certificate has ended.' : `The certificate ends in ${days} days.`,
    );
  },
  ClockSynced: ({ status: { facts } }) =>
    facts.clockSync === false ? fails('NoSource', 'The clock of the host has no time source.') : holds(),
  MemoryPressure: ({ status: { facts } }) => {
    const { memPct, memFreeMb } = facts.m ?? {};
    const freePct = memPct === undefined ? undefined : 100 - memPct;
    if (freePct !== undefined && freePct < MEMORY_FREE_PERCENT)
      return holds(`Percent:${freePct}`, `${freePct} % free`);
    if (memFreeMb !== undefined && memFreeMb < MEMORY_FREE_MB)
      return holds(`Mb:${memFreeMb}`, `${memFreeMb} MB free`);
    return fails('', '');
  },
  DiskPressure: ({ status: { facts } }) => {
    const { diskPct } = facts.m ?? {};
    return diskPct !== undefined && diskPct >= DISK_FULL_PERCENT
      ? holds(`Percent:${diskPct}`, `${diskPct} % full`)
      : fails('', '');
  },
  ServicesReady: ({ status: { facts } }) => {
    const sick = Object.entries(facts.svc ?? {}).filter(([, state]) => state !== 'ok');
    const [first] = sick;
    return first === undefined
      ? holds()
      : fails(
          sick.map(([name]) => name).join(','),
          sick.map(([name, state]) => `${name}: ${state}`).join('; '),
        );
  },
  PeersReachable: ({ status: { facts } }) => {
    const lost = Object.entries(facts.peers ?? {}).filter(([, state]) => state !== 'ok');
    return lost.length === 0
      ? holds()
      : fails(
          lost.map(([name]) => name).join(','),
          lost.map(([name, state]) => `${name}: ${state}`).join('; '),
        );
  },
  UpdatePending: ({ host, status: { facts } }) => {
    const target = (host.twinBody as Partial<Twin> | null)?.sw?.target;
    return target !== undefined && facts.sw?.agent !== undefined && target !== facts.sw.agent
      ? holds(target, `${facts.sw.agent} becomes ${target}`)
      : fails('', '');
  },
  OverrideActive: ({ status: { facts, overrides } }) => {
    const count = Math.max(facts.overrides ?? 0, overrides.length);
    return count === 0 ? fails('', '') : holds(`Count:${count}`, overrides.map(({ key }) => key).join(', '));
  },
  DrainBlocked: ({ host }) => {
    const { blocked } = stateOf(host).course;
    return blocked === null ? fails('', '') : holds(blocked.code, blocked.message);
  },
};

/** All conditions as of now; `since` stays while the status stays. */
export function conditionsOf(row: HostSummary, nowMs: number): Conditions {
  const known = row.status.conditions;
  return Object.fromEntries(
    CONDITIONS.map((name) => {
      const finding = FIND[name](row, nowMs);
      const before = known[name];
      const since = before !== undefined && before.status === finding.status ? before.since : nowMs;
      return [name, { ...finding, since }];
    }),
  ) as Conditions;
}

/** Short words for what is wrong now, worst first: `DiskPressure;CfgBehind:3`. */
export function distressOf(row: HostSummary, conditions: Conditions, nowMs: number): string[] {
  const words: string[] = [];
  const { course, life } = stateOf(row.host);
  if (conditions.DrainBlocked.status) words.push(`DrainBlocked:${conditions.DrainBlocked.reason}`);
  if (life === 'commissioning' && course.checks === 'failed') words.push('ChecksFailed');
  if (life === 'commissioning' && course.overdue) words.push('CommissioningOverdue');
  if (conditions.DiskPressure.status) words.push('DiskPressure');
  if (conditions.MemoryPressure.status) words.push('MemoryPressure');
  for (const [name, state] of Object.entries(row.status.facts.svc ?? {}))
    if (state !== 'ok') words.push(`ServiceNotReady:${name}`);
  for (const [scope, rev] of Object.entries(row.status.nacked)) words.push(`CfgRejected:${scope}:${rev}`);
  const behind = isBehind(conditions, nowMs) ? revisionsBehind(row) : 0;
  if (behind > 0) words.push(`CfgBehind:${behind}`);
  if (!conditions.CertValid.status) words.push('CertExpiring');
  if (!conditions.ClockSynced.status) words.push('ClockUnsynchronised');
  if (!conditions.PeersReachable.status) words.push(`PeersUnreachable:${conditions.PeersReachable.reason}`);
  return words;
}

const isBehind = ({ ConfigInSync }: Conditions, nowMs: number): boolean =>
  !ConfigInSync.status && nowMs - ConfigInSync.since > SYNC_MS;
