/** Minors of Kubernetes 1 whose kubeadm takes configs of v1beta4. */
export const kubeadmMinors = { oldest: 31, newest: 37 } as const

/** The newest of them, as repositories of packages call it. */
export const newestKubernetes = `1.${kubeadmMinors.newest}`
