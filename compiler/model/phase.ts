/** The phases of a build and of a deployment. */
export type Phase = 'scan' | 'boot' | 'resolve' | 'emit' | 'bundle' | 'join' | 'write' | 'start'

/** Called when a phase begins, and with a name when something in it takes long. */
export type OnPhase = (phase: Phase, slow?: string) => void
