import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import { ErrorNotice } from '../../component/error-notice.tsx';
import { type Values, words } from '../../component/form/schema.ts';
import { Head } from '../../component/head.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { type Kind, MEDIA_SERVICE, RECEIVER, SENDER } from './kind.ts';
import { readPage } from './resource.ts';
import { type Dialling, type TrunkUser, trunkUsers } from './trunk-user.ts';

/** Each field whose calls may leave by this trunk: a person sees what a change of it changes. */
export function TrunkUsers({ trunk }: { readonly trunk: Values }) {
  const { t } = useLingui();
  const [users, setUsers] = useState<readonly TrunkUser[]>();
  const [failure, setFailure] = useState<CallFailure>();
  useEffect(() => {
    let over = false;
    void readUsers(trunk).then((answer) => {
      if (over) return;
      if (answer.ok) setUsers(answer.value);
      else setFailure(answer.error);
    });
    return () => {
      over = true;
    };
  }, [trunk]);
  const kinds = { receiver: t`Alarm receiver`, sender: t`Event sender`, mediaService: t`Media service` };
  const group = String(trunk.trunkGroupId ?? '');
  return (
    <section className="used-by">
      <h2>
        <Trans>Where it is used</Trans>
      </h2>
      <ErrorNotice failure={failure} />
      {users?.length === 0 && (
        <p className="dim">
          <Trans>No receiver, sender or media service calls a number that leaves by it.</Trans>
        </p>
      )}
      {users !== undefined && users.length > 0 && (
        <table className="small">
          <Head columns={[t`Object`, t`Kind`, t`Field`, t`Number`]} />
          <tbody>
            {users.map(({ kind, id, name, path, destination }) => (
              <tr key={`${kind} ${id} ${path}`}>
                <td>
                  <ObjectLink kind={kind} id={id} name={name} />
                </td>
                <td>{kinds[kind]}</td>
                <td>{words(path.split('/')[1] ?? path)}</td>
                <td>{destination}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="dim">
        {group === '' ? (
          <Trans>
            Calls of devices and programs that name no trunk group may leave by it, too. The trunk with the
            longest prefix of the number goes first.
          </Trans>
        ) : (
          <Trans>
            Calls of devices and programs that name the trunk group {group} may leave by it, too. The trunk
            with the longest prefix of the number goes first.
          </Trans>
        )}
      </p>
    </section>
  );
}

async function readUsers(trunk: Values) {
  const receiver = await readAll(RECEIVER);
  if (!receiver.ok) return receiver;
  const sender = await readAll(SENDER);
  if (!sender.ok) return sender;
  const mediaService = await readAll(MEDIA_SERVICE);
  if (!mediaService.ok) return mediaService;
  const resources = { receiver: receiver.value, sender: sender.value, mediaService: mediaService.value };
  return { ok: true as const, value: trunkUsers(trunk, resources) };
}

async function readAll(kind: Kind) {
  const all: Dialling[] = [];
  let token: string | undefined;
  do {
    const answer = await readPage(kind, token);
    if (!answer.ok) return answer;
    all.push(...answer.value.items);
    token = answer.value.nextToken;
  } while (token !== undefined);
  return { ok: true as const, value: all };
}
