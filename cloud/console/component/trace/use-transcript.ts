import { useEffect, useState } from 'react';
import { type Transcript, withAdded } from './transcript.ts';

export interface FollowedTranscript {
  readonly transcript: Transcript | undefined;
  /** More words may come. */
  readonly isLive: boolean;
  /** The stream was refused, or is lost; it is opened again by a person alone, since each look stands in the audit log. */
  readonly hasFailed: boolean;
}

const NOTHING: FollowedTranscript = { transcript: undefined, isLive: false, hasFailed: false };

/** Follows the words of a session until its last recording is over. `isOn`: a person wants them. */
export function useTranscript(domain: string, recordId: string, isOn: boolean): FollowedTranscript {
  const [followed, setFollowed] = useState(NOTHING);
  useEffect(() => {
    setFollowed(NOTHING);
    if (!isOn) return undefined;
    const path = ['record', domain, recordId, 'transcript', 'stream'].map(encodeURIComponent).join('/');
    const stream = new EventSource(`/${path}`);
    const take = (isLive: boolean) => (event: MessageEvent<string>) => {
      const added = JSON.parse(event.data) as Transcript;
      setFollowed(({ transcript }) => ({
        ...{ transcript: withAdded(transcript, added), isLive, hasFailed: false },
      }));
      if (!isLive) stream.close();
    };
    stream.addEventListener('words', take(true));
    stream.addEventListener('end', take(false));
    stream.addEventListener('error', () => {
      stream.close();
      setFollowed((before) => ({ ...before, isLive: false, hasFailed: true }));
    });
    return () => stream.close();
  }, [domain, recordId, isOn]);
  return followed;
}
