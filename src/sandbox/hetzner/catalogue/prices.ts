export interface Price {
  readonly net: string
  readonly gross: string
}

/** The value added tax of the sandbox's account, in per cent. */
export const vatRate = 19

/** An amount in cents as Hetzner writes prices: decimal strings with many places, net and gross. */
export function price(cents: number): Price {
  return {
    net: (cents / 100).toFixed(10),
    gross: ((cents / 100) * (1 + vatRate / 100)).toFixed(10),
  }
}

/** Prices of something that is sold by the month and billed by the hour: a month has 30.4 days. */
export function monthlyPrice(location: string, cents: number, trafficTib: number) {
  return {
    location,
    price_hourly: price(cents / 730),
    price_monthly: price(cents),
    included_traffic: trafficTib * 2 ** 40,
    price_per_tb_traffic: price(location === 'sin' ? 740 : 100),
  }
}
