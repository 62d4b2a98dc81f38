// src/actions/install-addons.ts
require('./hcloud-talos.cjs').runAction('install-addons', 'main')
