import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { serverNow } from '../../client/clock.ts';
import { useAnswer } from '../../client/query.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { ErrorNotice } from '../../component/error-notice.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { playersOf } from './prompt-player.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** The newest sessions with the prompt; more of them name the same services. */
const MOST = '100';
/** Most characters of a search. */
const LONGEST = 128;

/** The media services that played a prompt lately. It is asked when a person opens it: the search reads whole records. */
export function PlayedBy({ name }: { readonly name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Trans>Where it is used</Trans>
      </summary>
      {isOpen && <Players name={name} />}
    </details>
  );
}

function Players({ name }: { readonly name: string }) {
  const [from] = useState(() => String(serverNow() - DAYS * DAY_MS));
  const { data, error } = useAnswer('getRecordByDomain', {
    ...{ domain: domain.value, kind: 'mediaService', text: name.slice(0, LONGEST), from, limit: MOST },
  });
  const players = playersOf(name, data?.records ?? []);
  return (
    <>
      <ErrorNotice failure={error?.failure} />
      {data !== undefined && players.length === 0 && (
        <p className="dim flat">
          <Trans>
            No media service played it in the last 30 days. Applications name prompts when they play them, so
            that one may still need it.
          </Trans>
        </p>
      )}
      <ul className="plain-list">
        {players.map(({ id, sessions, last, name: service }) => (
          <li key={id}>
            <ObjectLink kind="mediaService" id={id} name={service} />{' '}
            <PageLink page="record" rest={last.recordId}>
              <Ago at={last.at} />
            </PageLink>{' '}
            <span className="dim">
              <Plural value={sessions} one="# call" other="# calls" />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
