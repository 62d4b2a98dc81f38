// src/actions/restore.ts
require('./hcloud-talos.cjs').runAction('restore', 'post')
