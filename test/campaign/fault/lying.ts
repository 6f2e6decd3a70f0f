import { GroupCommit } from '#appliance/io/sqlite/group-commit.ts';

/**
 * Words for Node that load this file before the appliance: a commit that failed then counts as one that came to the disk. It
 * exists so that the campaign with a full disk can be seen to turn red.
 */
export const lying: readonly string[] = ['--import', `${import.meta.url}?lie`];

if (new URL(import.meta.url).search === '?lie') {
  const commit = GroupCommit.prototype.commit;
  GroupCommit.prototype.commit = function (this: GroupCommit, writes) {
    return commit.call(this, writes).catch(() => undefined);
  };
}
