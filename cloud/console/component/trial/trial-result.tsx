import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Operations } from '#shared/client/index.ts';
import { linkTo } from '../../client/route.ts';
import { Ago } from '../age.tsx';
import { Head } from '../head.tsx';
import { PageLink } from '../page-link.tsx';
import { changeOf, type FieldKind, fieldKinds, recordOf } from './trial-change.ts';

export type Trial = Operations['postProvisioningConfigurationTryonhistory']['answer'];
type Difference = Trial['differences'][number];

/** The effect of a draft on the alarms of the last days: sentences, examples, and the hosts that are missing. */
export function TrialResult({ trial }: { readonly trial: Trial }) {
  const { t, i18n } = useLingui();
  const { tried, differences, hosts, from } = trial;
  const total = i18n.number(tried);
  const changed = changeOf(trial);
  const hasFields = differences.some(({ fields }) => fields.length > 0);
  return (
    <section aria-label={t`Result of the trial`}>
      <p className={changed === 0 ? 'notice' : 'notice warn'} role="status">
        {tried === 0 ? (
          <Trans>No host has an alarm of this time, so that the draft could be tried on none.</Trans>
        ) : changed === 0 ? (
          <Trans>Nothing would have changed: all {total} alarms go the same way with the draft.</Trans>
        ) : (
          <Trans>
            <Plural value={changed} one="# alarm" other="# alarms" /> of {total} would have taken another way
            or got another callback.
          </Trans>
        )}
      </p>
      {differences.length > 0 && (
        <table className="trial">
          <Head columns={[t`Difference`, ...(hasFields ? [t`Members that differ`] : []), t`Examples`]} />
          <tbody>
            {differences.map((each) => (
              <tr key={JSON.stringify([each.effect, each.before?.id, each.after?.id, each.fields])}>
                <td>
                  <Sentence of={each} />
                </td>
                {hasFields && (
                  <td>
                    <Fields of={each} />
                  </td>
                )}
                <td>
                  {each.examples.slice(0, 5).map(({ traceId, at }) => (
                    <div key={traceId}>
                      <a href={`${linkTo('record')}${recordOf(traceId, at)}`}>
                        <Ago at={at} />
                      </a>
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="dim">
        <Trans>
          Alarms since <Ago at={from} />, on <Plural value={hosts.length} one="# host" other="# hosts" />. The
          draft is compared with the receivers in service now.
        </Trans>
      </p>
      <Limits trial={trial} />
    </section>
  );
}

function Sentence({ of: { effect, before, after, alarms } }: { readonly of: Difference }) {
  const count = <Plural value={alarms} one="# alarm" other="# alarms" />;
  const from = <Receiver of={before} />;
  const to = <Receiver of={after} />;
  switch (effect) {
    case 'refused':
      return (
        <Trans>
          {count} would have been refused, and not taken by {from}.
        </Trans>
      );
    case 'dropped':
      return (
        <Trans>
          {count} would have been dropped by the event map of {to}.
        </Trans>
      );
    case 'receiver':
      return (
        <Trans>
          {count} would have reached {to} instead of {from}.
        </Trans>
      );
    case 'changed':
      return (
        <Trans>
          {count} would have got another callback from {to}.
        </Trans>
      );
    case 'taken':
      return (
        <Trans>
          {count} would have been taken by {to}, and no receiver takes them today.
        </Trans>
      );
  }
}

const Receiver = ({ of }: { readonly of: Difference['before'] }) =>
  of === undefined ? null : (
    <PageLink page="bridge" rest={of.id}>
      <strong>{of.name}</strong>
    </PageLink>
  );

function Fields({ of }: { readonly of: Difference }) {
  const { t } = useLingui();
  const words: Readonly<Record<FieldKind, string>> = {
    protocol: t`This receiver expects another protocol and may not understand the alarm.`,
    callbackBaseUrl: t`Another application gets it.`,
    alarmEventMapperId: t`Another event sender sends it on.`,
    device: t`It belongs to another device.`,
    drop: t`The application gets it, and the event map in service drops it.`,
  };
  const { known, members } = fieldKinds(of.fields);
  return (
    <>
      {known.map((kind) => (
        <div key={kind}>{words[kind]}</div>
      ))}
      {members.map((path) => (
        <div key={path}>
          <code>{path}</code>
        </div>
      ))}
    </>
  );
}

/** The alarms that are not in the sums, and why. */
function Limits({ trial: { cut, untried, others, missingHosts, olderHosts } }: { readonly trial: Trial }) {
  return (
    <ul className="dim flat">
      {missingHosts.map(({ siteId, hostId, reason }) => (
        <li key={`${siteId}/${hostId}`}>
          <Trans>
            <PageLink page="host" rest={`${siteId}/${hostId}`}>
              {hostId}
            </PageLink>{' '}
            gave no answer, and its alarms are not counted: {reason}
          </Trans>
        </li>
      ))}
      {olderHosts.map(({ siteId, hostId }) => (
        <li key={`${siteId}/${hostId}`}>
          <Trans>
            <PageLink page="host" rest={`${siteId}/${hostId}`}>
              {hostId}
            </PageLink>{' '}
            runs a version that cannot try a draft, and its alarms are not counted. Upgrade it.
          </Trans>
        </li>
      ))}
      {cut && (
        <li>
          <Trans>A host has more alarms than one trial looks at; the newest were tried.</Trans>
        </li>
      )}
      {untried > 0 && (
        <li>
          <Plural
            value={untried}
            one="The arrival of # alarm is not stored, so that it was not tried."
            other="The arrivals of # alarms are not stored, so that they were not tried."
          />
        </li>
      )}
      {others > 0 && (
        <li>
          <Plural
            value={others}
            one="# more alarm differs in another way."
            other="# more alarms differ in other ways."
          />
        </li>
      )}
    </ul>
  );
}
