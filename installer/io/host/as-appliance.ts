import { output } from './host-program.ts';

const USER = 'carillon';

/**
 * Does something with the rights of the appliance, so that what it writes belongs to the service from the first byte: were it
 * given away afterwards, a command that is cut in between would leave keys that the service cannot read.
 */
export async function asAppliance<Value>(work: () => Promise<Value>): Promise<Value> {
  const [uid, gid] = await Promise.all([idOf('-u'), idOf('-g')]);
  const { setegid, seteuid, getuid } = process;
  if (getuid?.() !== 0 || setegid === undefined || seteuid === undefined) return work();
  if (uid === undefined || gid === undefined) return work();
  setegid(gid);
  seteuid(uid);
  try {
    return await work();
  } finally {
    seteuid(0);
    setegid(0);
  }
}

async function idOf(which: '-u' | '-g'): Promise<number | undefined> {
  const id = await output('id', which, USER);
  return id === undefined ? undefined : Number(id);
}
