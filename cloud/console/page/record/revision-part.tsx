import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { useAnswer } from '../../client/query.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { type Changed, Difference } from '../../component/revision/revision-difference.tsx';
import type { Entry } from './record-words.ts';

const MONTH_MS = 30 * 86_400_000;
/** Later than any revision: the API compares with the present one. */
const PRESENT = 2 ** 31 - 1;

/** The configuration by which a session was treated: how it differs from the last good session of the device, and from today. */
export function RevisionPart({ record }: { readonly record: Entry }) {
  const { t } = useLingui();
  const [since, setSince] = useState<readonly Changed[] | undefined>();
  const { configRevision: revision, deviceId, at, kind } = record;
  if (revision === undefined) return null;
  return (
    <section className="record-part" id="configuration">
      <header>
        <h2>
          <Trans>Configuration revision {revision}</Trans>
        </h2>
        <Act
          plain
          label={t`Changes until today`}
          run={async () => {
            const answer = await changesOf(PRESENT, revision);
            if (answer.ok) setSince(answer.value.changes);
            return answer;
          }}
        />
      </header>
      {deviceId !== undefined && <LastGood asked={{ deviceId, kind, at }} revision={revision} />}
      {since?.length === 0 && (
        <p className="dim">
          <Trans>Nothing has changed since this session.</Trans>
        </p>
      )}
      {since !== undefined && since.length > 0 && (
        <>
          <h3>
            <Trans>Since this session</Trans>
          </h3>
          <Difference changes={since} named={[]} titles={[t`In this session`, t`Today`]} />
        </>
      )}
    </section>
  );
}

const changesOf = (revision: number, from: number) =>
  api.call('getSiteByDomainRevisionByRevisionChange', {
    ...{ domain: domain.value, revision, from },
  });

interface Asked {
  readonly deviceId: string;
  readonly kind: Entry['kind'];
  readonly at: number;
}

/** The changes between the last session of the device that went well and this one. */
function LastGood({ asked, revision }: { readonly asked: Asked; readonly revision: number }) {
  const { t } = useLingui();
  const { deviceId, kind, at } = asked;
  const found = useAnswer('getRecordByDomain', {
    ...{ domain: domain.value, deviceId, kind, result: 'done', limit: '50' },
    ...{ from: String(at - MONTH_MS), to: String(at) },
  });
  const good = found.data?.records.find((each) => each.deviceId === deviceId && each.at < at);
  const before = good?.configRevision;
  const isOther = before !== undefined && before < revision;
  const changes = useAnswer(
    'getSiteByDomainRevisionByRevisionChange',
    { domain: domain.value, revision, from: before ?? 0 },
    { enabled: isOther },
  );
  if (found.data === undefined) return null;
  if (good === undefined)
    return (
      <p className="dim flat">
        <Trans>No session of this device went well in the 30 days before: nothing to compare with.</Trans>
      </p>
    );
  return (
    <>
      <p className="flat">
        <PageLink page="record" rest={good.recordId}>
          <Trans>
            Last good session, <Ago at={good.at} />
          </Trans>
        </PageLink>{' '}
        {before === undefined
          ? t`names no revision.`
          : isOther
            ? t`had revision ${before}.`
            : t`had the same configuration: the cause is not there.`}
      </p>
      {isOther && changes.data?.changes.length === 0 && (
        <p className="dim flat">
          <Trans>The revisions in between changed nothing that is still kept.</Trans>
        </p>
      )}
      {changes.error !== null && <p className="refused">{changes.error.message}</p>}
      {isOther && changes.data !== undefined && changes.data.changes.length > 0 && (
        <Difference
          changes={changes.data.changes}
          named={[]}
          titles={[t`Last good session`, t`In this session`]}
        />
      )}
    </>
  );
}
