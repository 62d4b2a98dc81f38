/** How a run reports what it is doing; the terminal, the runner's log and tests each listen their own way. */
export interface Progress {
  /** A phase begins; the returned handle reports its progress and its end. */
  phase(title: string): PhaseProgress
  /** A line about the run as a whole. */
  info(message: string): void
  warn(message: string): void
}

export interface PhaseProgress {
  /** What it is doing or waiting for now; replaces the former step. */
  step(message: string): void
  /** How far it is, from 0 to 1. */
  fraction(done: number): void
  succeed(message?: string): void
  fail(message: string): void
  /** It was not needed; `reason` says why. */
  skip(reason: string): void
}
