import { documentsSince14 } from './documents-since-14.ts'

/** A kind of config document besides the v1alpha1 one: since which minor of Talos 1, and its fields. */
export interface KnownDocument {
  readonly since: number
  /** Besides apiVersion and kind; anything goes where absent. */
  readonly fields?: string
  /** Those of them that came later than the kind, with the minor. */
  readonly laterFields?: Readonly<Record<string, number>>
}

const link = 'name up mtu addresses routes multicast'

/** The kinds that nodes know, all of them under `apiVersion: v1alpha1`. */
export const knownDocuments: Readonly<Record<string, KnownDocument>> = {
  EventSinkConfig: { since: 5, fields: 'endpoint' },
  ExtensionServiceConfig: { since: 7, fields: 'name configFiles environment' },
  KmsgLogConfig: { since: 5, fields: 'name url' },
  KubeSpanEndpoints: { since: 7, fields: 'extraAnnouncedEndpoints' },
  NetworkDefaultActionConfig: { since: 6, fields: 'ingress' },
  NetworkRuleConfig: { since: 6, fields: 'name portSelector ingress' },
  SideroLinkConfig: { since: 5, fields: 'apiUrl uniqueToken' },
  TrustedRootsConfig: { since: 7, fields: 'name certificates' },
  VolumeConfig: {
    since: 8,
    fields: 'name provisioning encryption mount filesystem trim scrub',
    laterFields: { filesystem: 14, trim: 14, scrub: 14 },
  },
  WatchdogTimerConfig: { since: 7, fields: 'device timeout' },
  EthernetConfig: { since: 10, fields: 'name features rings channels wakeOnLan' },
  PCIDriverRebindConfig: { since: 10, fields: 'name targetDriver' },
  UserVolumeConfig: {
    since: 10,
    fields: 'name volumeType provisioning filesystem encryption mount',
  },
  ExistingVolumeConfig: { since: 11, fields: 'name discovery mount' },
  RawVolumeConfig: { since: 11, fields: 'name provisioning encryption' },
  SwapVolumeConfig: { since: 11, fields: 'name provisioning encryption' },
  ZswapConfig: { since: 11, fields: 'maxPoolPercent shrinkerEnabled' },
  BondConfig: { since: 12 },
  BridgeConfig: { since: 12, fields: `${link} hardwareAddr links stp vlan` },
  DHCPv4Config: {
    since: 12,
    fields: 'name routeMetric ignoreHostname clientIdentifier duidRaw ignoreRoutes',
    laterFields: { ignoreRoutes: 14 },
  },
  DHCPv6Config: { since: 12, fields: 'name routeMetric ignoreHostname clientIdentifier duidRaw' },
  DummyLinkConfig: { since: 12, fields: `${link} hardwareAddr` },
  HCloudVIPConfig: { since: 12, fields: 'name link apiToken' },
  HostnameConfig: { since: 12, fields: 'auto hostname' },
  Layer2VIPConfig: { since: 12, fields: 'name link' },
  LinkAliasConfig: { since: 12, fields: 'name selector' },
  LinkConfig: { since: 12, fields: link },
  OOMConfig: {
    since: 12,
    fields: 'triggerExpression cgroupRankingExpression sampleInterval',
  },
  RegistryAuthConfig: { since: 12, fields: 'name username password auth identityToken' },
  RegistryMirrorConfig: { since: 12, fields: 'name endpoints skipFallback' },
  RegistryTLSConfig: { since: 12, fields: 'name clientIdentity ca insecureSkipVerify' },
  ResolverConfig: {
    since: 12,
    fields: 'nameservers searchDomains hostDNS',
    laterFields: { hostDNS: 14 },
  },
  StaticHostConfig: { since: 12, fields: 'name hostnames' },
  TimeSyncConfig: { since: 12, fields: 'enabled bootTimeout ntp ptp' },
  VLANConfig: { since: 12, fields: `${link} vlanID vlanMode parent` },
  WireguardConfig: { since: 12, fields: `${link} privateKey listenPort firewallMark peers` },
  BlackholeRouteConfig: { since: 13, fields: 'name metric' },
  EnvironmentConfig: { since: 13, fields: 'variables' },
  ExternalVolumeConfig: { since: 13, fields: 'name filesystemType mount' },
  KubeSpanConfig: {
    since: 13,
    fields:
      'enabled advertiseKubernetesNetworks allowDownPeerBypass harvestExtraEndpoints mtu filters',
  },
  RoutingRuleConfig: {
    since: 13,
    fields: 'name src dst table action iifName oifName fwMark fwMask',
  },
  TCPProbeConfig: { since: 13, fields: 'name interval failureThreshold endpoint timeout' },
  VRFConfig: { since: 13, fields: `${link} hardwareAddr links table` },
  ...documentsSince14,
}

/** Fields of the v1alpha1 document that older nodes do not know yet, by their path. */
export const laterFields: Readonly<Record<string, number>> = {
  'machine.install.grubUseUKICmdline': 12,
}
