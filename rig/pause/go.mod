module hcloud-talos.local/rig/pause

go 1.25
