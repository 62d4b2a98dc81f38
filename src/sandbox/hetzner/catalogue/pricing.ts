import { loadBalancerTypes, renderLoadBalancerPrices } from './load-balancer-types.ts'
import { locations } from './locations.ts'
import { price, vatRate } from './prices.ts'
import { renderPrices, serverTypes } from './server-types.ts'

/** The price list: `GET /pricing`. Amounts in cents, but for a GB of an image. */
export function renderPricing(): Record<string, unknown> {
  return {
    currency: 'EUR',
    vat_rate: vatRate.toFixed(6),
    image: { price_per_gb_month: price(1.43) },
    volume: { price_per_gb_month: price(5.72) },
    server_backup: { percentage: '20.0000000000' },
    floating_ip: { price_monthly: price(380) },
    floating_ips: [
      { type: 'ipv4', prices: monthly(380) },
      { type: 'ipv6', prices: monthly(130) },
    ],
    primary_ips: [
      { type: 'ipv4', prices: hourly(60) },
      { type: 'ipv6', prices: hourly(0) },
    ],
    server_types: serverTypes.map((type) => ({
      id: type.id,
      name: type.name,
      prices: renderPrices(type),
    })),
    load_balancer_types: loadBalancerTypes.map((type) => ({
      id: type.id,
      name: type.name,
      prices: renderLoadBalancerPrices(type),
    })),
  }
}

function monthly(cents: number): unknown[] {
  return locations.map(({ name }) => ({ location: name, price_monthly: price(cents) }))
}

function hourly(cents: number): unknown[] {
  return locations.map(({ name }) => ({
    location: name,
    price_hourly: price(cents / 730),
    price_monthly: price(cents),
  }))
}
