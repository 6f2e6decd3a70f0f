import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import type { HostPath } from '../../client/host-detail.ts';
import { mayHandle } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Head } from '../../component/head.tsx';

interface Letter {
  readonly id: string;
  readonly type: string;
  readonly dest: string;
  readonly createdAt: number;
  readonly attempts: number;
  readonly lastError: string | null;
}

/** Callbacks that a host has given up, and the way to send them again. */
export function Outbox({ path }: { readonly path: HostPath }) {
  const { t } = useLingui();
  const [letters, setLetters] = useState<readonly Letter[] | undefined>(undefined);
  const [more, setMore] = useState(false);
  const [said, setSaid] = useState('');

  const ask = (op: 'outbox.list' | 'outbox.replay', args: Record<string, unknown>) =>
    api.call('postSiteByDomainBySiteIdHostByHostIdRpc', { ...path, body: { op, args } });
  const list = async () => {
    setSaid('');
    const answer = await ask('outbox.list', {});
    if (answer.ok) {
      setLetters(answer.value.data.letters as readonly Letter[]);
      setMore(answer.value.data.after !== undefined);
    }
    return answer;
  };
  const replay = (args: Record<string, unknown>) => async () => {
    const answer = await ask('outbox.replay', args);
    if (!answer.ok) return answer;
    const { taken } = answer.value.data;
    const shown = await list();
    setSaid(
      t`${String(taken)} sent again, each under its own Idempotency-Key. A delivery that fails again returns to this list.`,
    );
    return shown;
  };

  return (
    <section>
      <h3>
        <Trans>Callbacks given up</Trans>
      </h3>
      <p className="acts">
        <Act plain label={t`Look`} run={list} />
        {mayHandle.value && (letters?.length ?? 0) > 0 && (
          <Act plain label={t`Send all again`} run={replay({})} />
        )}
      </p>
      <p className="dim flat" aria-live="polite">
        {said} {letters?.length === 0 && t`Nothing is given up.`}
      </p>
      {letters !== undefined && letters.length > 0 && (
        <table className="small">
          <Head
            columns={[
              t`What`,
              t({ context: 'destination', message: 'To' }),
              t({ context: 'begin', message: 'From' }),
              t`Why`,
            ]}
            acts
          />
          <tbody>
            {letters.map((letter) => (
              <tr key={letter.id}>
                <td>{letter.type}</td>
                <td>{letter.dest}</td>
                <td>
                  <Ago at={letter.createdAt} />
                </td>
                <td>
                  <Plural value={letter.attempts} one="# attempt" other="# attempts" />,{' '}
                  {letter.lastError ?? t`no reason is known`}
                </td>
                <td>
                  {mayHandle.value && <Act plain label={t`Send again`} run={replay({ ids: [letter.id] })} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more && (
        <p className="dim">
          <Trans>There are more; the oldest are shown.</Trans>
        </p>
      )}
    </section>
  );
}
