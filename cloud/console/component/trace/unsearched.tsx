import { Trans } from '@lingui/react/macro';
import { useCallback, useState } from 'react';
import type { CallFailure, Operations } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';

type Answer = Operations['getRecordByDomain']['answer'];
interface TranscriptSearch {
  readonly hosts?: Answer['hosts'] | undefined;
  readonly cut?: boolean | undefined;
}
type Searched = Result<TranscriptSearch, CallFailure>;

/** The hosts of the newest search in transcripts, and what takes them from each answer. */
export function useSearched(): readonly [
  search: TranscriptSearch,
  searched: <Given extends Searched>(answer: Given) => Given,
] {
  const [search, setSearch] = useState<TranscriptSearch>({});
  const searched = useCallback(<Given extends Searched>(answer: Given): Given => {
    setSearch(answer.ok ? { hosts: answer.value.hosts, cut: answer.value.cut } : {});
    return answer;
  }, []);
  return [search, searched];
}

/** The hosts that a search in transcripts has not seen: a person must not take a short list for a whole one. */
export function Unsearched(props: { readonly search: TranscriptSearch; readonly isAsked: boolean }) {
  const { hosts = [], cut } = props.search;
  if (!props.isAsked) return null;
  const missing = hosts.filter(({ state }) => state === 'away' || state === 'failed');
  return (
    <>
      {missing.map(({ hostId, reason }) => (
        <p key={hostId} className="notice" role="status">
          {reason === undefined ? (
            <Trans>Host {hostId} is not connected: its words were not searched.</Trans>
          ) : (
            <Trans>
              Host {hostId} has not searched its words: {reason}.
            </Trans>
          )}
        </p>
      ))}
      {cut === true && (
        <p className="notice" role="status">
          <Trans>A host has more matches than it gave. Choose a shorter time.</Trans>
        </p>
      )}
    </>
  );
}
