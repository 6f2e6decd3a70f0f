/** One of a few words, all of them in sight. */
export function Choice<Word extends string>(props: {
  readonly name: string;
  readonly words: readonly Word[];
  readonly chosen: Word;
  /** The words in the language of the person; absent: they are shown as they are. */
  readonly texts?: Readonly<Record<Word, string>>;
  readonly onChoose: (word: Word) => void;
}) {
  return (
    <fieldset className="choice" aria-label={props.name}>
      {props.words.map((word) => (
        <button
          key={word}
          type="button"
          aria-pressed={word === props.chosen}
          onClick={() => props.onChoose(word)}
        >
          {props.texts?.[word] ?? word}
        </button>
      ))}
    </fieldset>
  );
}
