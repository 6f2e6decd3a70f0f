import { useSignal } from '@preact/signals';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';

/** A button that does something, says that it is doing it, and what became of it when it was refused. */
export function Act(props: {
  readonly label: string;
  readonly run: () => Promise<Result<unknown, CallFailure>>;
  readonly done?: () => void;
  readonly danger?: boolean;
  /** One of several that are equally likely. */
  readonly plain?: boolean;
  readonly disabled?: boolean;
}) {
  const busy = useSignal(false);
  const refused = useSignal('');
  const press = async (): Promise<void> => {
    busy.value = true;
    refused.value = '';
    const result = await props.run();
    busy.value = false;
    if (result.ok) props.done?.();
    else refused.value = result.error.reason;
  };
  return (
    <span class="act">
      <button
        type="button"
        class={props.danger === true ? 'danger' : props.plain === true ? 'plain' : ''}
        disabled={busy.value || props.disabled === true}
        onClick={() => void press()}
      >
        {busy.value ? 'One moment…' : props.label}
      </button>
      {refused.value !== '' && (
        <span class="refused" role="alert">
          {refused.value}
        </span>
      )}
    </span>
  );
}
