/**
 * Tests load modules as the product does: Node strips the types itself and keeps what it compiled. A bundler's loader takes a fifth more
 * processor time, and for each process that begins it sends every module from the main process.
 */
export const OWN_LOADER = { experimental: { viteModuleRunner: false, nodeLoader: false } } as const;
