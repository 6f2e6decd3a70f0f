import { useSignal } from '@preact/signals';
import { api } from '../../client/api.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Act } from '../../part/act.tsx';
import { Ago } from '../../part/age.tsx';
import { Badge } from '../../part/badge.tsx';
import { Dialog } from '../../part/dialog.tsx';
import { Head } from '../../part/head.tsx';
import { More, usePages } from '../../part/more.tsx';
import { Empty, Stale } from '../../part/notice.tsx';
import { type Device, DeviceForm } from './device-form.tsx';
import { DeviceImport } from './device-import.tsx';

/** Devices by the beginning of their id. */
export function DevicePage() {
  const wanted = useSignal('');
  const open = useSignal<Device | 'new' | undefined>(undefined);
  const importing = useSignal(false);
  const paged = usePages(
    async (nextToken) => {
      const answer = await api.call('getProvisioningDevice', {
        domain: domain.value,
        limit: '50',
        ...(wanted.value === '' ? {} : { filter: wanted.value }),
        ...(nextToken === undefined ? {} : { nextToken }),
      });
      if (!answer.ok) return answer;
      return { ok: true, value: { items: answer.value.devices, nextToken: answer.value.nextToken } };
    },
    [domain.value, wanted.value],
  );
  const { items, failure, loading, again } = paged.value;
  const close = (): void => {
    open.value = undefined;
    again();
  };
  return (
    <>
      <header class="page">
        <h1>Devices</h1>
        <input
          type="search"
          aria-label="Find a device by the beginning of its id"
          placeholder="Id begins with…"
          value={wanted.value}
          onInput={(event) => {
            wanted.value = event.currentTarget.value.trim();
          }}
        />
        {mayProvision.value && (
          <>
            <button
              type="button"
              onClick={() => {
                open.value = 'new';
              }}
            >
              Add a device
            </button>
            <button
              type="button"
              class="plain"
              onClick={() => {
                importing.value = true;
              }}
            >
              Import from CSV
            </button>
          </>
        )}
      </header>
      <Stale failure={failure} at={0} />
      {!loading && items.length === 0 && failure === undefined && (
        <Empty>
          <h2>{wanted.value === '' ? 'No devices yet' : `None begins with ${wanted.value}`}</h2>
          <p>
            Many at once come from a file: &quot;Load from CSV&quot;, or <code>carillon device bulk</code>.
          </p>
        </Empty>
      )}
      {items.length > 0 && (
        <table>
          <Head columns={['Device', 'Kind', 'Proves itself by', 'Heartbeat', 'Configured']} />
          <tbody>
            {items.map((device) => (
              <tr key={device.deviceId}>
                <td>
                  <button
                    type="button"
                    class="link"
                    onClick={() => {
                      open.value = device;
                    }}
                  >
                    {device.deviceId}
                  </button>
                  <div class="dim">{device.description}</div>
                </td>
                <td>{device.deviceType ?? 'sipDevice'}</td>
                <td>{device.authType}</td>
                <td>
                  {device.heartbeatStatus === undefined ? (
                    <span class="dim">not watched</span>
                  ) : (
                    <Badge word={device.heartbeatStatus} />
                  )}
                </td>
                <td>{device.lastConfigured !== undefined && <Ago at={device.lastConfigured} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <More paged={paged.value} />
      {importing.value && (
        <Dialog
          title="Import devices from CSV"
          onClose={() => {
            importing.value = false;
            again();
          }}
        >
          <DeviceImport done={again} />
        </Dialog>
      )}
      {open.value !== undefined && (
        <Dialog title={open.value === 'new' ? 'Add a device' : open.value.deviceId} onClose={close}>
          <DeviceForm device={open.value === 'new' ? undefined : open.value} done={close} />
          {open.value !== 'new' && mayProvision.value && <Remove device={open.value} done={close} />}
        </Dialog>
      )}
    </>
  );
}

function Remove({ device, done }: { readonly device: Device; readonly done: () => void }) {
  const sure = useSignal('');
  return (
    <details class="danger">
      <summary>Delete this device</summary>
      <p>It can no longer register, and its alarms come as those of an unknown unit.</p>
      <label>
        Type <strong>{device.deviceId}</strong> to confirm
        <input
          value={sure.value}
          onInput={(event) => {
            sure.value = event.currentTarget.value;
          }}
        />
      </label>
      <Act
        label="Delete"
        danger
        disabled={sure.value !== device.deviceId}
        run={() =>
          api.call('deleteProvisioningDeviceByDeviceId', { domain: domain.value, deviceId: device.deviceId })
        }
        done={done}
      />
    </details>
  );
}
