import { z } from 'zod'
import { netPriceSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const addressPrices = z
  .array(
    z.object({
      type: z.string(),
      prices: z.array(z.object({ location: z.string(), price_monthly: netPriceSchema })),
    }),
  )
  .nullish()

const pricingSchema = z.object({
  currency: z.string(),
  image: z.object({ price_per_gb_month: netPriceSchema }),
  volume: z.object({ price_per_gb_month: netPriceSchema }),
  primary_ips: addressPrices,
  floating_ips: addressPrices,
})
/** Prices without tax, in `currency`, per month. */
export type ApiPricing = z.infer<typeof pricingSchema>

export function getPricing(caller: HetznerCaller): Promise<ApiPricing> {
  return caller.request({
    method: 'GET',
    path: '/pricing',
    schema: z.object({ pricing: pricingSchema }).transform(({ pricing }) => pricing),
    operation: 'read prices',
  })
}
