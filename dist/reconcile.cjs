// src/actions/reconcile.ts
require('./hcloud-talos.cjs').runAction('reconcile', 'main')
