import type { TrunkHostProbe } from '#shared/self-test/index.ts';
import { bad, doubtful, good, type Outcome, type SelfTestCode, skipped } from './record.ts';
import type { RunningProbes } from './running.ts';

/** More would not fit on one screen, nor into the record. */
const MOST_TRUNKS = 32;

/** One outcome for each trunk, what fails first. */
export async function trunkProbe(
  enrolled: boolean,
  running: Pick<RunningProbes, 'trunks'> | undefined,
): Promise<readonly Outcome[]> {
  if (!enrolled) return [skipped('notEnrolled')];
  const looks = await running?.trunks().catch((cause: unknown) => String(cause));
  if (looks === undefined || typeof looks === 'string') {
    return [bad('service.silent', looks ?? 'the service was not asked')];
  }
  if (looks.length === 0) return [skipped('trunk.none')];
  const outcomes = [...Map.groupBy(looks, ({ trunk }) => trunk).values()]
    .map((hosts) => joined(hosts.map(judgeTrunkHost)))
    .sort((a, b) => RANK[a.verdict] - RANK[b.verdict]);
  const rest = outcomes.slice(MOST_TRUNKS);
  const [worst] = rest;
  if (worst === undefined) return outcomes;
  return [
    ...outcomes.slice(0, MOST_TRUNKS),
    {
      ...worst,
      found: `${rest.length} more; one of them: ${worst.found}`,
      ...(worst.code && { code: 'trunk.more' }),
    },
  ];
}

const RANK = { failure: 0, warning: 1, ok: 2, skipped: 3 } as const;

/** A trunk of which one host serves is in use, and short of one that should. */
function joined(hosts: readonly Outcome[]): Outcome {
  const worst = hosts.toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict])[0] as Outcome;
  const found = hosts.map((host) => host.found).join('; ');
  const oneServes = worst.verdict === 'failure' && hosts.some(({ verdict }) => verdict !== 'failure');
  return oneServes ? doubtful('trunk.oneHost', found) : { ...worst, found };
}

/**
 * Judges by an answer to OPTIONS whether calls work. Interop: carriers that serve calls answer OPTIONS with 404, 405 or 501 too;
 * most of them answer 403 to an address they do not know.
 */
export function judgeTrunkHost({ trunk, host, outcome, registration }: TrunkHostProbe): Outcome {
  const about = `${trunk} (${host})`;
  if (outcome.kind === 'silent') {
    return bad('trunk.silent', `${about}: no answer within ${Math.round(outcome.waitedMs / 1_000)} s`);
  }
  if (outcome.kind === 'unreachable') {
    return bad(UNREACHABLE[outcome.code] ?? 'trunk.unreachable', `${about}: ${outcome.reason}`);
  }
  const { status, ms, login } = outcome;
  const said = `${about}: ${status}, ${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
  if (status === 401 || status === 407) {
    return login ? bad('trunk.login', said) : doubtful('trunk.noLogin', said);
  }
  if (status === 408 || status === 503 || status === 504) return bad('trunk.unavailable', said);
  if (registration === 'refused') return bad('trunk.notRegistered', `${said}, not registered`);
  if (status === 403) return doubtful('trunk.refused', said);
  if (status >= 500 && status !== 501) return doubtful('trunk.odd', said);
  if (registration === 'underWay') return doubtful('trunk.registering', `${said}, not registered yet`);
  return good(registration === 'registered' ? `${said}, registered` : said);
}

/** By the code of the appliance's ways to a SIP address. */
const UNREACHABLE: Readonly<Record<string, SelfTestCode>> = {
  Malformed: 'trunk.address',
  NotSupported: 'trunk.address',
  NotFound: 'trunk.name',
  LookupFailed: 'trunk.name',
  IdentityRefused: 'trunk.tls',
};
