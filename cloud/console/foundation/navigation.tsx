import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import { queue, rings } from '../client/alarm-queue.ts';
import { api } from '../client/api.ts';
import { useLive } from '../client/live.ts';
import { phoneState } from '../client/phone-state.ts';
import { isSoundOn, ringWhile } from '../client/ring-sound.ts';
import { domain } from '../client/session.ts';
import { useStore } from '../client/store.ts';
import { PageLink } from '../component/page-link.tsx';
import { AREAS, nameOf, type PageEntry } from './page-list.ts';

const stands = ({ under, isOffered }: PageEntry): boolean => under === undefined && (isOffered?.() ?? true);

/** The pages by area; `current` is the name of the one that is open. */
export function Navigation({ current }: { readonly current: string }) {
  const { i18n } = useLingui();
  const areas = AREAS.map(({ title, pages }) => ({ title, pages: pages.filter(stands) }));
  return (
    <ul>
      {areas
        .filter(({ pages }) => pages.length > 0)
        .map(({ title, pages }) => (
          <li key={title.id} className="area">
            <span className="area-name">{i18n._(title)}</span>
            <ul>
              {pages.map((entry) => (
                <li key={entry.path}>
                  <PageLink page={nameOf(entry)} current={nameOf(entry) === current}>
                    {i18n._(entry.title)}
                    {nameOf(entry) === 'phone' && <Ringing />}
                    {nameOf(entry) === 'queue' && <Waiting />}
                    {nameOf(entry) === 'alarm' && domain.value !== '' && <OpenAlarms />}
                  </PageLink>
                </li>
              ))}
            </ul>
          </li>
        ))}
    </ul>
  );
}

function Ringing() {
  if (useStore(phoneState).kind !== 'ringing') return null;
  return (
    <span className="count">
      <Trans>rings</Trans>
    </span>
  );
}

/** Alarms that no person has, on every page: they ring, and a red mark stands there while the sound is off. */
export function Waiting() {
  const count = useStore(queue).alarms.filter(rings).length;
  const hasSound = useStore(isSoundOn);
  useEffect(() => ringWhile(count > 0), [count]);
  return (
    <span className="marks">
      {!hasSound && (
        <span className="sound-off">
          <Trans>sound off</Trans>
        </span>
      )}
      {count > 0 && <span className="count">{count}</span>}
    </span>
  );
}

/** Number of alarms that were not looked at, beside the name of their page. */
function OpenAlarms() {
  const live = useLive(
    () => api.call('getSiteByDomainAlarm', { domain: domain.value, status: 'active', limit: '100' }),
    [domain.value],
    10_000,
    ['alarm'],
  );
  const count = live.value?.alarms.length ?? 0;
  if (count === 0) return null;
  return <span className="count">{count === 100 ? '99+' : count}</span>;
}
