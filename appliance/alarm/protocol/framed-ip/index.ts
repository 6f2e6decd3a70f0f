export { CRC_TABLE, crc16 } from './crc.ts';
export { decodeFrame, encodeFrame, type Frame, type FrameFailure, hex4 } from './frame.ts';
export { type FrameOutcome, FrameReader, MAX_FRAME_BYTES, readDatagram } from './frame-reader.ts';
