import type { SipRequest } from '../../sip/message/index.ts';
import { bodyParts } from '../../sip/sdp/index.ts';
import { METADATA_REQUEST, RECORDING_METADATA, RECORDING_SESSION } from '../siprec/index.ts';

/** The part that is metadata by its disposition, else by its type; a request for metadata is none. */
export function metadataIn(request: SipRequest): Uint8Array | undefined {
  const contentType = request.header('Content-Type');
  const { body } = request;
  if (contentType === undefined || body.length === 0) return undefined;
  const parts = bodyParts(contentType, body);
  if (!parts.ok) return undefined;
  const whole = request.header('Content-Disposition');
  const disposed = parts.value.find(
    ({ type, fields }) =>
      type !== METADATA_REQUEST &&
      dispositionOf(fields.get('content-disposition') ?? whole) === RECORDING_SESSION,
  );
  return (disposed ?? parts.value.find(({ type }) => type === RECORDING_METADATA))?.content;
}

const dispositionOf = (field: string | undefined): string | undefined =>
  field?.split(';', 1)[0]?.trim().toLowerCase();
