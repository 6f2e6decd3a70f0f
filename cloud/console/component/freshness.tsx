import { Trans, useLingui } from '@lingui/react/macro';
import { isStreaming } from '../client/change.ts';
import { useNow } from '../client/live.ts';
import { useStore } from '../client/store.ts';
import { span } from './age.tsx';

/** An answer older than that is said to be old. */
const FRESH_MS = 45_000;

/** `live` while the stream notifies of every change, else how old what is shown is. `at`: epoch ms of the last answer. */
export function Freshness({ at, isLive = true }: { readonly at: number; readonly isLive?: boolean }) {
  const { t } = useLingui();
  const streams = useStore(isStreaming);
  const age = useNow() - at;
  const live = isLive && streams;
  return (
    <span
      className={`freshness ${live ? 'good' : age > FRESH_MS ? 'bad' : ''}`}
      title={
        live
          ? t`The control plane notifies this page of every change.`
          : t`The page asks for changes every few seconds.`
      }
    >
      <span aria-hidden="true">●</span> {live ? <Trans>live</Trans> : <Trans>{span(age)} old</Trans>}
    </span>
  );
}
