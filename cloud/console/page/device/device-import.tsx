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
        The first line names the columns: <code>deviceId,authType,srtp</code> and any other field of a device,
        one device a line. A device that is there is overwritten.
      </p>
      <label>
        CSV file
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
        <Act plain label="Look at it first" disabled={file === undefined || isOver} run={load(true)} />
        <Act
          label={isGood ? `Import ${checked.rows} devices` : 'Load'}
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
  const { rows, failed, dryRun, reason, errors } = status;
  const good = rows - failed;
  return (
    <div aria-live="polite">
      <p>
        {status.status === 'STARTED' ? 'So far ' : ''}
        {good} of {rows} devices {dryRun ? 'would be' : 'are'} in.
        {failed > 0 && ` ${failed} rows are refused: correct the file and choose it again.`}
      </p>
      {reason !== undefined && <p className="refused">{reason}</p>}
      {errors.length > 0 && (
        <table className="small">
          <Head columns={['Row', 'Problems']} />
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
