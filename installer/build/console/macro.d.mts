/** A plugin of Vite that makes the macros of Lingui into calls; `config`: a Lingui configuration. */
export function linguiMacro(config: unknown): {
  readonly name: string;
  readonly enforce: 'pre';
  transform(code: string, id: string): Promise<{ readonly code: string; readonly map: unknown } | null>;
};
