import fc from 'fast-check'

/**
 * The same examples in every run, so that a red run can be repeated and a green one is no luck. Look for
 * others with `FC_SEED=<number> npm test`; what is found becomes a test of its own.
 */
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_128) })
