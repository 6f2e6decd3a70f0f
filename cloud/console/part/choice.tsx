import type { Signal } from '@preact/signals';

/** One of a few words, all of them in sight. */
export function Choice<Word extends string>(props: {
  readonly name: string;
  readonly words: readonly Word[];
  readonly chosen: Signal<Word>;
}) {
  return (
    <fieldset class="choice" aria-label={props.name}>
      {props.words.map((word) => (
        <button
          key={word}
          type="button"
          aria-pressed={word === props.chosen.value}
          onClick={() => {
            props.chosen.value = word;
          }}
        >
          {word}
        </button>
      ))}
    </fieldset>
  );
}
