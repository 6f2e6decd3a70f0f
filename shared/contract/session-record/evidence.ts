import { z } from 'zod';

/** `typ` of the JWS over the manifest of an evidence file. */
export const EVIDENCE_TYP = 'carillon-evidence+jws';
/** Names of the manifest and of its detached signature (RFC 7515, appendix F) in the archive. */
export const EVIDENCE_MANIFEST = 'manifest.json';
export const EVIDENCE_SIGNATURE = 'manifest.jws';

/** `manifest.json` of an evidence file. Members are only added. */
export const evidenceManifestSchema = z.object({
  v: z.literal(1),
  kind: z.literal('carillon-evidence'),
  /** Tenant to whom the file belongs, and who deletes it. */
  owner: z.string(),
  recordId: z.string(),
  traceId: z.string(),
  /** Epoch ms. */
  madeAt: z.number(),
  madeBy: z.string(),
  /** End of the time for which the file may be kept, epoch ms. */
  expiresAt: z.number(),
  /** Key that signed; `fingerprint`: its JWK thumbprint (RFC 7638), base64url. */
  key: z.object({ kid: z.string(), fingerprint: z.string() }),
  /** Sentences: parts that the platform could not get. */
  missing: z.array(z.string()),
  /** Every other file of the archive but the signature; `sha256` in lower-case hex. */
  files: z.array(z.object({ name: z.string(), bytes: z.number(), sha256: z.string() })),
});
export type EvidenceManifest = z.output<typeof evidenceManifestSchema>;
