import { readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type NetworkOutcome, networkOutcomeSchema } from '#shared/contract/feed/index.ts';
import { type Log, layBefore } from '../io/system/index.ts';

/** The outcome that root leaves in the folder of state (`networkOutcomeSchema`). */
const OUTCOME = 'network-outcome.json';
/** The raised alarm; kept over restarts, so that it is cleared in any case. */
const RAISED = 'network-alarm.json';

interface AlarmParts {
  readonly data: string;
  /** A fault of service `network`; undefined = there is none any more. */
  readonly fault: (message: string | undefined) => void;
  readonly log: Log;
}

export interface NetworkAlarm {
  /** To be called again and again: this program gets no signal that root has written. */
  readonly look: () => Promise<void>;
  /** The control plane wishes no addresses any more: the outcome of its last wish does not matter any more. */
  readonly withdrawn: () => Promise<void>;
}

/**
 * The alarm about a change of the network that came to nothing:
 *
 *     quiet ── outcome with another code than 0 ──▶ raised ── outcome 0, or the wish is withdrawn ──▶ quiet
 */
export function networkAlarm({ data, fault, log }: AlarmParts): NetworkAlarm {
  const outcomeFile = join(data, OUTCOME);
  const raisedFile = join(data, RAISED);
  let begun = false;
  let raised = false;
  let seen = '';

  /** The table of conditions is empty at each start of the program; the alarm is not. */
  function begin(): void {
    begun = true;
    const message = messageIn(raisedFile);
    if (message === undefined) return;
    raised = true;
    fault(message);
  }

  async function clear(): Promise<void> {
    if (!raised) return;
    raised = false;
    fault(undefined);
    await rm(raisedFile, { force: true });
  }

  return {
    look: async () => {
      if (!begun) begin();
      const mark = markOf(outcomeFile);
      if (mark === undefined || mark === seen) return;
      seen = mark;
      const outcome = outcomeIn(outcomeFile);
      if (outcome === undefined)
        return log(
          'warn',
          'network_request.outcome_read_failed',
          'Could not read the outcome of a network request',
          { outcomeFile, reason: 'the file is no JSON object with the fields of an outcome' },
        );
      if (outcome.code === 0) return await clear();
      // A twin that could not be read gives no addresses.
      const [first, ...more] = outcome.networkInterfaces;
      const named = first === undefined ? '' : ` (${[first, ...more].join(', ')})`;
      const message = `The addresses of the control plane${named} are not in force: ${outcome.sentence}`;
      raised = true;
      fault(message);
      await layBefore(data, RAISED, { message });
    },
    withdrawn: async () => {
      if (!begun) begin();
      await rm(outcomeFile, { force: true });
      await clear();
    },
  };
}

/** Changes whenever root writes: it writes a second file, then renames it. */
function markOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.mtimeMs}`;
}

function outcomeIn(file: string): NetworkOutcome | undefined {
  return networkOutcomeSchema.safeParse(jsonIn(file)).data;
}

function messageIn(file: string): string | undefined {
  const { message } = (jsonIn(file) ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}
