import { useLingui } from '@lingui/react/macro';
import { offset } from '../../component/trace/lane.ts';
import type { RecordingMark } from '../../component/trace/recording-mark.ts';
import { STEP_WORDS } from './step-words.ts';

/** The words of a mark: its place, its step, and its digits. */
export function useMarkText(): (mark: RecordingMark) => string {
  const { t } = useLingui();
  return ({ atMs, kind, tones }) => {
    const words = STEP_WORDS[kind];
    return [offset(atMs), words === undefined ? kind : t(words), tones].filter(Boolean).join(' · ');
  };
}
