/** The way back to a panel: a connection, or the address a datagram came from. */
export interface FrameReplyPath {
  /** Names it; unique while it lives. */
  readonly id: string;
  readonly transport: 'tcp' | 'udp';
  readonly sourceIp: string;
  readonly sourcePort: number;
  /** The frame is lost silently when the connection has ended: the panel repeats. */
  readonly send: (frame: Uint8Array) => void;
}
