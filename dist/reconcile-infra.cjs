// src/actions/reconcile-infra.ts
require('./hcloud-talos.cjs').runAction('reconcile-infra', 'main')
