import type { Input, Operations } from '#shared/client/index.ts';
import { ok } from '#shared/result.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { type Given, type Operation, wholeList } from './operation/operation.ts';

const MOST = ['--most <n>', 'longest list (default 1000)'] as const;
const UNIT_S: Readonly<Record<string, number>> = { m: 60, h: 3_600 };

type Alarms = Pick<Input<'getSiteByDomainAlarm'>, 'status' | 'siteId' | 'hostId' | 'error'>;
type Window = Operations['postSiteByDomainMaintenance']['answer']['window'];

const domainOf = (given: Given) => ({ domain: given.domain ?? '' });
const alarmOf = (given: Given) => ({ ...domainOf(given), alarmId: given.alarmId ?? '' });

/** The operations of the operator on alarms of supervision, and on the windows in which they are not reported. */
export const SUPERVISION_OPERATIONS: readonly Operation[] = [
  {
    name: 'incident list',
    does: 'Lists the alarms that supervision has raised.',
    arguments: ['domain'],
    options: [
      ['--status <status>', 'active, acknowledged or cleared'],
      ['--site <siteId>', 'only of this site'],
      ['--host <hostId>', 'only of hosts of this name'],
      ['--error <error>', 'only of this kind, noHeartbeatReply for example'],
      MOST,
    ],
    example: 'carillon incident list care.example --status active --site north',
    run: (client, given) =>
      wholeList('alarms', given, (part) => {
        const { status, site, host, error } = given;
        const wanted = Object.fromEntries(
          Object.entries({ status, siteId: site, hostId: host, error }).filter(
            ([, value]) => value !== undefined,
          ),
        ) as Alarms;
        return client.call('getSiteByDomainAlarm', { ...domainOf(given), ...wanted, ...part });
      }),
    list: [
      'alarms',
      'raisedAt',
      'clearedAt',
      'status',
      'error',
      'siteId',
      'hostId',
      'late',
      'untold',
      'alarmId',
    ],
  },
  {
    name: 'incident show',
    does: 'Shows an alarm with its details, comments and deliveries to the tenant.',
    arguments: ['domain', 'alarmId'],
    example: 'carillon incident show care.example 01jd0000000000000000000000',
    run: async (client, given) => {
      const answer = await client.call('getSiteByDomainAlarmByAlarmId', alarmOf(given));
      return answer.ok ? ok(answer.value.alarm) : answer;
    },
  },
  {
    name: 'incident ack',
    does: 'Acknowledges an alarm: a person attends to it.',
    arguments: ['domain', 'alarmId'],
    example: 'carillon incident ack care.example 01jd0000000000000000000000',
    run: (client, given) => client.call('postSiteByDomainAlarmByAlarmIdAck', alarmOf(given)),
    sentence: (_, given) => `${given.alarmId} is acknowledged.`,
  },
  {
    name: 'incident resend',
    does: 'Retries the failed deliveries of an alarm, each under its own Idempotency-Key.',
    arguments: ['domain', 'alarmId'],
    example: 'carillon incident resend care.example 01jd0000000000000000000000',
    run: (client, given) => client.call('postSiteByDomainAlarmByAlarmIdResend', alarmOf(given)),
    sentence: ({ taken }) =>
      `${Number(taken)} deliveries are tried once more; carillon incident show says how they went.`,
  },
  {
    name: 'incident note',
    does: 'Comments on an alarm.',
    arguments: ['domain', 'alarmId', 'text'],
    example: 'carillon incident note care.example 01jd0000000000000000000000 "a fuse; on my way"',
    run: (client, given) =>
      client.call('postSiteByDomainAlarmByAlarmIdNote', {
        ...alarmOf(given),
        body: { text: given.text ?? '' },
      }),
    sentence: (_, given) => `The comment on ${given.alarmId} is stored.`,
  },
  {
    name: 'maintenance list',
    does: 'Lists maintenance windows, newest first.',
    arguments: ['domain'],
    options: [['--all', 'also those that have ended'], MOST],
    example: 'carillon maintenance list care.example',
    run: (client, given) =>
      wholeList('windows', given, (part) =>
        client.call('getSiteByDomainMaintenance', {
          ...domainOf(given),
          ...(given.all === undefined ? { ended: 'false' as const } : {}),
          ...part,
        }),
      ),
    list: ['windows', 'state', 'siteId', 'hostId', 'startsAt', 'endsAt', 'madeBy', 'reason', 'windowId'],
  },
  {
    name: 'maintenance open',
    does: 'Opens a maintenance window for a site or host. Its alarms are recorded, and notified if they are still raised at the end.',
    arguments: ['domain', 'siteId'],
    options: [
      ['--host <hostId>', 'only this host; without it the whole site'],
      ['--for <time>', 'how long: 30m, 8h; at most 72h (default 1h)'],
      ['--from <time>', 'when it begins, as 2030-05-01T22:00:00Z (default: now)'],
      ['--reason <text>', 'what is done; needed'],
    ],
    example: 'carillon maintenance open care.example north --host gw-1 --for 2h --reason "new memory"',
    run: async (client, given) => {
      const { host, from, reason } = given;
      if (reason === undefined) throw new Stop(exitCode.wrongUse, 'Say what is done: --reason <text>.');
      const answer = await client.call('postSiteByDomainMaintenance', {
        ...domainOf(given),
        body: {
          siteId: given.siteId ?? '',
          reason,
          ...(host === undefined ? {} : { hostId: host }),
          ...(from === undefined ? {} : { startsAt: momentOf(from) }),
          ...(given.for === undefined ? {} : { duration: secondsOf(given.for) }),
        },
      });
      return answer.ok ? ok(answer.value.window) : answer;
    },
    sentence: (answer) => windowSentence(answer as unknown as Window),
  },
  {
    name: 'maintenance end',
    does: 'Ends a maintenance window now. Alarms that are still raised are notified.',
    arguments: ['domain', 'windowId'],
    example: 'carillon maintenance end care.example 01jd0000000000000000000000',
    run: async (client, given) => {
      const answer = await client.call('deleteSiteByDomainMaintenanceByWindowId', {
        ...domainOf(given),
        windowId: given.windowId ?? '',
      });
      return answer.ok ? ok(answer.value.window) : answer;
    },
    sentence: (answer) => windowSentence(answer as unknown as Window),
  },
];

function windowSentence({ windowId, siteId, hostId, state, startsAt, endsAt, endedAt }: Window): string {
  const where = hostId === undefined ? `site ${siteId}` : `${siteId}/${hostId}`;
  if (state === 'ended') return `Maintenance of ${where} has ended at ${text(endedAt ?? endsAt)}.`;
  const when = state === 'planned' ? `from ${text(startsAt)} until ${text(endsAt)}` : `until ${text(endsAt)}`;
  return `Maintenance of ${where} ${when} (window ${windowId}); alarms of devices are delivered as always.`;
}

const text = (at: number): string => new Date(at).toISOString();

function momentOf(written: string): number {
  const at = Date.parse(written);
  if (Number.isNaN(at))
    throw new Stop(exitCode.wrongUse, `--from ${written}: write it like 2030-05-01T22:00:00Z`);
  return at;
}

function secondsOf(written: string): number {
  const [, amount, unit] = /^(\d{1,4})([mh])$/.exec(written) ?? [];
  const unitS = UNIT_S[unit ?? ''];
  if (amount === undefined || unitS === undefined)
    throw new Stop(exitCode.wrongUse, `--for ${written}: write minutes or hours, for example 30m or 8h`);
  return Number(amount) * unitS;
}
