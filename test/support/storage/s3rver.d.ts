declare module '@20minutes/s3rver' {
  /** The part that the tests use; the package has no types. */
  export default class S3rver {
    constructor(options: {
      readonly address: string;
      readonly port: number;
      readonly silent: boolean;
      readonly directory: string;
      readonly configureBuckets: readonly { readonly name: string }[];
    });
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
    readonly store: {
      getObject(bucket: string, key: string): Promise<{ readonly content: NodeJS.ReadableStream }>;
    };
  }
}
