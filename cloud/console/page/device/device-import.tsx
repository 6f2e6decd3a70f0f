import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { csvText } from '#shared/contract/record/index.ts';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Head } from '../../component/head.tsx';
import { saveFile } from '../../component/save-file.ts';

type Status = Operations['getProvisioningDeviceBulkByBulkId']['answer']['status'];

const POLL_MS = 500;
const GROUPS_SHOWN = 20;

/** Devices from a CSV file: first only looked at, then taken. */
export function DeviceImport({ done }: { readonly done: () => void }) {
  const { t } = useLingui();
  const [file, setFile] = useState<{ readonly name: string; readonly text: string } | undefined>(undefined);
  const [status, setStatus] = useState<Status | undefined>(undefined);

  const load = (dryRun: boolean) => async () => {
    const place = { domain: domain.value, bulkId: `console-${crypto.randomUUID()}` };
    const how = dryRun ? { dryRun: 'true' as const } : {};
    const begun = await api.call('putProvisioningDeviceBulkByBulkId', {
      ...place,
      ...how,
      body: file?.text ?? '',
    });
    if (!begun.ok) return begun;
    for (;;) {
      const answer = await api.call('getProvisioningDeviceBulkByBulkId', place);
      if (!answer.ok) return answer;
      setStatus(answer.value.status);
      if (answer.value.status.status !== 'STARTED') return { ok: true as const, value: null };
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  const checked = status;
  const isOver = checked?.dryRun === false && checked.status !== 'STARTED';
  const isGood = checked?.dryRun === true && checked.status === 'COMPLETED' && checked.failed === 0;

  return (
    <>
      <p>
        <Trans>
          The first line names the columns: <code>deviceId,authType,srtp</code> and any other field of a
          device, one device a line. A device that is there is overwritten.
        </Trans>
      </p>
      <label>
        <Trans>CSV file</Trans>
        <input
          type="file"
          accept=".csv,text/csv"
          onClick={(event) => {
            // The same file, corrected meanwhile, is to be read again: a browser tells only of another name.
            event.currentTarget.value = '';
          }}
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            setStatus(undefined);
            setFile(undefined);
            void chosen?.text().then((text) => {
              setFile({ name: chosen.name, text });
            });
          }}
        />
      </label>
      <p className="acts">
        <Act plain label={t`Look at it first`} disabled={file === undefined || isOver} run={load(true)} />
        <Act
          label={
            isGood ? plural(checked.rows, { one: 'Import # device', other: 'Import # devices' }) : t`Import`
          }
          disabled={!isGood}
          run={load(false)}
          done={done}
        />
      </p>
      {checked !== undefined && <Outcome status={checked} file={file?.name ?? ''} />}
    </>
  );
}

/** How far it is, and each reason why rows are refused, once, with the rows that have it. */
function Outcome({ status, file }: { readonly status: Status; readonly file: string }) {
  const { t, i18n } = useLingui();
  const { failed, dryRun, reason, errors, groups = [], rowsAbout } = status;
  const isOver = status.status !== 'STARTED';
  const good = i18n.number(status.rows - failed);
  const rows = i18n.number(status.rows);
  const all = i18n.number(Math.max(rowsAbout ?? 0, status.rows));
  const sentence = (): string => {
    if (isOver)
      return dryRun ? t`${good} of ${rows} devices would be in.` : t`${good} of ${rows} devices are in.`;
    return dryRun
      ? t`So far ${rows} of about ${all} rows were read: ${good} devices would be in.`
      : t`So far ${rows} of about ${all} rows were read: ${good} devices are in.`;
  };
  return (
    <div aria-live="polite">
      <p>
        {sentence()}{' '}
        {failed > 0 && (
          <Plural
            value={failed}
            one="# row is refused: correct the file and choose it again."
            other="# rows are refused: correct the file and choose it again."
          />
        )}
      </p>
      {reason !== undefined && <p className="refused">{reason}</p>}
      {groups.length > 0 && (
        <table className="small">
          <Head columns={[t`Problems`, t`Rows`]} />
          <tbody>
            {groups.slice(0, GROUPS_SHOWN).map((group) => (
              <tr key={group.reason}>
                <td>{group.reason}</td>
                <td>
                  {group.rows.join(', ')}
                  {group.times > group.rows.length && (
                    <span className="dim">
                      {' '}
                      <Plural
                        value={group.times - group.rows.length}
                        one="and # further row"
                        other="and # further rows"
                      />
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {groups.length > 0 && (
        <p className="dim flat">
          <Trans>Row 1 is the first one below the names of the columns.</Trans>
        </p>
      )}
      {groups.length > GROUPS_SHOWN && (
        <p className="dim">
          <Trans>{i18n.number(groups.length - GROUPS_SHOWN)} further reasons stand in the file.</Trans>
        </p>
      )}
      {isOver && errors.length > 0 && (
        <p className="acts">
          <button
            type="button"
            className="plain"
            onClick={() => saveFile(errorsAsCsv(errors), `${file.replace(/\.csv$/i, '')}-refused.csv`)}
          >
            <Trans>Save the refused rows as a file</Trans>
          </button>
          {errors.length < failed && (
            <span className="dim">
              <Trans>
                It has the first {i18n.number(errors.length)} of them, and each reason at least once.
              </Trans>
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/** A line for each refused row: its number as on the page, and the reason. */
const errorsAsCsv = (errors: Status['errors']): string =>
  csvText([['row', 'reason'], ...errors.map(({ row, reason }) => [String(row), reason])]);
