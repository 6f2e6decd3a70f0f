import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Operations } from '#shared/client/index.ts';
import { ok } from '#shared/result.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import type { Answered, Given, Operation } from './operation/operation.ts';

const POLL_MS = 500;
const WAIT = ['--wait', 'until it is done, or cannot go on'] as const;
const REASON = ['--reason <text>', 'why, for the audit log'] as const;

const hostOf = (given: Given) => ({
  domain: given.domain ?? '',
  siteId: given.siteId ?? '',
  hostId: given.hostId ?? '',
});
const HOST = ['domain', 'siteId', 'hostId'] as const;

type Asked = NonNullable<Operations['postSiteByDomainBySiteIdHostByHostIdRpc']['body']>;

/** The operations of the operator on hosts: their life, requests to them, where their configuration stands. */
export const HOST_OPERATIONS: readonly Operation[] = [
  {
    name: 'host show',
    does: 'Shows all details of a host.',
    arguments: HOST,
    example: 'carillon host show care.example north gw-1',
    run: async (client, given) => {
      const answer = await client.call('getSiteByDomainBySiteIdHostByHostId', hostOf(given));
      return answer.ok ? ok(answer.value.host) : answer;
    },
  },
  {
    name: 'host commission',
    does: 'Takes a host into service.',
    arguments: HOST,
    options: [
      ['--addresses <list>', 'its static addresses, by comma; with --prefix'],
      ['--prefix <bits>', 'prefix length of the addresses'],
      WAIT,
    ],
    example: 'carillon host commission care.example north gw-1 --addresses 10.0.0.5 --prefix 24 --wait',
    run: (client, given) => {
      const { addresses, prefix } = given;
      const body = {
        ...(addresses === undefined ? {} : { networkInterfaces: addresses.split(',') }),
        ...(prefix === undefined ? {} : { networkPrefixLength: Number(prefix) }),
      };
      const call = client.call('postSiteByDomainBySiteIdHostByHostId', { ...hostOf(given), body });
      return started(client, given, call);
    },
    sentence: operationSentence,
  },
  {
    name: 'host drain',
    does: 'Takes a host out of service: its services move away, its calls end, nothing is lost.',
    arguments: HOST,
    options: [
      ['--do-not-reschedule', 'services pause and stay assigned to it'],
      ['--deadline <seconds>', 'seconds before people are notified that it still serves (default 3600)'],
      ['--force', 'end ordinary calls at the deadline; alarm calls never'],
      REASON,
      WAIT,
    ],
    example: 'carillon host drain care.example north gw-1 --reason "new memory" --wait',
    run: (client, given) => {
      const { deadline, reason } = given;
      const body = {
        ...(given.doNotReschedule === undefined ? {} : { doNotReschedule: true }),
        ...(given.force === undefined ? {} : { force: true }),
        ...(deadline === undefined ? {} : { deadline: Number(deadline) }),
        ...(reason === undefined ? {} : { reason }),
      };
      const call = client.call('postSiteByDomainBySiteIdHostByHostIdDrain', { ...hostOf(given), body });
      return started(client, given, call);
    },
    sentence: operationSentence,
  },
  {
    name: 'host undrain',
    does: 'Puts a drained host back into service.',
    arguments: HOST,
    options: [WAIT],
    example: 'carillon host undrain care.example north gw-1',
    run: (client, given) =>
      started(
        client,
        given,
        client.call('postSiteByDomainBySiteIdHostByHostId', { ...hostOf(given), body: {} }),
      ),
    sentence: operationSentence,
  },
  {
    name: 'host decommission',
    does: 'Removes a host for good: drained where it is reached, wiped, shut out.',
    arguments: HOST,
    options: [['--force', 'also the last host of its site; takes a reason'], REASON, WAIT],
    example: 'carillon host decommission care.example north gw-1 --reason "replaced by gw-2"',
    run: (client, given) => {
      const { reason } = given;
      const query = {
        ...(given.force === undefined ? {} : { force: 'true' as const }),
        ...(reason === undefined ? {} : { reason }),
      };
      const call = client.call('deleteSiteByDomainBySiteIdHostByHostId', { ...hostOf(given), ...query });
      return started(client, given, call);
    },
    sentence: operationSentence,
  },
  {
    name: 'host swap',
    does: 'Replaces a dead host by another machine with the same name, labels and network.',
    arguments: HOST,
    options: [REASON],
    example: 'carillon host swap care.example north gw-1 --reason "lightning"',
    run: (client, given) =>
      client.call('postSiteByDomainBySiteIdHostByHostIdSwap', {
        ...hostOf(given),
        body: given.reason === undefined ? {} : { reason: given.reason },
      }),
    sentence: ({ claimCode }) =>
      `Enrol the new machine with ${claimCode}; the one before is shut out from now on.`,
  },
  {
    name: 'host label',
    does: 'Shows the labels for placement of a host, or changes them: svc=NAME takes these services only, room=b stays near.',
    arguments: HOST,
    options: [
      ['--set <labels>', 'these and no others, by comma; "" for none'],
      ['--add <labels>', 'beside those it has, by comma'],
      ['--remove <labels>', 'these go, by comma'],
    ],
    example: 'carillon host label care.example north gw-1 --add room=b,svc=media --remove room=a',
    run: async (client, given) => {
      const found = await client.call('getSiteByDomainBySiteIdHostByHostId', hostOf(given));
      if (!found.ok) return found;
      const { set, add, remove } = given;
      const operationSentence = found.value.host.labels;
      const removed = words(remove);
      const labels = [...(set === undefined ? operationSentence : words(set)), ...words(add)].filter(
        (label, at, all) => !removed.includes(label) && all.indexOf(label) === at,
      );
      if (set === undefined && add === undefined && remove === undefined)
        return ok({ success: true, labels: operationSentence });
      const put = await client.call('putSiteByDomainBySiteIdHostByHostIdLabels', {
        ...hostOf(given),
        body: { labels },
      });
      return put.ok ? ok({ success: true, labels }) : put;
    },
    sentence: ({ labels }, { hostId }) => {
      const all = labels as readonly string[];
      return all.length === 0 ? `${hostId} has no labels.` : `${hostId}: ${all.join(', ')}`;
    },
  },
  {
    name: 'host logs',
    does: 'Shows the last lines of the log of a host.',
    arguments: HOST,
    options: [
      ['--lines <n>', 'how many (default 200)'],
      ['--level <level>', 'debug, info, warn or error'],
      ['--match <text>', 'only lines that contain it'],
    ],
    example: 'carillon host logs care.example north gw-1 --lines 50 --match sip',
    run: (client, given) => {
      const { lines, level, match } = given;
      const args = {
        ...(lines === undefined ? {} : { lines: Number(lines) }),
        ...(level === undefined ? {} : { level }),
        ...(match === undefined ? {} : { match }),
      };
      return asked(client, given, { op: 'logs.tail', args });
    },
    sentence: ({ lines }) => (Array.isArray(lines) ? lines.map(String).join('\n') : ''),
  },
  {
    name: 'host upgrade',
    does: 'Lets a host fetch the next release, which it takes when no alarm and no call is active.',
    arguments: HOST,
    options: [
      ['--from <url>', 'https address of carillon-<version>-<cpu>.run; its .minisig lies beside it'],
      ['--force', 'also while no other host of the site could take alarms meanwhile'],
    ],
    example:
      'carillon host upgrade care.example north gw-1 --from https://releases.example/carillon-1.2.0-x64.run',
    run: (client, given) => {
      if (given.from === undefined)
        throw new Stop(exitCode.wrongUse, 'Say where the release lies: --from <url>.');
      return asked(client, given, {
        op: 'sw.upgrade',
        args: { url: given.from, ...(given.force && { force: true }) },
      });
    },
    sentence: ({ file }) =>
      `The host fetches ${file}. The audit log of the tenant shows the result (host.upgrade).`,
  },
  {
    name: 'host diag',
    does: 'Tests a host from inside: a call to itself, its disk, its links, a test alarm to the application.',
    arguments: HOST,
    example: 'carillon host diag care.example north gw-1',
    run: (client, given) => asked(client, given, { op: 'selftest', args: {} }),
    sentence: ({ checks }) =>
      (Array.isArray(checks) ? checks : [])
        .map(
          ({ name, ok: passed, message }) =>
            `${passed === true ? 'ok    ' : 'FAILED'}  ${name}  ${message ?? ''}`,
        )
        .join('\n'),
  },
  {
    name: 'host rpc',
    does: 'Asks a host: ping, probe, logs.tail, diag.bundle, selftest, svc.restart, cfg.resync, override.clear, cert.renew, outbox.list, outbox.replay, sip.registrations or sw.upgrade.',
    arguments: [...HOST, 'operation'],
    options: [['--args <json>', 'arguments, as a JSON object']],
    example: `carillon host rpc care.example north gw-1 svc.restart --args '{"service":"media"}'`,
    run: (client, given) =>
      asked(client, given, { op: given.operation as Asked['op'], args: argsOf(given.args) }),
  },
  {
    name: 'config status',
    does: 'Shows which revisions a host should have and has, and what it refused.',
    arguments: HOST,
    example: 'carillon config status care.example north gw-1',
    run: async (client, given) => {
      const answer = await client.call('getSiteByDomainBySiteIdHostByHostId', hostOf(given));
      if (!answer.ok) return answer;
      const { wanted, applied, refused } = answer.value.host.revisions;
      const scopes = (['platform', 'tenant', 'site', 'host'] as const).map((scope) => {
        const no = refused.find((each) => each.scope === scope);
        const first = no?.errors[0];
        return {
          scope,
          wanted: wanted[scope],
          applied: applied[scope],
          refused: no?.revision,
          path: first?.path,
          why: first?.msg,
        };
      });
      return ok({ success: true, scopes, overrides: answer.value.host.overrides });
    },
    list: ['scopes', 'scope', 'wanted', 'applied', 'refused', 'path', 'why'],
  },
  {
    name: 'config diff',
    does: 'Lists the changes that a host has not applied yet.',
    arguments: HOST,
    example: 'carillon config diff care.example north gw-1',
    run: (client, given) => client.call('getSiteByDomainBySiteIdHostByHostIdPending', hostOf(given)),
    list: ['changes', 'scope', 'revision', 'op', 'entity', 'id', 'at'],
  },
  {
    name: 'config resync',
    does: 'Makes a host fetch its configuration again, also what it refused.',
    arguments: HOST,
    options: [['--scope <scope>', 'only platform, tenant, site or host']],
    example: 'carillon config resync care.example north gw-1',
    run: (client, given) => {
      const args = given.scope === undefined ? {} : { scope: given.scope };
      return asked(client, given, { op: 'cfg.resync', args });
    },
    sentence: () => 'The host fetches its configuration again.',
  },
];

