import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Head } from '../../component/head.tsx';

type Status = Operations['getProvisioningDeviceBulkByBulkId']['answer']['status'];

const POLL_MS = 500;
const ERRORS_SHOWN = 20;

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
            isGood ? plural(checked.rows, { one: 'Import # device', other: 'Import # devices' }) : t`Load`
          }
          disabled={!isGood}
          run={load(false)}
          done={done}
        />
      </p>
      {checked !== undefined && <Outcome status={checked} />}
    </>
  );
}

function Outcome({ status }: { readonly status: Status }) {
  const { t } = useLingui();
  const { rows, failed, dryRun, reason, errors } = status;
  const good = rows - failed;
  const sentence = (): string => {
    if (status.status !== 'STARTED')
      return dryRun ? t`${good} of ${rows} devices would be in.` : t`${good} of ${rows} devices are in.`;
    return dryRun
      ? t`So far ${good} of ${rows} devices would be in.`
      : t`So far ${good} of ${rows} devices are in.`;
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
      {errors.length > 0 && (
        <table className="small">
          <Head columns={[t`Row`, t`Problems`]} />
          <tbody>
            {errors.slice(0, ERRORS_SHOWN).map((each) => (
              <tr key={`${each.row} ${each.reason}`}>
                <td className="number">{each.row}</td>
                <td>{each.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
