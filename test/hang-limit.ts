/**
 * When a test or a hook is taken for one that hangs, in milliseconds on the wall. It asserts nothing about speed: a
 * machine with other work takes many times as long as a quiet one.
 */
export const hangLimitMs = 900_000

/** The same for something small that is polled for. */
export const pollLimitMs = 120_000
