/**
 * Gives memory that was freed back to the system. The allocator of glibc keeps what lies between pieces that are still in use: after
 * thousands of TLS connections some hundred MB. Does nothing with another C library, or without anything to call it with. The library
 * that calls it is loaded with the first call, so that a start does not wait for it.
 */
export function createMemoryReturn(): () => Promise<void> {
  let loaded: Promise<() => void> | undefined;
  return async () => {
    loaded ??= load();
    (await loaded)();
  };
}

async function load(): Promise<() => void> {
  try {
    const { default: koffi } = await import('koffi');
    const trim = koffi.load('libc.so.6').func('int malloc_trim(size_t)');
    return () => void trim(0);
  } catch {
    return () => undefined;
  }
}
