declare module 'postject' {
  /** Writes `resource` as a note of the ELF file `file` and turns the fuse `sentinelFuse` in it. */
  export function inject(
    file: string,
    name: string,
    resource: Buffer,
    options: { readonly sentinelFuse: string },
  ): Promise<void>;
}
