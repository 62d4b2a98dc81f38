import type { CheckContext, CheckFinding } from './spec-check.ts'

/** Kubelets that wait for a cloud keep the taint `uninitialized` until its controller takes it away. */
export function checkCloudController({ file }: CheckContext): CheckFinding[] {
  if (file.addons.hcloudCcm.enabled) return []
  return [
    {
      severity: 'warning',
      path: ['addons', 'hcloudCcm', 'enabled'],
      message:
        'without the cloud controller manager nodes keep the taint node.cloudprovider.kubernetes.io/uninitialized, and nothing runs on them',
      hint: 'Install one yourself right after the first apply.',
    },
  ]
}
