// src/actions/destroy.ts
require('./hcloud-talos.cjs').runAction('destroy', 'main')
