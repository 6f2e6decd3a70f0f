import { useLingui } from '@lingui/react';
import { stateName } from './wording/state-words.ts';

/** How much a state wants to be looked at; each has a colour, a sign and its word, so that none of them alone carries it. */
type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'idle';

const SIGNS: Readonly<Record<Tone, string>> = { good: '●', busy: '◐', warn: '▲', bad: '■', idle: '○' };

const TONES: Readonly<Record<string, Tone>> = {
  online: 'good',
  cleared: 'good',
  active: 'bad',
  critical: 'bad',
  major: 'bad',
  offline: 'bad',
  quarantined: 'bad',
  degraded: 'warn',
  unstable: 'warn',
  warning: 'warn',
  acknowledged: 'warn',
  commissioning: 'busy',
  draining: 'busy',
  invited: 'busy',
  running: 'busy',
  pending: 'busy',
  blocked: 'warn',
  failed: 'bad',
  error: 'bad',
  warn: 'warn',
  done: 'good',
  passed: 'good',
};

/** `text`: the words for it, where the state has others than its usual ones. */
export function Badge({ word, text }: { readonly word: string; readonly text?: string }) {
  const { i18n } = useLingui();
  const tone = TONES[word] ?? 'idle';
  return (
    <span className={`badge ${tone}`}>
      <span aria-hidden="true">{SIGNS[tone]}</span> {text ?? i18n._(stateName(word))}
    </span>
  );
}
