// src/actions/upgrade.ts
require('./hcloud-talos.cjs').runAction('upgrade', 'post')
