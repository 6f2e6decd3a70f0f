/** As much of a record as says who played a prompt. */
interface PlayedRecord {
  readonly recordId: string;
  /** Epoch ms. */
  readonly at: number;
  readonly receiver?: string | undefined;
  readonly receiverName?: string | undefined;
  readonly prompts?: readonly string[] | undefined;
}

/** A media service that played a prompt lately. */
interface PromptPlayer {
  readonly id: string;
  readonly name: string;
  readonly sessions: number;
  /** Its newest session with the prompt. */
  readonly last: PlayedRecord;
}

/** The services that played a prompt, in order of their newest session; `records`: the newest first. */
export function playersOf(name: string, records: readonly PlayedRecord[]): readonly PromptPlayer[] {
  const played = records.filter(({ prompts }) => prompts?.includes(name) === true);
  return [...Map.groupBy(played, ({ receiver }) => receiver ?? '')].flatMap(([id, own]) => {
    const [last] = own;
    return last === undefined ? [] : [{ id, name: last.receiverName ?? id, sessions: own.length, last }];
  });
}
