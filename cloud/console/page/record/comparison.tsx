import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { differences } from './compare.ts';
import type { Entry } from './record-words.ts';

const MONTH_MS = 30 * 86_400_000;

/** The last session of this device that went well, beside this one. */
export function Comparison({ record }: { readonly record: Entry }) {
  const { t } = useLingui();
  const [good, setGood] = useState<Entry | null>();
  const { deviceId, at, kind } = record;
  if (deviceId === undefined) return null;
  const find = async () => {
    const answer = await api.call('getRecordByDomain', {
      ...{ domain: domain.value, deviceId, kind, result: 'done', limit: '50' },
      ...{ from: String(at - MONTH_MS), to: String(at) },
    });
    if (answer.ok) setGood(answer.value.records.find((each) => each.deviceId === deviceId) ?? null);
    return answer;
  };
  return (
    <section className="record-part">
      <header>
        <h2>
          <Trans>Compare with the last good one of this device</Trans>
        </h2>
        <Act plain label={t`Compare`} run={find} />
      </header>
      {good === null && (
        <p className="dim">
          <Trans>No session of this device went well in the 30 days before.</Trans>
        </p>
      )}
      {good !== null && good !== undefined && <Table now={record} good={good} />}
    </section>
  );
}

function Table({ now, good }: { readonly now: Entry; readonly good: Entry }) {
  const { t } = useLingui();
  const rows = differences(now, good);
  return (
    <>
      <p className="flat">
        <PageLink page="record" rest={good.recordId}>
          <Trans>
            The good one, <Ago at={good.at} />
          </Trans>
        </PageLink>
      </p>
      {rows.length === 0 ? (
        <p className="dim">
          <Trans>Both are alike but for their times.</Trans>
        </p>
      ) : (
        <CardTable columns={[t`Field`, t`This one`, t`The good one`]}>
          <tbody>
            {rows.map(({ field, now: here, good: there }) => (
              <tr key={field}>
                <td>
                  <code>{field}</code>
                </td>
                <td>{here}</td>
                <td>{there}</td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
    </>
  );
}
