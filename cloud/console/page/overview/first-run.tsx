import { Trans, useLingui } from '@lingui/react/macro';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { PageLink } from '../../component/page-link.tsx';

const STEP_MS = 10_000;

/** The steps from nothing to the first alarm of a device; nothing once one has arrived. */
export function FirstRun({ sites, online }: { readonly sites: number; readonly online: number }) {
  const { t } = useLingui();
  const { value } = useLive(() => begun(domain.value), [domain.value], STEP_MS, ['host']);
  if (value === undefined || value.hasAlarm) return null;
  const steps = [
    {
      isDone: sites > 0,
      page: 'fleet',
      name: t`Create a site`,
      hint: t`A site is one place with its hosts.`,
    },
    {
      isDone: online > 0,
      page: 'fleet',
      name: t`Connect a host`,
      hint: t`"Add a host" shows a claim code; the host enters it and connects.`,
    },
    {
      isDone: value.hasReceiver,
      page: 'bridge',
      name: t`Create an alarm receiver`,
      hint: t`It says which alarms are understood how, and which application is notified.`,
    },
    {
      isDone: value.hasDevice,
      page: 'device-wizard',
      name: t`Create a device`,
      hint: t`Its name and authentication are typed into the device too.`,
    },
    {
      isDone: false,
      page: 'device',
      name: t`Press the button of the device`,
      hint: t`Its alarm appears below within two seconds.`,
    },
  ] as const;
  return (
    <section className="first-run">
      <h2>
        <Trans>The way to the first alarm</Trans>
      </h2>
      <p className="dim flat">
        <Trans>This list goes as soon as the alarm of a provisioned device has arrived.</Trans>
      </p>
      <ol>
        {steps.map(({ isDone, page, name, hint }) => (
          <li key={name}>
            <span aria-hidden="true">{isDone ? '●' : '○'}</span>{' '}
            <span className="unseen">{isDone ? t`done:` : t`to do:`}</span>{' '}
            <PageLink page={page}>{name}</PageLink> <span className="dim">{hint}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface Begun {
  readonly hasAlarm: boolean;
  readonly hasReceiver: boolean;
  readonly hasDevice: boolean;
}

/** Steps of the way to the first alarm that are done; asked in turn, since each is a small question. */
async function begun(of: string): Promise<Result<Begun, CallFailure>> {
  const alarms = await api.call('getRecordByDomain', { domain: of, kind: 'alarm', from: '0', limit: '100' });
  if (!alarms.ok) return alarms;
  const hasAlarm = alarms.value.records.some(({ deviceId }) => deviceId !== undefined);
  if (hasAlarm) return { ok: true, value: { hasAlarm, hasReceiver: true, hasDevice: true } };
  const bridges = await api.call('getProvisioningAlarmbridge', { domain: of, limit: '1' });
  if (!bridges.ok) return bridges;
  const devices = await api.call('getProvisioningDevice', { domain: of, limit: '1' });
  if (!devices.ok) return devices;
  const hasReceiver = bridges.value.alarmbridges.length > 0;
  return {
    ok: true,
    value: { hasAlarm, hasReceiver, hasDevice: devices.value.devices.length > 0 },
  };
}
