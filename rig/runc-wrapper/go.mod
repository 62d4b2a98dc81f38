module hcloud-talos.local/rig/runc-wrapper

go 1.25
