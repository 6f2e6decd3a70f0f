import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { makeKeyPair } from '../../client/key-pair.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { saveFile } from '../../component/save-file.ts';
import { WhoMay } from '../../component/who-may.tsx';
import { useKindWords } from '../setup/kind-words.ts';
import { isPatched, patch, readSigned, type Signed } from './credential.ts';
import { additionOf, removalOf } from './credential-patch.ts';

const STEP_MS = 30_000;

interface Made {
  readonly name: string;
  readonly publicPem: string;
  /** Callbacks had no signature before. */
  readonly isFirst: boolean;
}

/** The keys by which callbacks are signed, by resource, and their rotation. */
export function CredentialPage() {
  const { t } = useLingui();
  const [made, setMade] = useState<Made | undefined>();
  const live = useLive(readSigned, [domain.value], STEP_MS);
  const { value: signed, failure, at, again } = live;
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Callback keys</Trans>
        </h1>
        <p className="dim about">
          <Trans>
            Each callback carries a signature, by which your application knows that it comes from here.
          </Trans>
        </p>
      </header>
      <WhoMay need="provision" />
      <Stale failure={failure} at={at} />
      {made !== undefined && <PublicKey made={made} />}
      {signed?.length === 0 && (
        <EmptyState
          title={t`Nothing has callbacks yet`}
          action={
            <PageLink page="bridge" rest="new" className="button">
              <Trans>Create an alarm receiver</Trans>
            </PageLink>
          }
          command={`curl ${location.origin}/provisioning/alarmbridge/${domain.value}`}
        >
          <Trans>
            Alarm receivers, media services and cloud user agents notify an application. Their keys stand here
            as soon as one of them exists.
          </Trans>
        </EmptyState>
      )}
      {signed !== undefined && signed.length > 0 && (
        <CardTable columns={[t`Resource`, t`Kind`, t`Signs with`]} acts>
          <tbody>
            {signed.map((each) => (
              <Row key={`${each.kind.page} ${each.id}`} signed={each} again={again} onMade={setMade} />
            ))}
          </tbody>
        </CardTable>
      )}
    </>
  );
}

function Row(props: {
  readonly signed: Signed;
  readonly again: () => void;
  readonly onMade: (made: Made) => void;
}) {
  const { t } = useLingui();
  const { signed, again, onMade } = props;
  const { kind, id, name, credentials } = signed;
  const words = useKindWords(kind);
  const rotate = async () => {
    const { privatePem, publicPem } = await makeKeyPair();
    const answer = await patch(signed, (now) => additionOf(now.credentials, privatePem));
    if (answer.ok) onMade({ name, publicPem, isFirst: credentials.length === 0 });
    return answer;
  };
  return (
    <tr>
      <td>
        <PageLink page={kind.page} rest={id}>
          {name}
        </PageLink>
      </td>
      <td>{words.one}</td>
      <td>
        {credentials.length === 0 && (
          <span className="label warn">
            <Trans>no signature: anybody could send such a callback</Trans>
          </span>
        )}
        {credentials.map(({ type = 'RS256', sub }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is the meaning: the first one signs
          <div key={index}>
            {type} {sub !== undefined && <span className="dim">{sub}</span>}{' '}
            {index > 0 && (
              <span className="dim">
                <Trans>only where the one above is refused</Trans>
              </span>
            )}
          </div>
        ))}
      </td>
      <td>
        {mayProvision.value && !isPatched(kind) && (
          <PageLink page={kind.page} rest={id}>
            <Trans>Change it in its editor</Trans>
          </PageLink>
        )}
        {mayProvision.value && isPatched(kind) && (
          <div className="acts">
            <Act
              plain
              label={credentials.length === 0 ? t`Sign with a new key` : t`Rotate`}
              run={rotate}
              done={again}
            />
            {credentials.length > 1 && (
              <Act
                plain
                label={t`Remove the old ones`}
                run={() => patch(signed, (now) => removalOf(now.credentials))}
                done={again}
              />
            )}
          </div>
        )}
      </td>
    </tr>
  );
}

/** The public key that the application needs, and the two steps that follow. */
function PublicKey({ made: { name, publicPem, isFirst } }: { readonly made: Made }) {
  const { t } = useLingui();
  return (
    <div className="notice" role="status">
      <p className="flat">
        {isFirst ? (
          <Trans>
            {name} signs its callbacks from its next revision on. Give this public key to your application; it
            can refuse callbacks without a signature then.
          </Trans>
        ) : (
          <Trans>
            {name} signs with a new key from its next revision on. Give this public key to your application
            now; until it knows it, its refusal makes the host sign again with the old key. Then remove the
            old one.
          </Trans>
        )}
      </p>
      <pre>{publicPem}</pre>
      <button
        type="button"
        className="plain"
        onClick={() => saveFile(publicPem, 'callback-key.pem', 'application/x-pem-file')}
      >
        {t`Save it as a file`}
      </button>
    </div>
  );
}
