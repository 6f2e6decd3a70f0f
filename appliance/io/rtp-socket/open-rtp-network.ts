import { openLibc } from '../libc/index.ts';
import type { Descriptors } from './descriptors.ts';
import { nodeNetwork } from './node-network.ts';
import type { RtpNetwork } from './rtp-socket.ts';
import { SystemNetwork } from './system-network.ts';

/** Sockets of the kernel where we can call it, else Node's, which cost three times as much: `why` gets the reason. */
export async function openRtpNetwork(
  descriptors: Descriptors,
  why: (reason: string) => void,
): Promise<RtpNetwork> {
  const libc = await openLibc(why);
  if (libc === undefined) return nodeNetwork;
  const network = SystemNetwork.open(libc, descriptors);
  if (network === undefined) why('the system gives no epoll set');
  return network ?? nodeNetwork;
}
