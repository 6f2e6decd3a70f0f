import { copyFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '#shared/result.ts';
import { openReplica } from '../io/config/index.ts';
import { readBundle } from '../io/edge/index.ts';
import { type DeadLetterRow, readDeadLetters } from '../io/sqlite/index.ts';
import {
  confirmed,
  inPlaceOf,
  makeOverride,
  type Override,
  type OverrideRequest,
  standing,
} from '../replica/index.ts';
import { clock } from './adapters.ts';
import { bundleFile } from './bundle.ts';
import { replayFile } from './redelivery.ts';

/**
 * The changes that a person on site may make next to the running appliance, by its folder of state; they take effect within
 * seconds.
 */
export interface OnSite {
  readonly overrides: (folder: string) => Result<readonly Override[]>;
  readonly setOverride: (folder: string, request: OverrideRequest) => Result<Override>;
  /** The network change works: it stays. */
  readonly confirmNetwork: (folder: string) => Result<Override>;
  readonly clearOverride: (folder: string, key: string, by: string) => Result<Override>;
  /** Puts a bundle where the appliance takes it up; its signatures are judged there. */
  readonly applyBundle: (folder: string, file: string) => Result<{ readonly hosts: number }>;
  /** Callbacks that were given up, oldest first. */
  readonly deadLetters: (folder: string, limit: number) => Result<readonly DeadLetterRow[]>;
  /** Lays down that these are to be sent again; absent: all of them. */
  readonly replay: (folder: string, ids: readonly string[] | undefined) => Result<null>;
  /** Whether the appliance has taken up what was laid down. */
  readonly replayTaken: (folder: string) => boolean;
}

export const onSite: OnSite = {
  overrides: (folder) => inReplica(folder, (replica) => ok(standing(replica.overrides()))),
  setOverride: (folder, request) =>
    inReplica(folder, (replica) => {
      const wanted = request.key === 'network' ? networkWanted(replica.twin()) : null;
      const override = makeOverride(request, wanted, clock.wallMs());
      const before = replica.overrides().find(({ key }) => key === request.key);
      if (override.ok) replica.keepOverride(inPlaceOf(before, override.value));
      return override;
    }),
  confirmNetwork: (folder) =>
    inReplica(folder, (replica) => {
      const found = standing(replica.overrides()).find(({ key, trial }) => key === 'network' && trial);
      if (found === undefined)
        return fail('notFound', 'there is no network change on trial; it may have undone itself');
      const kept = confirmed(found);
      replica.keepOverride(kept);
      return ok(kept);
    }),
  clearOverride: (folder, key, by) =>
    inReplica(folder, (replica) => {
      const found = standing(replica.overrides()).find((each) => each.key === key);
      if (found === undefined) return fail('notFound', `${key} is not overridden`);
      // The appliance deletes it after its report; it may be stopped now.
      replica.keepOverride({ ...found, cleared: { by } });
      return ok(found);
    }),
  applyBundle: (folder, file) => {
    const read = readBundle(file);
    if (!read.ok) return read;
    const place = bundleFile(folder);
    try {
      copyFileSync(file, `${place}.new`);
      renameSync(`${place}.new`, place);
    } catch (cause) {
      return fail('disk', `${place} cannot be written: ${(cause as Error).message}`);
    }
    return ok({ hosts: Object.keys(read.value.twins).length });
  },
  deadLetters: (folder, limit) => inJournal(folder, (file) => ok(readDeadLetters(file, limit))),
  replay: (folder, ids) =>
    inJournal(folder, () => {
      const place = replayFile(folder);
      try {
        writeFileSync(`${place}.new`, JSON.stringify(ids === undefined ? {} : { ids }));
        renameSync(`${place}.new`, place);
      } catch (cause) {
        return fail('disk', `${place} cannot be written: ${(cause as Error).message}`);
      }
      return ok(null);
    }),
  replayTaken: (folder) => !existsSync(replayFile(folder)),
};

function inJournal<T>(folder: string, work: (file: string) => Result<T>): Result<T> {
  const file = join(folder, 'journal.db');
  if (!existsSync(file)) return fail('notFound', `${folder} is no folder of an appliance; say --data`);
  try {
    return work(file);
  } catch (cause) {
    return fail('unreadable', `${file} cannot be read: ${(cause as Error).message}`);
  }
}

function inReplica<T>(
  folder: string,
  work: (replica: ReturnType<typeof openReplica>) => Result<T>,
): Result<T> {
  if (!existsSync(join(folder, 'config.db')))
    return fail('notFound', `${folder} is no folder of an appliance; say --data`);
  const replica = openReplica(folder);
  try {
    return work(replica);
  } finally {
    replica.close();
  }
}

/** The network that the configuration wants; the daemon has verified the twin that it keeps. */
function networkWanted(twin: string | undefined): unknown {
  if (twin === undefined) return null;
  const payload: unknown = JSON.parse(Buffer.from(twin.split('.')[1] ?? '', 'base64url').toString());
  return (payload as { readonly net?: unknown }).net ?? null;
}
