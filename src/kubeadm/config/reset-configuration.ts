import { criSocket, kubeadmApi } from './kubeadm-paths.ts'
import { renderDocuments } from './render-documents.ts'

/**
 * The file of `kubeadm reset`. That it ends with success proves nothing: it only warns of a member that stays in etcd,
 * and of containers that go on.
 */
export function resetFile(): string {
  return renderDocuments([
    {
      apiVersion: kubeadmApi,
      kind: 'ResetConfiguration',
      cleanupTmpDir: true,
      criSocket,
      force: true,
    },
  ])
}
