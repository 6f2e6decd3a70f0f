import type { CallbackPorts } from '../callback/index.ts';
import type { MediaPorts } from '../media/control/index.ts';
import type { WebRtcPorts } from '../media/webrtc/index.ts';
import type { JournalPorts } from '../outbox/index.ts';
import type { TenantPorts } from '../replica/index.ts';
import type { HandshakePorts } from './handshake/index.ts';
import type { BytePorts, KernelPorts, RefusalPorts } from './port.ts';
import type { QueuePorts } from './sip-message/index.ts';
import type { SoundPorts } from './sound/index.ts';
import type { UsagePorts } from './usage-desk.ts';

/** Everything that the engine needs from outside. Each class takes the group of ports that it uses, never the whole. */
export interface RuntimePorts
  extends KernelPorts,
    BytePorts,
    RefusalPorts,
    TenantPorts,
    JournalPorts,
    CallbackPorts,
    MediaPorts,
    WebRtcPorts,
    SoundPorts,
    HandshakePorts,
    UsagePorts,
    QueuePorts {}
