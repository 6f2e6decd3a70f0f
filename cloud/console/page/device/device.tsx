import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { api } from '../../client/api.ts';
import { useSearchState } from '../../client/route.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { More, usePages } from '../../component/more.tsx';
import { Empty, Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { WhoMay } from '../../component/who-may.tsx';
import { type Device, DeviceForm } from './device-form.tsx';
import { DeviceImport } from './device-import.tsx';
import { useAuthTypeWords, useDeviceTypeWords } from './device-words.ts';

/** The kind of a device that names none. */
const USUAL_KIND = 'sipDevice';

/** Devices by the beginning of their id. */
export function DevicePage() {
  const { t } = useLingui();
  const types = useDeviceTypeWords();
  const authTypes = useAuthTypeWords();
  const [{ find = '' }] = useSearchState();
  const [wanted, setWanted] = useState(find);
  useEffect(() => setWanted(find), [find]);
  const [open, setOpen] = useState<Device | 'new' | undefined>(undefined);
  const [importing, setImporting] = useState(false);
  const paged = usePages(
    async (nextToken) => {
      const answer = await api.call('getProvisioningDevice', {
        domain: domain.value,
        limit: '50',
        ...(wanted === '' ? {} : { filter: wanted }),
        ...(nextToken === undefined ? {} : { nextToken }),
      });
      if (!answer.ok) return answer;
      return { ok: true, value: { items: answer.value.devices, nextToken: answer.value.nextToken } };
    },
    [domain.value, wanted],
  );
  const { items, failure, loading, again } = paged;
  const close = (): void => {
    setOpen(undefined);
    again();
  };
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Devices</Trans>
        </h1>
        <input
          type="search"
          aria-label={t`Find a device by the beginning of its id`}
          placeholder={t`Id begins with…`}
          value={wanted}
          onChange={(event) => {
            setWanted(event.currentTarget.value.trim());
          }}
        />
        {mayProvision.value && (
          <>
            <button
              type="button"
              onClick={() => {
                setOpen('new');
              }}
            >
              <Trans>Add a device</Trans>
            </button>
            <PageLink page="device-wizard" className="button">
              <Trans>Step by step to its first alarm</Trans>
            </PageLink>
            <button
              type="button"
              className="plain"
              onClick={() => {
                setImporting(true);
              }}
            >
              <Trans>Import from CSV</Trans>
            </button>
          </>
        )}
      </header>
      <WhoMay need="provision" />
      <Stale failure={failure} at={0} />
      {!loading && items.length === 0 && failure === undefined && (
        <Empty>
          <h2>{wanted === '' ? t`No devices yet` : t`None begins with ${wanted}`}</h2>
          <p>
            <Trans>
              Many at once come from a file: &quot;Import from CSV&quot;, or <code>carillon device bulk</code>
              .
            </Trans>
          </p>
        </Empty>
      )}
      {items.length > 0 && (
        <CardTable columns={[t`Device`, t`Kind`, t`Authentication`, t`Heartbeat`, t`Configured`]}>
          <tbody>
            {items.map((device) => (
              <tr key={device.deviceId}>
                <td>
                  <button
                    type="button"
                    className="link"
                    onClick={() => {
                      setOpen(device);
                    }}
                  >
                    {device.deviceId}
                  </button>
                  <div className="dim">{device.description}</div>
                  <PageLink page="device" rest={device.deviceId}>
                    <Trans>Health and sessions</Trans>
                  </PageLink>
                </td>
                <td>{types[device.deviceType ?? USUAL_KIND] ?? device.deviceType}</td>
                <td>{authTypes[device.authType] ?? device.authType}</td>
                <td>
                  {device.heartbeatStatus === undefined ? (
                    <span className="dim">
                      <Trans>not watched</Trans>
                    </span>
                  ) : (
                    <Badge word={device.heartbeatStatus} />
                  )}
                </td>
                <td>{device.lastConfigured !== undefined && <Ago at={device.lastConfigured} />}</td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
      <More paged={paged} />
      {importing && (
        <Dialog
          title={t`Import devices from CSV`}
          onClose={() => {
            setImporting(false);
            again();
          }}
        >
          <DeviceImport done={again} />
        </Dialog>
      )}
      {open !== undefined && (
        <Dialog title={open === 'new' ? t`Add a device` : open.deviceId} onClose={close}>
          <DeviceForm device={open === 'new' ? undefined : open} done={close} />
          {open !== 'new' && mayProvision.value && <Remove device={open} done={close} />}
        </Dialog>
      )}
    </>
  );
}

function Remove({ device, done }: { readonly device: Device; readonly done: () => void }) {
  const { t } = useLingui();
  const [sure, setSure] = useState('');
  return (
    <details className="danger">
      <summary>
        <Trans>Delete this device</Trans>
      </summary>
      <p>
        <Trans>It can no longer register, and its alarms come as those of an unknown unit.</Trans>
      </p>
      <label>
        <Trans>
          Type <strong>{device.deviceId}</strong> to confirm
        </Trans>
        <input
          value={sure}
          onChange={(event) => {
            setSure(event.currentTarget.value);
          }}
        />
      </label>
      <Act
        label={t`Delete`}
        danger
        disabled={sure !== device.deviceId}
        run={() =>
          api.call('deleteProvisioningDeviceByDeviceId', { domain: domain.value, deviceId: device.deviceId })
        }
        done={done}
      />
    </details>
  );
}
