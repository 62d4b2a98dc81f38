/** The release of each minor of Kubernetes that the tables are read from; those that our Talos releases run. */
export const kubernetesReleases = [
  '1.27.16',
  '1.28.15',
  '1.29.15',
  '1.30.14',
  '1.31.14',
  '1.32.13',
  '1.33.13',
  '1.34.4',
  '1.35.4',
  '1.36.3',
  '1.37.2',
] as const

/** The release of each minor of etcd that Talos brings, from 1.9 on. */
export const etcdReleases = ['3.5.21', '3.6.12', '3.7.1'] as const
