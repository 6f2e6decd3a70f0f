import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { serverNow } from '../../client/clock.ts';
import { useLive } from '../../client/live.ts';
import { useRecordChanges } from '../../client/record-change.ts';
import { domain } from '../../client/session.ts';
import { useSteady } from '../../client/steady.ts';
import { Ago } from '../../component/age.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { Freshness } from '../../component/freshness.tsx';
import { Head } from '../../component/head.tsx';
import { Stale } from '../../component/notice.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { reasonText } from '../../component/step/reason-words.ts';
import { KINDS } from '../record/record-words.ts';
import { ResultBadge } from '../record/result-badge.tsx';

type Shown = Operations['getRecordByDomain']['answer']['records'][number];

const STEP_MS = 3_000;
const SHOWN = 20;
const WEEK_MS = 7 * 86_400_000;

/** The newest sessions; the list stands still while a person points at it. */
export function NewestRecords() {
  const { t } = useLingui();
  useRecordChanges(domain.value);
  const live = useLive(
    () =>
      api.call('getRecordByDomain', {
        domain: domain.value,
        limit: String(SHOWN),
        from: String(serverNow() - WEEK_MS),
      }),
    [domain.value],
    STEP_MS,
    ['record'],
    'newest records',
  );
  const steady = useSteady(live.value?.records ?? [], ({ recordId }) => recordId, domain.value);
  return (
    <section>
      <header>
        <h2>
          <Trans>The last sessions</Trans>
        </h2>
        {live.at > 0 && <Freshness at={live.at} />}
        {steady.added > 0 && (
          <button type="button" className="plain" onClick={steady.showAdded}>
            <Plural value={steady.added} one="# new" other="# new" />
          </button>
        )}
      </header>
      <Stale failure={live.failure} at={live.at} />
      {live.value !== undefined && steady.rows.length === 0 && (
        <EmptyState
          title={t`No session in the last seven days`}
          command="carillon simulate scaip --to HOST:5060 --receiver scaip --device scaip-0001"
        >
          <Trans>
            Each alarm and each call becomes a record here, from its arrival to its end. The first one comes
            as soon as a device sends an alarm to a host.
          </Trans>
        </EmptyState>
      )}
      {steady.rows.length > 0 && (
        <div {...steady.place}>
          <table className="cards newest">
            <Head columns={[t`Session`, t`Device or number`, t`Receiver`, t`Begin`, t`Result`]} />
            <tbody>
              {steady.rows.map((row) => (
                <tr key={row.recordId}>
                  <td>
                    <PageLink page="record" rest={row.recordId}>
                      {t(KINDS[row.kind])}
                    </PageLink>
                  </td>
                  <td>{partyOf(row)}</td>
                  <td>{row.receiverName ?? row.to ?? ''}</td>
                  <td>
                    <Ago at={row.at} estimated={row.estimated === true} />
                  </td>
                  <td>
                    <ResultBadge result={row.result} />
                    {row.result !== 'done' && row.reason !== undefined && (
                      <div className="dim">{reasonText(row.reason, t)}</div>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function partyOf({ deviceId, from, source }: Shown) {
  if (deviceId === undefined) return from ?? source ?? '';
  return <ObjectLink kind="device" id={deviceId} />;
}
