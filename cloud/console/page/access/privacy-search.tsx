import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Fragment, type SubmitEvent, useState } from 'react';
import { useAnswer } from '../../client/query.ts';
import { linkTo, useSearchState } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Choice } from '../../component/choice.tsx';
import { Field } from '../../component/field.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { KINDS } from '../record/record-words.ts';
import { ResultBadge } from '../record/result-badge.tsx';

export const SUBJECTS = ['device', 'person'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** More records are counted in their list. */
const SHOWN = 20;

/** Everything that the control plane knows of a device or a person; the subject of the search stands in the address. */
export function PrivacySearch() {
  const { t } = useLingui();
  const [search, setSearch] = useSearchState();
  const [subject, setSubject] = useState<Subject>(search.number === undefined ? 'device' : 'person');
  const wanted = search.deviceId ?? search.number ?? '';
  const [written, setWritten] = useState(wanted);
  const find = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const word = written.trim();
    setSearch(
      subject === 'device' ? { deviceId: word, number: undefined } : { number: word, deviceId: undefined },
    );
  };
  return (
    <section>
      <h2>
        <Trans>Search</Trans>
      </h2>
      <form onSubmit={find}>
        <Choice
          name={t`Subject of the search`}
          words={SUBJECTS}
          texts={{ device: t`Device`, person: t`Person` }}
          chosen={subject}
          onChoose={setSubject}
        />
        <div className="line">
          <Field
            label={subject === 'device' ? t`Id of the device` : t`Begin of a telephone number or SIP address`}
            value={written}
            onChange={setWritten}
          />
          <button type="submit">
            <Trans>Find</Trans>
          </button>
        </div>
      </form>
      {wanted !== '' && (
        <Found subject={search.deviceId === undefined ? 'person' : 'device'} wanted={wanted} />
      )}
    </section>
  );
}

function Found({ subject, wanted }: { readonly subject: Subject; readonly wanted: string }) {
  const { t, i18n } = useLingui();
  const of = subject === 'device' ? { deviceId: wanted } : { number: wanted };
  const asked = { domain: domain.value, ...of, from: '0' };
  const { data, error } = useAnswer('getRecordByDomain', { ...asked, limit: String(SHOWN) });
  const device = useAnswer(
    'getProvisioningDeviceByDeviceId',
    { domain: domain.value, deviceId: wanted },
    { enabled: subject === 'device' },
  );
  if (error !== null)
    return (
      <p className="notice bad" role="alert">
        {error.message}
      </p>
    );
  if (data === undefined) return null;
  const { records } = data;
  const recordings = records.reduce((sum, row) => sum + (row.recordings ?? []).length, 0);
  const all = `${linkTo('record')}?${new URLSearchParams({ ...of, from: '0' } as Record<string, string>).toString()}`;
  return (
    <>
      <p role="status">
        {records.length === 0
          ? t`The control plane has no session of it.`
          : data.nextToken === undefined
            ? t`Sessions: ${i18n.number(records.length)}, recordings: ${i18n.number(recordings)}.`
            : t`More than ${i18n.number(SHOWN)} sessions; the newest are shown.`}{' '}
        {device.data !== undefined && (
          <Trans>
            The device <ObjectLink kind="device" id={wanted} /> is provisioned.
          </Trans>
        )}{' '}
        <span className="dim">
          <Trans>Hosts may have more: an export collects it.</Trans>
        </span>
      </p>
      {records.length > 0 && (
        <>
          <CardTable columns={[t`Time`, t`Kind`, t`Result`, t`Recordings`]}>
            <tbody>
              {records.map((row) => (
                <tr key={row.recordId}>
                  <td>
                    <PageLink page="record" rest={row.recordId}>
                      <Ago at={row.at} estimated={row.estimated === true} />
                    </PageLink>
                  </td>
                  <td>
                    {t(KINDS[row.kind])}{' '}
                    {row.erased === true && (
                      <span className="label">
                        <Trans>content erased</Trans>
                      </span>
                    )}
                  </td>
                  <td>
                    <ResultBadge result={row.result} />
                  </td>
                  <td>
                    {(row.recordings ?? []).length > 0 && (
                      <PageLink page="recording" rest={row.recordId}>
                        <Trans>Listen</Trans>
                      </PageLink>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </CardTable>
          <p className="flat">
            <a href={all}>
              <Trans>All sessions</Trans>
            </a>
          </p>
        </>
      )}
    </>
  );
}

/** For how many days each class of data is kept. */
export function RetentionPart() {
  const { t } = useLingui();
  const { data } = useAnswer('getProvisioningRetention', { domain: domain.value }, { staleMs: 60_000 });
  if (data === undefined) return null;
  const { alarms, calls, recordings, logs, audit } = data.retention;
  const rows = [
    [t`Alarms and their sessions`, alarms],
    [t`Calls, services and deliveries`, calls],
    [t`Recordings`, recordings],
    [t`Traces and notes for finding faults`, logs],
    [t`Audit`, audit],
  ] as const;
  return (
    <section>
      <h2>
        <Trans>Retention</Trans>
      </h2>
      <dl>
        {rows.map(([name, days]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <Plural value={days} one="# day" other="# days" />
            </dd>
          </Fragment>
        ))}
      </dl>
      <p className="dim flat">
        <Trans>
          Older data is removed by itself. The operator of the platform sets the days with{' '}
          <code>CARILLON_RETENTION</code>; each host has the same setting.
        </Trans>
      </p>
    </section>
  );
}
