import { z } from 'zod'
import { actionSchema } from './actions.ts'

/** What several kinds of answers share. Only what we read is named; all else is dropped. */

/** Older answers may say null where newer ones have an empty map. */
export const labelsSchema = z
  .record(z.string(), z.string())
  .nullish()
  .transform((labels) => labels ?? {})

export const protectionSchema = z.object({ delete: z.boolean() }).nullish()

/** The answer of an action endpoint. */
export const actionAnswer = z.object({ action: actionSchema })

/** The answer of endpoints that start several actions. */
export const actionsAnswer = z.object({
  actions: z
    .array(actionSchema)
    .nullish()
    .transform((actions) => actions ?? []),
})

/** What a delete answers: nothing, or (servers, and load balancers since 2026-10-05) its action. */
export const deleteAnswer = z
  .object({ action: actionSchema.nullish() })
  .optional()
  .transform((body) => (body?.action ? [body.action] : []))

const priceSchema = z.object({ net: z.string(), gross: z.string() })

export const typePricesSchema = z.array(
  z.object({ location: z.string(), price_monthly: priceSchema }),
)

export const netPriceSchema = priceSchema.transform(({ net }) => Number(net))

export const deprecationSchema = z
  .object({ announced: z.string(), unavailable_after: z.string() })
  .nullish()
