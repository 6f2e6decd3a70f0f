import type { HandshakePorts } from '../alarm/handshake/index.ts';
import type { AlarmQueuePorts } from '../alarm/receiving/alarm-speech.ts';
import type { SoundPorts } from '../call/sound/index.ts';
import type { CallbackPorts } from '../delivery/callback/index.ts';
import type { QueuePorts } from '../delivery/command-queue.ts';
import type { JournalPorts } from '../delivery/outbox/index.ts';
import type { EngineTimers } from '../kernel/engine-timers.ts';
import type { BytePorts, KernelPorts, RefusalPorts } from '../kernel/port.ts';
import type { MediaPorts } from '../media/control/index.ts';
import type { WebRtcPorts } from '../media/webrtc/index.ts';
import type { TenantPorts } from '../replica/index.ts';
import type { UsagePorts } from '../site/host/usage-recorder.ts';

/** Everything that the engine needs from outside. Each class takes the group of ports that it uses, never the whole. */
export interface EnginePorts
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
    QueuePorts,
    AlarmQueuePorts {
  /** The one wheel of the thread: the engine fires it, and every part of the appliance may have a scope of it. */
  readonly timers: EngineTimers;
}
