// src/actions/snapshot.ts
require('./hcloud-talos.cjs').runAction('snapshot', 'main')
