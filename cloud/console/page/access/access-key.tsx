import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Input, Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { makeKeyPair } from '../../client/key-pair.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Field } from '../../component/field.tsx';
import { Leaving } from '../../component/leave.tsx';
import { Stale } from '../../component/notice.tsx';
import { saveFile } from '../../component/save-file.ts';
import { LastAct } from './last-act.tsx';
import { ScopeText } from './token-scope.tsx';

type Key = Operations['getProvisioningApikey']['answer']['apikeys'][number];
type Request = Input<'postProvisioningApikey'>['body'];
type Algorithm = Request['alg'];

const ALGORITHMS: readonly Algorithm[] = ['ES256', 'EdDSA', 'RS256'];
/** The algorithm of a pair that the browser makes. */
const MADE: Algorithm = 'ES256';

interface Made {
  readonly kid: string;
  readonly privatePem: string;
  /** The key that the new one follows. */
  readonly follows?: string;
}

/** Public keys of programs that sign their own tokens: registered, rotated and removed. */
export function Keys() {
  const { t } = useLingui();
  const [made, setMade] = useState<Made | undefined>();
  const live = useLive(
    () => api.call('getProvisioningApikey', { domain: domain.value, limit: '100' }),
    [domain.value],
    30_000,
    [],
    'keys',
  );
  const { value, at, failure, again } = live;
  const register = async (body: Omit<Request, 'publicKey' | 'alg'>, follows?: Key) => {
    const pair = await makeKeyPair();
    const { privatePem, publicPem: publicKey } = pair;
    const answer = await api.call('postProvisioningApikey', {
      domain: domain.value,
      body: { ...body, publicKey, alg: MADE },
    });
    if (answer.ok)
      setMade({
        ...{ kid: answer.value.kid, privatePem },
        ...(follows === undefined ? {} : { follows: follows.name ?? follows.kid }),
      });
    return answer;
  };
  return (
    <section>
      <h2>
        <Trans>API keys</Trans>
      </h2>
      <p className="dim">
        <Trans>Public keys of programs that sign their own tokens.</Trans>
      </p>
      <Stale failure={failure} at={at} />
      {value?.apikeys.length === 0 && (
        <p className="dim">
          <Trans>
            None yet. A program with a key of its own keeps no secret of this platform.{' '}
            <code>carillon key add</code> registers one from a file.
          </Trans>
        </p>
      )}
      {made !== undefined && <MadeKey made={made} />}
      {value !== undefined && value.apikeys.length > 0 && (
        <CardTable columns={[t`Name`, t`Algorithm`, t`Registered`, t`Last action`]} acts>
          <tbody>
            {value.apikeys.map((key) => (
              <tr key={key.kid}>
                <td>
                  <strong>{key.name ?? key.kid}</strong>
                  <div className="dim">
                    <code>{key.kid}</code>
                  </div>
                </td>
                <td>
                  {key.alg}{' '}
                  <div className="dim">
                    <ScopeText scope={key.scope} />
                  </div>
                </td>
                <td>{key.createdAt !== undefined && <Ago at={key.createdAt} />}</td>
                <td>
                  <LastAct actor={`key:${key.kid}`} />
                </td>
                <td>
                  {mayProvision.value && (
                    <div className="acts">
                      <Act plain label={t`Rotate`} run={() => register(copied(key), key)} done={again} />
                      <Leaving
                        label={t`Remove`}
                        run={(leave) =>
                          api.call('deleteProvisioningApikeyByKid', {
                            ...{ domain: domain.value, kid: key.kid },
                            ...leave,
                          })
                        }
                        done={again}
                      />
                    </div>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
      {mayProvision.value && <NewKey make={(name) => register(name === '' ? {} : { name })} done={again} />}
    </section>
  );
}

/** Name and scope go on; the id of a key is its own. */
const copied = ({ name, scope }: Key) => ({
  ...(name === undefined ? {} : { name }),
  ...(scope === undefined ? {} : { scope }),
});

/** The private key, this once, and what to do with it. */
function MadeKey({ made: { kid, privatePem, follows } }: { readonly made: Made }) {
  const { t } = useLingui();
  return (
    <div className="notice" role="status">
      <p className="flat">
        <Trans>
          The key <code>{kid}</code> is registered. Its private part was made in this browser and is shown
          this once.
        </Trans>{' '}
        {follows !== undefined && (
          <Trans>
            The key before it, {follows}, is still accepted: give the program the new one, then remove the old
            one.
          </Trans>
        )}
      </p>
      <pre>{privatePem}</pre>
      <button
        type="button"
        className="plain"
        onClick={() => saveFile(privatePem, `${kid}.pem`, 'application/x-pem-file')}
      >
        {t`Save it as a file`}
      </button>
    </div>
  );
}

/** Registers a key: a new pair, or the public key of a program that has made its own. */
function NewKey(props: {
  readonly make: (name: string) => ReturnType<typeof api.call<'postProvisioningApikey'>>;
  readonly done: () => void;
}) {
  const { t } = useLingui();
  const [name, setName] = useState('');
  const [pem, setPem] = useState('');
  const [alg, setAlg] = useState<Algorithm>(MADE);
  const done = (): void => {
    setName('');
    setPem('');
    props.done();
  };
  const named = name.trim() === '' ? {} : { name: name.trim() };
  return (
    <>
      <div className="line">
        <Field label={t`Name of a new key`} value={name} onChange={setName} />
        <Act label={t`Make a pair of keys`} run={() => props.make(name.trim())} done={done} />
      </div>
      <details>
        <summary>
          <Trans>The program has made its own pair</Trans>
        </summary>
        <label>
          <Trans>Public key, PEM</Trans>
          <textarea rows={5} value={pem} onChange={(event) => setPem(event.currentTarget.value)} />
        </label>
        <div className="line">
          <label>
            <Trans>Algorithm</Trans>
            <select value={alg} onChange={(event) => setAlg(event.currentTarget.value as Algorithm)}>
              {ALGORITHMS.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
          <Act
            label={t`Register it`}
            disabled={pem.trim() === ''}
            run={() =>
              api.call('postProvisioningApikey', {
                domain: domain.value,
                body: { ...named, publicKey: pem, alg },
              })
            }
            done={done}
          />
        </div>
      </details>
    </>
  );
}
