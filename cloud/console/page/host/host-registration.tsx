import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import type { HostPath } from '../../client/host-detail.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Head } from '../../component/head.tsx';

interface Contact {
  readonly uri: string;
  readonly transport?: string;
  readonly userAgent: string;
  readonly registeredAt: number;
  readonly expiresAt: number;
}

interface Found {
  readonly devices: readonly { readonly deviceId: string; readonly contacts: readonly Contact[] }[];
  readonly of: number;
  readonly more: boolean;
}

/** The present registrations at a host, with their origin and end. */
export function Registrations({ path }: { readonly path: HostPath }) {
  const { t, i18n } = useLingui();
  const [match, setMatch] = useState('');
  const [found, setFound] = useState<Found | undefined>(undefined);

  const look = async () => {
    const body = { op: 'sip.registrations', args: { match: match.trim() } } as const;
    const answer = await api.call('postSiteByDomainBySiteIdHostByHostIdRpc', { ...path, body });
    if (answer.ok) setFound(answer.value.data as unknown as Found);
    return answer;
  };
  const { devices, of, more } = found ?? { devices: [], of: 0, more: false };
  return (
    <section>
      <h3>
        <Trans>Registered telephones and devices</Trans>
      </h3>
      <form className="line" onSubmit={(event) => event.preventDefault()}>
        <label>
          <Trans>Part of its id</Trans>
          <input
            value={match}
            placeholder={t`all`}
            onChange={(event) => {
              setMatch(event.currentTarget.value);
            }}
          />
        </label>
        <Act plain label={t`Show`} run={look} />
      </form>
      <p className="dim flat" aria-live="polite">
        {found !== undefined &&
          (devices.length === 0
            ? t`None of the ${of} that are registered.`
            : t`${devices.length} of ${of}.`)}{' '}
        {more && t`There are more: say more of the id.`}
      </p>
      {devices.length > 0 && (
        <table className="small">
          <Head columns={[t`Device`, t`Contact`, t`By`, t`Program`, t`Registered`, t`Until`]} />
          <tbody>
            {devices.flatMap(({ deviceId, contacts }) =>
              contacts.map((contact) => (
                <tr key={`${deviceId} ${contact.uri}`}>
                  <td>{deviceId}</td>
                  <td>{contact.uri}</td>
                  <td>{contact.transport ?? t`its connection is closed`}</td>
                  <td>{contact.userAgent}</td>
                  <td>
                    <Ago at={contact.registeredAt} />
                  </td>
                  <td>{i18n.date(contact.expiresAt, { timeStyle: 'medium' })}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      )}
    </section>
  );
}
