import type { JsonObject } from '../../lib/json.ts'
import { urlHost } from '../../lib/url-host.ts'
import type { ControlPlaneComponent } from '../../spec/component.ts'
import { oidcArguments } from '../../spec/oidc-arguments.ts'
import { encodeText } from './base64.ts'
import { componentVersion } from './component-version.ts'
import type { ConfigContext } from './config-input.ts'
import { certificateAndKey, notEmpty, schedulesOnControlPlanes } from './machine-section.ts'

/** `cluster` of the v1alpha1 document. Workers get what joins them and nothing that signs. */
export function clusterSection(context: ConfigContext): JsonObject {
  const { spec, secrets, controlPlane, endpointHost } = context
  return {
    id: secrets.cluster.id,
    secret: secrets.cluster.secret,
    controlPlane: { endpoint: `https://${urlHost(endpointHost)}:6443` },
    clusterName: spec.clusterName,
    network: {
      // Cilium is installed as an addon, and with `none` the user brings their own.
      cni: { name: 'none' },
      dnsDomain: spec.network.dnsDomain,
      podSubnets: [spec.network.podRange],
      serviceSubnets: [spec.network.serviceRange],
    },
    token: secrets.secrets.bootstrapToken,
    ca: certificateAndKey(secrets.certs.k8s, controlPlane),
    ...(controlPlane && controlPlaneSection(context)),
    ...(spec.addons.hcloudCcm.enabled && { externalCloudProvider: { enabled: true } }),
    // The registry in Kubernetes does not work since 1.32 (AuthorizeNodeWithSelectors).
    discovery: { enabled: true, registries: { kubernetes: { disabled: true }, service: {} } },
  }
}

function controlPlaneSection(context: ConfigContext): JsonObject {
  const { spec, secrets } = context
  const { controllerManagerExtraArgs, schedulerExtraArgs } = spec.kubernetes
  const image = (name: ControlPlaneComponent) =>
    `registry.k8s.io/${name}:v${componentVersion(spec, name)}`
  const { secretboxEncryptionSecret, aescbcEncryptionSecret } = secrets.secrets
  return {
    ...(secretboxEncryptionSecret !== undefined && { secretboxEncryptionSecret }),
    ...(aescbcEncryptionSecret !== undefined && { aescbcEncryptionSecret }),
    aggregatorCA: certificateAndKey(secrets.certs.k8sAggregator, true),
    serviceAccount: { key: encodeText(secrets.certs.k8sServiceAccount.key) },
    apiServer: apiServerSection(context),
    controllerManager: {
      image: image('kube-controller-manager'),
      ...notEmpty('extraArgs', controllerManagerExtraArgs),
    },
    proxy: {
      image: image('kube-proxy'),
      ...(spec.cni.type === 'cilium' && { disabled: true }),
    },
    scheduler: {
      image: image('kube-scheduler'),
      ...notEmpty('extraArgs', schedulerExtraArgs),
    },
    etcd: {
      ca: certificateAndKey(secrets.certs.etcd, true),
      advertisedSubnets: [spec.network.nodeRange],
    },
    ...(schedulesOnControlPlanes(context) && { allowSchedulingOnControlPlanes: true }),
  }
}

function apiServerSection({ spec, contract, certSans }: ConfigContext): JsonObject {
  const { apiServerExtraArgs } = spec.kubernetes
  return {
    image: `registry.k8s.io/kube-apiserver:v${componentVersion(spec, 'kube-apiserver')}`,
    certSANs: certSans,
    ...notEmpty('extraArgs', { ...oidcArguments(spec.kubernetes.oidc), ...apiServerExtraArgs }),
    ...(contract.legacyFeatures && { disablePodSecurityPolicy: true }),
    admissionControl: [
      {
        name: 'PodSecurity',
        configuration: {
          apiVersion: 'pod-security.admission.config.k8s.io/v1alpha1',
          defaults: {
            audit: 'restricted',
            'audit-version': 'latest',
            enforce: 'baseline',
            'enforce-version': 'latest',
            warn: 'restricted',
            'warn-version': 'latest',
          },
          exemptions: { namespaces: ['kube-system'], runtimeClasses: [], usernames: [] },
          kind: 'PodSecurityConfiguration',
        },
      },
    ],
    auditPolicy: {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      rules: [{ level: 'Metadata' }],
    },
  }
}
