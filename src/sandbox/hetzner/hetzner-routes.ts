import { actionRoutes } from './actions/action-routes.ts'
import type { Route } from './api/route.ts'
import { catalogueRoutes } from './catalogue/catalogue-routes.ts'
import { certificateRoutes } from './certificates/certificate-routes.ts'
import { firewallRoutes } from './firewalls/firewall-routes.ts'
import { floatingIpRoutes } from './floating-ips/floating-ip-routes.ts'
import { imageRoutes } from './images/image-routes.ts'
import { loadBalancerRoutes } from './load-balancers/load-balancer-routes.ts'
import { networkRoutes } from './networks/network-routes.ts'
import { placementGroupRoutes } from './placement-groups/placement-group-routes.ts'
import { primaryIpRoutes } from './primary-ips/primary-ip-routes.ts'
import { serverRoutes } from './servers/server-routes.ts'
import { sshKeyRoutes } from './ssh-keys/ssh-key-routes.ts'
import { volumeRoutes } from './volumes/volume-routes.ts'

/** Every route of Hetzner's API that the sandbox has, one file per resource. */
export const hetznerRoutes: readonly Route[] = [
  ...actionRoutes,
  ...catalogueRoutes,
  ...certificateRoutes,
  ...firewallRoutes,
  ...floatingIpRoutes,
  ...imageRoutes,
  ...loadBalancerRoutes,
  ...networkRoutes,
  ...placementGroupRoutes,
  ...primaryIpRoutes,
  ...serverRoutes,
  ...sshKeyRoutes,
  ...volumeRoutes,
]
