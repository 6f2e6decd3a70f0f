import type { ChildMessage } from '../support/child-process.ts';

/** The child's side: what it says when it is up, how it answers, how it ends. */
export interface Served<Ready, Ask, Answer> {
  readonly ready: Ready;
  readonly answer: (question: Ask) => Answer | Promise<Answer>;
  readonly close: () => Promise<void>;
}

type FromParent<Setting, Ask> =
  | { readonly kind: 'setting'; readonly setting: Setting }
  | { readonly kind: 'ask'; readonly question: Ask }
  | { readonly kind: 'stop' };

/** Runs `start` with the setting the parent sends and serves its questions until it says stop or ends. */
export function serveParent<Setting, Ready, Ask, Answer>(
  start: (setting: Setting) => Promise<Served<Ready, Ask, Answer>>,
): void {
  let served: Served<Ready, Ask, Answer> | undefined;
  const tell = (message: ChildMessage<Ready, Answer>) => process.send?.(message);
  const take = async (message: FromParent<Setting, Ask>): Promise<void> => {
    if (message.kind === 'setting') {
      served = await start(message.setting);
      tell({ kind: 'ready', ready: served.ready });
    } else if (message.kind === 'ask' && served !== undefined) {
      tell({ kind: 'answer', answer: await served.answer(message.question) });
    } else {
      await served?.close();
      process.exit(0);
    }
  };
  process.on('message', (message) => {
    take(message as FromParent<Setting, Ask>).catch((cause: unknown) =>
      tell({
        kind: 'failed',
        reason: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
      }),
    );
  });
  process.on('disconnect', () => process.exit(1));
}
