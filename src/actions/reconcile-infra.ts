import { stageAction } from './apply-action.ts'

/** Networks, firewalls, placement groups, load balancer, images and servers; and the secrets that everything later needs. */
export const reconcileInfra = stageAction('infra')
