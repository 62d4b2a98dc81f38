module hcloud-talos.test/kubernetes-versions

go 1.24