/** The operation that runs now; with `--wait` as it stands when it has ended or stands still. */
async function started(client: Client, given: Given, call: ReturnType<Client['call']>): Answered {
  const begun = await call;
  if (!begun.ok) return begun;
  const { operationId } = begun.value as { operationId: string };
  for (;;) {
    const answer = await client.call('getSiteByDomainOperationByOperationId', {
      domain: given.domain ?? '',
      operationId,
    });
    if (!answer.ok) return answer;
    const { operation } = answer.value;
    if (given.wait === undefined || operation.state === 'done') return ok(operation);
    if (operation.state === 'blocked' || operation.state === 'failed')
      throw new Stop(exitCode.refused, `${operationSentence(operation)} ${operation.reason ?? ''}`.trim());
    await wait(POLL_MS);
  }
}

function operationSentence({
  type,
  hostId,
  state,
  operationId,
  steps,
}: Readonly<Record<string, unknown>>): string {
  const at = (steps as readonly { step: string; state: string }[]).find((step) => step.state !== 'done');
  const where = at === undefined ? '' : ` at ${at.step}`;
  return `${type} of ${hostId}: ${state}${where} (operation ${operationId})`;
}

/** `a, b` as the words it names. */
const words = (text = ''): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

async function asked(client: Client, given: Given, body: Asked): Answered {
  const answer = await client.call('postSiteByDomainBySiteIdHostByHostIdRpc', { ...hostOf(given), body });
  return answer.ok ? ok(answer.value.data) : answer;
}

function argsOf(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Stop(exitCode.wrongUse, '--args must be a JSON object.');
  }
}
