// src/actions/build-image.ts
require('./hcloud-talos.cjs').runAction('build-image', 'main')
