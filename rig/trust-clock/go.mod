module hcloud-talos.local/rig/trust-clock

go 1.25.0
