import { i18n } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { api } from '../client/api.ts';
import { linkTo } from '../client/route.ts';
import { domain, mayInvite, mayProvision } from '../client/session.ts';
import { MOMENT } from '../component/wording/figure.ts';

/** Something that a person can go to. */
export interface Goal {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly href: string;
}

/** An id of a trace: 32 digits, or a UUID as the page of a record shows it. */
const TRACE = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
export const isTrace = (words: string): boolean => TRACE.test(words);

/** A number or a part of one: as people type them, with spaces and dashes. */
const NUMBER = /^\+?[\d\s()/-]{3,}$/;
/** The number that the words are, without what only makes it readable; undefined: they are none. */
const numberOf = (words: string): string | undefined =>
  NUMBER.test(words) && /\d{3}/.test(words.replaceAll(/[\s()/-]/g, ''))
    ? words.replaceAll(/[\s()/-]/g, '')
    : undefined;

type Texts = ReturnType<typeof useLingui>['t'];

/** The pages about a number: its records, and who takes a call to it. */
export function numberGoals(words: string, t: Texts): readonly Goal[] {
  const number = numberOf(words);
  if (number === undefined) return [];
  return [
    {
      key: `number ${number}`,
      title: t`Alarms and calls of ${number}`,
      detail: '',
      href: `${linkTo('record')}?number=${encodeURIComponent(number)}&span=month`,
    },
    { key: `taker ${number}`, title: t`Taker of ${number}`, detail: '', href: linkTo('taker', number) },
  ];
}

/** The sessions of a trace. */
export async function readTrace(traceId: string): Promise<readonly Goal[]> {
  const answer = await api.call('getRecordByDomain', { domain: domain.value, traceId, limit: '8' });
  if (!answer.ok) return [];
  return answer.value.records.map(({ recordId, deviceId, from, receiverName, at }) => ({
    key: `record ${recordId}`,
    title: [deviceId ?? from, receiverName].filter((word) => word !== undefined).join(' → ') || recordId,
    detail: i18n.date(at, MOMENT),
    href: linkTo('record', recordId),
  }));
}

/** The things that a person may begin with her role, each at the place where it is done. */
export function useActions(): readonly Goal[] {
  const { t } = useLingui();
  const action = (title: string, page: string, rest = ''): Goal => ({
    key: `action ${title}`,
    title,
    detail: '',
    href: linkTo(page, rest),
  });
  return [
    ...(mayProvision.value
      ? [
          action(t`Create an alarm receiver`, 'bridge', 'new'),
          action(t`Create an event sender`, 'sender', 'new'),
          action(t`Create a media service`, 'media-service', 'new'),
          action(t`Create a trunk`, 'trunk', 'new'),
          action(t`Create an API token`, 'access', 'token'),
          action(t`Export or erase personal data`, 'privacy'),
        ]
      : []),
    ...(mayInvite.value ? [action(t`Invite a person`, 'access')] : []),
  ];
}
