/** What real nodes start from, on disk and never written to by a node. All paths are absolute. */
export interface Bed {
  /** Root file systems of Talos by version without v ('1.12.1'): lower folders of overlay mounts. */
  readonly talosRoots: ReadonlyMap<string, string>
  /** A small Debian with sshd and the tools of an image build: lower folder for stock and rescue. */
  readonly debianRoot: string
  readonly images: {
    /** Holds blobs/sha256/<hex>, as an OCI image layout. */
    readonly folder: string
    /** 'registry.k8s.io/kube-apiserver:v1.35.4' to the 'sha256:…' of its manifest. */
    readonly references: ReadonlyMap<string, string>
  }
  readonly programs: {
    readonly runc: string
    readonly talosctl: string
    readonly kubectl: string
    readonly etcdutl: string
  }
  /** Versions without v whose images are there. */
  readonly kubernetesVersions: readonly string[]
}
