/** By what the tests of a file are put into another order: always the same one, so that a red run can be repeated. */
export const orderSeed = Number(process.env['ORDER_SEED'] ?? 20_261_128)
