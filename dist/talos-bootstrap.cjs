// src/actions/talos-bootstrap.ts
require('./hcloud-talos.cjs').runAction('talos-bootstrap', 'main')
